// F of the boundary operators: the sums over a discretization's nodes at its points, to one
// accuracy. Two of them over the same layers let a solver take the cheaper one where it suffices.
#pragma once

#include <memory>

#include "rankine/bem/layers/layer_set.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

class FarField {
 public:
  /// Builds the operator. `layers` must outlive this object.
  FarField(LayerSet& layers, const fmm::Options& options);

  LayerSet& layers() const { return layers_; }
  const fmm::OperatorInfo& info() const { return sums_->info(); }

  /// From the nodes to the points.
  fmm::Operator& sums() { return *sums_; }
  /// F^T: the kernel is symmetric, so it is the operator from the points to the nodes; built at its
  /// first use.
  fmm::Operator& transposed_sums();
  /// The normal part of gradients at the nodes, for F^T; made at its first use.
  SparseMatrix& node_normals();

  /// The arrays between P, F and R, for as many right-hand sides as were met so far.
  struct Work {
    Array charges, dipoles;     ///< rhs x nodes
    Array potential, gradient;  ///< rhs x rows, rhs x rows x 3
    Array unknowns, rows;       ///< scaled by diagonals: rhs x unknowns, rhs x rows
    Array node_gradient;        ///< rhs x nodes x 3, of the transpose
  };
  Work& work() { return work_; }
  /// The first `size` values of a work array, which grows where it is smaller.
  std::span<double> reserve(Array& array, std::size_t size);

 private:
  LayerSet& layers_;
  fmm::Options options_;
  std::unique_ptr<fmm::Operator> sums_, transposed_;
  std::unique_ptr<SparseMatrix> node_normals_;
  Work work_;
};

}  // namespace rankine::bem
