// Axis-aligned bounding boxes of points.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine {

/// Empty (lower above upper) until a point is added.
struct BoundingBox {
  static constexpr double far = std::numeric_limits<double>::infinity();

  Vec3d lower{far, far, far};
  Vec3d upper{-far, -far, -far};

  void add(const Vec3d& point) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], point[axis]);
      upper[axis] = std::max(upper[axis], point[axis]);
    }
  }
  void join(const BoundingBox& box) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], box.lower[axis]);
      upper[axis] = std::max(upper[axis], box.upper[axis]);
    }
  }
  bool empty() const { return lower.x > upper.x; }
  bool contains(const BoundingBox& box) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (box.lower[axis] < lower[axis] || box.upper[axis] > upper[axis]) return false;
    }
    return true;
  }
  Vec3d size() const { return upper - lower; }
  double diagonal() const { return norm(size()); }
  /// Length of the longest edge, 0 when empty.
  double longest() const {
    const Vec3d edges = size();
    return empty() ? 0.0 : std::max({edges.x, edges.y, edges.z});
  }
};

inline BoundingBox bounding_box(std::span<const Vec3d> points) {
  return parallel_reduce(points.size(), BoundingBox{},
                         [&](std::size_t i, BoundingBox& box) { box.add(points[i]); });
}

}  // namespace rankine
