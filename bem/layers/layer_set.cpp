#include "rankine/bem/layers/layer_set.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rankine::bem {

LayerSet::LayerSet(Backend& backend, const Discretization& discretization, bool varied)
    : backend_(backend), discretization_(discretization), varied_(varied) {}

void LayerSet::assemble(std::span<const Layer> layers) {
  std::vector<Layer> missing;
  for (const Layer layer : layers) {
    if (!has_near(layer) && std::find(missing.begin(), missing.end(), layer) == missing.end())
      missing.push_back(layer);
  }
  if (missing.empty()) return;
  std::vector<std::unique_ptr<SparseMatrix>> made = backend_.assemble(discretization_, missing);
  for (std::size_t k = 0; k < missing.size(); ++k) near_[index_of(missing[k])] = std::move(made[k]);
  if (!varied_) return;
  std::erase_if(missing, [](Layer layer) {
    return layer != Layer::single_layer && layer != Layer::double_layer;
  });
  std::vector<SparseRows> variation = discretization_.variation_corrections(missing);
  for (std::size_t k = 0; k < variation.size(); ++k)
    variation_[index_of(missing[k])] = backend_.make_sparse(std::move(variation[k]));
}

void LayerSet::release(Layer layer) {
  near_[index_of(layer)].reset();
  variation_[index_of(layer)].reset();
}

void LayerSet::add_near(Layer layer, double alpha, const double* x, double* y, int rhs) {
  for_each_near(layer, [&](SparseMatrix& each) { each.add(alpha, x, y, rhs); });
}

void LayerSet::add_near_transposed(Layer layer, double alpha, const double* x, double* y, int rhs) {
  for_each_near(layer, [&](SparseMatrix& each) { each.add_transposed(alpha, x, y, rhs); });
}

std::size_t LayerSet::near_entries(Layer layer) {
  std::size_t entries = 0;
  for_each_near(layer, [&](const SparseMatrix& each) { entries += each.entries(); });
  return entries;
}

std::size_t LayerSet::near_bytes(Layer layer) {
  std::size_t bytes = 0;
  for_each_near(layer, [&](const SparseMatrix& each) { bytes += each.bytes(); });
  return bytes;
}

SparseMatrix& LayerSet::strengths() {
  if (!strengths_) strengths_ = backend_.strengths(discretization_);
  return *strengths_;
}

SparseMatrix& LayerSet::normals() {
  if (!normals_) {
    normals_ = backend_.make_sparse(normal_rows(discretization_.target_normals()));
  }
  return *normals_;
}

std::span<double> LayerSet::reserve(Array& array, std::size_t size) {
  if (array.size() < size) {
    array = {};
    array = backend_.allocate(size);
  }
  return array.first(size);
}

SparseMatrix& LayerSet::near(Layer layer) {
  assemble({&layer, 1});
  return *near_[index_of(layer)];
}

}  // namespace rankine::bem
