// Box: the surface of a lattice of nx x ny x nz nearly cubic cells.
#pragma once

#include <cstdint>

#include "rankine/meshes/shapes/shape_arguments.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Edge lengths along x, y and z, m. The lattice is the coarsest with at least `panels` panels.
/// `grading` makes it finer towards the edges of the box: from a face to the middle, the k-th of m
/// planes is at the fraction (k/m)^grading.
/// Throws InputError for a length that is not positive and finite, a grading not between 1 and 8,
/// or a number of panels that is zero or above 10^9.
SurfaceMesh make_box(std::int64_t panels, const Vec3d& size, const Vec3d& centre = {},
                     PanelKind kind = PanelKind::quadrilaterals, double grading = 1.0);

}  // namespace rankine::meshes
