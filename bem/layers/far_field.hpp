// F of the boundary operators: the sums over a discretization's nodes at its targets, to one
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

  /// Builds it anew with other options; what was there goes first.
  void rebuild(const fmm::Options& options);

  LayerSet& layers() const { return layers_; }
  /// Of the operator built last, also where building another one has failed.
  const fmm::OperatorInfo& info() const { return info_; }

  /// From the nodes to the targets.
  fmm::Operator& sums() { return *sums_; }
  /// F^T: the kernel is symmetric, so it is the operator from the targets to the nodes; built at its
  /// first use.
  fmm::Operator& transposed_sums();
  /// The normal part of gradients at the nodes, for F^T; made at its first use.
  SparseMatrix& node_normals();

 private:
  LayerSet& layers_;
  fmm::Options options_;
  fmm::OperatorInfo info_;
  std::unique_ptr<fmm::Operator> sums_, transposed_;
  std::unique_ptr<SparseMatrix> node_normals_;
};

}  // namespace rankine::bem
