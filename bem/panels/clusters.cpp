#include "rankine/bem/panels/clusters.hpp"

#include <algorithm>
#include <numeric>

#include "rankine/fmm/core/bounding_box.hpp"

namespace rankine::bem {
namespace {

int longest_axis(const BoundingBox& box) {
  const Vec3d size = box.upper - box.lower;
  int axis = 0;
  for (int other = 1; other < 3; ++other) {
    if (size[other] > size[axis]) axis = other;
  }
  return axis;
}

void halve(std::span<const Vec3d> points, std::span<std::int32_t> part, std::size_t most,
           std::vector<std::size_t>& first) {
  if (part.size() <= most) {
    first.push_back(first.back() + part.size());
    return;
  }
  BoundingBox box;
  for (const std::int32_t i : part) box.add(points[static_cast<std::size_t>(i)]);
  const int axis = longest_axis(box);
  const std::size_t middle = part.size() / 2;
  std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(middle), part.end(),
                   [&](std::int32_t a, std::int32_t b) {
                     const double pa = points[static_cast<std::size_t>(a)][axis],
                                  pb = points[static_cast<std::size_t>(b)][axis];
                     return pa != pb ? pa < pb : a < b;
                   });
  halve(points, part.first(middle), most, first);
  halve(points, part.subspan(middle), most, first);
}

}  // namespace

Clusters make_clusters(std::span<const Vec3d> points, std::size_t most) {
  Clusters clusters;
  clusters.order.resize(points.size());
  std::iota(clusters.order.begin(), clusters.order.end(), 0);
  if (!points.empty())
    halve(points, clusters.order, std::max<std::size_t>(most, 1), clusters.first);
  return clusters;
}

}  // namespace rankine::bem
