#include "rankine/fmm/morton_points.hpp"

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::fmm {

AlignedVector<double> in_order(std::span<const double> values,
                               std::span<const std::int32_t> order) {
  AlignedVector<double> result(values.size());
  parallel_for(values.size(), [&](std::size_t i) { result[i] = values[order[i]]; });
  return result;
}

MortonPoints morton_points(const Octree& tree, const Points& points) {
  return {{points.sources.on_host(), tree.source_order},
          {points.targets.on_host(), tree.target_order},
          in_order(points.core_radii, tree.source_order)};
}

}  // namespace rankine::fmm
