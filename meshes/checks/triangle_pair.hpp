// Intersection and distance of two triangles in space.
#pragma once

#include <array>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

using Triangle = std::array<Vec3d, 3>;

/// The point of a triangle closest to `point`. A degenerate triangle is treated as its edges.
Vec3d nearest_point(const Triangle& triangle, const Vec3d& point);

/// Shortest distance; 0 if an edge of one intersects the other.
double distance(const Triangle& a, const Triangle& b);

/// Whether an edge of one passes through the other, with both ends further than `depth` from the
/// other's plane, and through a point at least `from_rim` inside its rim. Triangles that only
/// touch, or lie in one plane, do not cross.
bool cross_deeply(const Triangle& a, const Triangle& b, double depth, double from_rim);

}  // namespace rankine::meshes
