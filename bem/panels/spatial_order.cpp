#include "rankine/bem/panels/spatial_order.hpp"

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/radix_sort.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::bem {

AlignedVector<std::int32_t> spatial_order(std::span<const Vec3d> points) {
  if (points.empty()) return {};
  const BoundingBox box = bounding_box(points);
  const double side = box.longest() > 0.0 ? box.longest() : 1.0;
  AlignedVector<std::uint64_t> keys;
  return sorted_by_key(
      points.size(), 3 * fmm::max_level,
      [&](std::size_t i) { return fmm::morton_key(points[i], box.lower, side); }, keys);
}

}  // namespace rankine::bem
