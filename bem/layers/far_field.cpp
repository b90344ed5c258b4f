#include "rankine/bem/layers/far_field.hpp"

namespace rankine::bem {

FarField::FarField(LayerSet& layers, const fmm::Options& options)
    : layers_(layers), options_(options) {
  const Discretization& d = layers_.discretization();
  sums_ = layers_.backend().make_sums(d, d.targets(), options);
}

void FarField::set_order(int order) {
  options_.order = order;
  transposed_.reset();
  sums_->set_order(order);
}

fmm::Operator& FarField::transposed_sums() {
  if (!transposed_) {
    const Discretization& d = layers_.discretization();
    fmm::Options options = options_;
    options.dipoles = options_.gradient;
    options.gradient = options_.dipoles;
    transposed_ = layers_.backend().make_operator({d.targets(), d.nodes()}, options);
  }
  return *transposed_;
}

SparseMatrix& FarField::node_normals() {
  if (!node_normals_) {
    node_normals_ =
        layers_.backend().make_sparse(normal_rows(layers_.discretization().node_normals()));
  }
  return *node_normals_;
}

}  // namespace rankine::bem
