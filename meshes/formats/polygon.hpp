// Splits polygons of more than four corners into triangles: convex ones from one corner, others by
// ear clipping. Both keep the orientation of the corners.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// Maximum number of corners of a polygon that is not convex.
inline constexpr std::size_t most_polygon_corners = 1000;

/// Triangles that cover the polygon, as indices of its corners. The polygon need not be planar.
/// Empty if it crosses itself, has no area or has too many corners.
std::vector<std::array<std::size_t, 3>> split_polygon(std::span<const Vec3d> corners);

/// A note: "3 polygons of more than four corners are split into 9 triangles".
std::string split_note(std::size_t polygons, std::size_t triangles);

}  // namespace rankine::meshes
