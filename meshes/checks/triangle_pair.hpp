// Two triangles in space: do they cross, how far apart are they.
#pragma once

#include <array>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

using Triangle = std::array<Vec3d, 3>;

/// The point of a triangle that is nearest to `point`. A triangle without area counts as its edges.
Vec3d nearest_point(const Triangle& triangle, const Vec3d& point);

/// Shortest distance, 0 where an edge of one passes through the other.
double distance(const Triangle& a, const Triangle& b);

/// Does an edge of one pass through the other, with both of its ends further than `depth` from the
/// other's plane, and so far inside its rim? Triangles that only touch, or lie in one plane, do not
/// cross.
bool cross_deeply(const Triangle& a, const Triangle& b, double depth);

}  // namespace rankine::meshes
