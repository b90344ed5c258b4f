#include "rankine/fmm/morton_points.hpp"

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::fmm {
namespace {

template <class T>
AlignedVector<T> ordered(std::span<const T> values, std::span<const std::int32_t> order) {
  AlignedVector<T> result(values.size());
  parallel_for(values.size(), [&](std::size_t i) { result[i] = values[order[i]]; });
  return result;
}

}  // namespace

AlignedVector<double> in_order(std::span<const double> values,
                               std::span<const std::int32_t> order) {
  return ordered(values, order);
}

MortonPoints morton_points(const Octree& tree, const Points& points) {
  MortonPoints result;
  result.shared = tree.shared_points;
  result.core_radii = in_order(points.core_radii, tree.source_order);
  result.sources = ordered(points.sources.on_host(), tree.source_order);
  if (!result.shared) result.other_targets = ordered(points.targets.on_host(), tree.target_order);
  return result;
}

}  // namespace rankine::fmm
