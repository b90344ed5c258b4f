// Half-spaces whose intersection is the convex hull of points, by quickhull [BDH96].
#pragma once

#include <span>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// normal . x <= height
struct HalfSpace {
  Vec3d normal{};
  double height = 0.0;

  double above(const Vec3d& x) const { return dot(normal, x) - height; }
};

/// The hull of some of at least three points, beyond which the others are by about `within` or
/// less, or by a millionth of their diagonal.
std::vector<HalfSpace> convex_hull(std::span<const Vec3d> points, double within);

}  // namespace rankine::meshes
