#include "rankine/bem/layers/layer_set.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rankine::bem {

LayerSet::LayerSet(Backend& backend, const Discretization& discretization)
    : backend_(backend), discretization_(discretization) {}

void LayerSet::assemble(std::span<const Layer> layers) {
  std::vector<Layer> missing;
  for (const Layer layer : layers) {
    if (!has_near(layer) && std::find(missing.begin(), missing.end(), layer) == missing.end())
      missing.push_back(layer);
  }
  if (missing.empty()) return;
  std::vector<std::unique_ptr<SparseMatrix>> made = backend_.assemble(discretization_, missing, {});
  for (std::size_t k = 0; k < missing.size(); ++k) near_[index_of(missing[k])] = std::move(made[k]);
  std::erase_if(missing, [](Layer layer) {
    return layer != Layer::single_layer && layer != Layer::double_layer;
  });
  if (missing.empty()) return;
  made = backend_.linear_moments(discretization_, missing, {});
  for (std::size_t k = 0; k < made.size(); ++k) moments_[index_of(missing[k])] = std::move(made[k]);
}

void LayerSet::release(Layer layer) {
  near_[index_of(layer)].reset();
  moments_[index_of(layer)].reset();
}

void LayerSet::add_near(Layer layer, double alpha, const double* x, double* y, int rhs) {
  near(layer).add(alpha, x, y, rhs);
  if (SparseMatrix* const moments = moments_[index_of(layer)].get()) {
    double* const slopes = cleared_slopes(rhs);
    both_strengths().gradients->add(1.0, x, slopes, rhs);
    moments->add(alpha, slopes, y, rhs);
  }
}

void LayerSet::add_near_transposed(Layer layer, double alpha, const double* x, double* y, int rhs) {
  near(layer).add_transposed(alpha, x, y, rhs);
  if (SparseMatrix* const moments = moments_[index_of(layer)].get()) {
    double* const slopes = cleared_slopes(rhs);
    moments->add_transposed(1.0, x, slopes, rhs);
    both_strengths().gradients->add_transposed(alpha, slopes, y, rhs);
  }
}

double* LayerSet::cleared_slopes(int rhs) {
  const std::span<double> slopes =
      reserve(work_.slopes, static_cast<std::size_t>(rhs) * both_strengths().gradients->rows());
  backend_.fill(slopes.size(), 0.0, slopes.data());
  return slopes.data();
}

std::size_t LayerSet::near_entries(Layer layer) {
  const SparseMatrix* const moments = moments_[index_of(layer)].get();
  return near(layer).entries() + (moments != nullptr ? moments->entries() : 0);
}

std::size_t LayerSet::near_bytes(Layer layer) {
  const SparseMatrix* const moments = moments_[index_of(layer)].get();
  return near(layer).bytes() +
         (moments != nullptr ? moments->bytes() + both_strengths().gradients->bytes() : 0);
}

StrengthMatrices& LayerSet::both_strengths() {
  if (!strengths_.nodes) strengths_ = backend_.strengths(discretization_);
  return strengths_;
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
