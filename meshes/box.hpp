// Box: the surface of a lattice of nx x ny x nz nearly cubic cells.
#pragma once

#include <cstdint>

#include "rankine/meshes/shape_arguments.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Edge lengths along x, y and z, m. The coarsest lattice with as many panels as are asked for.
/// Throws InputError for a length that is not positive and finite, or a number of panels that is zero
/// or above 10^9.
SurfaceMesh make_box(std::int64_t panels, const Vec3d& size, const Vec3d& centre = {},
                     PanelKind kind = PanelKind::quadrilaterals);

}  // namespace rankine::meshes
