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

/// The most corners of a polygon that is not convex.
inline constexpr std::size_t most_polygon_corners = 1000;

/// Triangles that cover the polygon, by the indices of its corners; the polygon need not be flat.
/// Empty where it crosses itself or has no area, and where it has too many corners.
std::vector<std::array<std::size_t, 3>> split_polygon(std::span<const Vec3d> corners);

/// "3 polygons of more than four corners are split into 9 triangles"
std::string split_note(std::size_t polygons, std::size_t triangles);

}  // namespace rankine::meshes
