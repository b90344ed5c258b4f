// Torus: n cells around the axis, m around the tube, nearly square. Every cell is a plane
// trapezium.
#pragma once

#include <cstdint>

#include "rankine/meshes/shapes/shape_arguments.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Around the z axis; `major_radius` of the centre line, above `minor_radius` of the tube, m. The
/// grid is the coarsest with at least `panels` panels. Throws InputError for other radii, or a
/// number of panels that is zero or above 10^9.
SurfaceMesh make_torus(std::int64_t panels, double major_radius, double minor_radius,
                       const Vec3d& centre = {}, PanelKind kind = PanelKind::quadrilaterals);

}  // namespace rankine::meshes
