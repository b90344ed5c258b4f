// Built-in closed surfaces with outward normals and one patch, "body".
//
// Each has the smallest number of panels of its family that is at or above the one asked for. A
// sphere or ellipsoid is geodesic: the faces of an icosahedron with every edge divided into f equal
// arcs, 20 f^2 triangles and 10 f^2 + 2 nodes. A torus or box is a structured grid of nearly square
// cells. Nodes are shared by index arithmetic, so the surfaces are watertight by construction.
//
// All throw InputError for a length that is not positive and finite, or a number of panels that is
// zero or above 10^9.
#pragma once

#include <cstdint>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

enum class PanelKind { triangles, quadrilaterals };

SurfaceMesh make_sphere(std::int64_t panels, double radius = 1.0, const Vec3d& centre = {});

/// Half the lengths of the axes along x, y and z; the geodesic sphere stretched along the axes.
SurfaceMesh make_ellipsoid(std::int64_t panels, const Vec3d& semi_axes, const Vec3d& centre = {});

/// Around the z axis; `major_radius` of the centre line, above `minor_radius` of the tube.
SurfaceMesh make_torus(std::int64_t panels, double major_radius, double minor_radius,
                       const Vec3d& centre = {}, PanelKind kind = PanelKind::quadrilaterals);

/// Edge lengths along x, y and z.
SurfaceMesh make_box(std::int64_t panels, const Vec3d& size, const Vec3d& centre = {},
                     PanelKind kind = PanelKind::quadrilaterals);

}  // namespace rankine::meshes
