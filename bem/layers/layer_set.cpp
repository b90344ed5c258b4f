#include "rankine/bem/layers/layer_set.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"

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
  std::vector<std::unique_ptr<SparseMatrix>> made = backend_.assemble(discretization_, missing);
  for (std::size_t k = 0; k < missing.size(); ++k) near_[index_of(missing[k])] = std::move(made[k]);
}

void LayerSet::release(Layer layer) { near_[index_of(layer)].reset(); }

SparseMatrix& LayerSet::strengths() {
  if (!strengths_) {
    const ThreadScope threads(backend_.threads());
    strengths_ = backend_.make_sparse(discretization_.strengths());
  }
  return *strengths_;
}

SparseMatrix& LayerSet::normals() {
  if (!normals_) {
    const ThreadScope threads(backend_.threads());
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
