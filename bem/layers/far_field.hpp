// F of the boundary operators: the sums over a discretization's nodes at its targets, with a given
// accuracy. A solver may have two far fields of the same layers, and use the cheaper one when its
// accuracy is sufficient.
#pragma once

#include <memory>

#include "rankine/bem/layers/layer_set.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

class FarField {
 public:
  /// Builds the operator. `layers` must outlive this object.
  FarField(LayerSet& layers, const fmm::Options& options);

  /// Replaces the order of the sums.
  void set_order(int order);

  LayerSet& layers() const { return layers_; }
  const fmm::OperatorInfo& info() const { return sums_->info(); }

  /// From the nodes to the targets.
  fmm::Operator& sums() { return *sums_; }
  /// F^T. The kernel is symmetric, so this is the operator from the targets to the nodes. It is
  /// built at its first use.
  fmm::Operator& transposed_sums();
  /// The normal part of gradients at the nodes, for F^T; made at its first use.
  SparseMatrix& node_normals();

 private:
  LayerSet& layers_;
  fmm::Options options_;
  std::unique_ptr<fmm::Operator> sums_, transposed_;
  std::unique_ptr<SparseMatrix> node_normals_;
};

}  // namespace rankine::bem
