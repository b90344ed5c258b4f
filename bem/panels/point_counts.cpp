#include "rankine/bem/panels/point_counts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::bem {

PointCounts::PointCounts(std::span<const Vec3d> points, std::span<const double> weights)
    : keys_(points.size()), weight_before_(points.size() + 1, 0.0) {
  assert(points.size() == weights.size());
  if (points.empty()) return;
  const BoundingBox box = bounding_box(points);
  corner_ = box.lower;
  side_ = box.longest() > 0.0 ? box.longest() : 1.0;
  const AlignedVector<std::int32_t> order = sorted_by_key(
      points.size(), 3 * fmm::max_level,
      [&](std::size_t i) { return fmm::morton_key(points[i], corner_, side_); }, keys_);
  for (std::size_t k = 0; k < order.size(); ++k)
    weight_before_[k + 1] = weight_before_[k] + weights[static_cast<std::size_t>(order[k])];
}

double PointCounts::between(std::uint64_t first, std::uint64_t end) const {
  const auto from = std::lower_bound(keys_.begin(), keys_.end(), first);
  const auto to = std::lower_bound(from, keys_.end(), end);
  return weight_before_[static_cast<std::size_t>(to - keys_.begin())] -
         weight_before_[static_cast<std::size_t>(from - keys_.begin())];
}

double PointCounts::in_ball(const Vec3d& centre, double radius) const {
  if (2.0 * radius >= side_) return weight_before_.back();
  const int level = std::clamp(std::ilogb(side_ / (2.0 * radius)), 0, fmm::max_level);
  const double edge = std::ldexp(side_, -level);
  // On every axis the cube around the ball lies in one cell or in two; `share` of it is in the
  // first.
  Vec3d at[2];
  double share[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double low = centre[axis] - radius - corner_[axis];
    const double border = edge * std::max(1.0, std::floor(low / edge) + 1.0);
    share[axis] = std::clamp((border - low) / (2.0 * radius), 0.0, 1.0);
    at[0][axis] = corner_[axis] + border - 0.5 * edge;
    at[1][axis] = corner_[axis] + border + 0.5 * edge;
  }
  const double cube = std::pow(2.0 * radius / edge, 3);
  double count = 0.0;
  for (int octant = 0; octant < 8; ++octant) {
    Vec3d in_cell;
    double part = cube;
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int second = octant >> axis & 1;
      in_cell[axis] = at[second][axis];
      part *= second == 0 ? share[axis] : 1.0 - share[axis];
      inside = inside && in_cell[axis] < corner_[axis] + side_;
    }
    if (!inside || !(part > 0.0)) continue;
    const int shift = 3 * (fmm::max_level - level);
    const std::uint64_t cell = fmm::morton_key(in_cell, corner_, side_) >> shift;
    count += between(cell << shift, (cell + 1) << shift) * std::cbrt(part * part);
  }
  return std::numbers::pi / 4.0 * count;
}

}  // namespace rankine::bem
