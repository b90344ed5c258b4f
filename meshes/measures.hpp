// Lengths, areas and volumes of a surface mesh. The formulas hold for flat and warped panels.
//
//   vector area of a panel   A = 1/2 (x2 - x0) x (x3 - x1)       quadrilateral, also when warped
//                            A = 1/2 (x1 - x0) x (x2 - x0)       triangle
//   enclosed volume          V = 1/3 sum over triangles of x.A   divergence theorem, div x = 3
#pragma once

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Bounding box of the nodes in use.
BoundingBox bounding_box(const SurfaceMesh& mesh);

/// The vector area of a panel, m^2: along its normal, of the length of its area (projected area if
/// warped).
Vec3d vector_area(const SurfaceMesh& mesh, const Element& element);

/// The mean of the corners.
Vec3d corner_mean(const SurfaceMesh& mesh, const Element& element);

/// Contribution of a panel to the enclosed volume, m^3. An `origin` near the body keeps rounding
/// errors small.
double volume_under(const SurfaceMesh& mesh, const Element& element, const Vec3d& origin);

/// Solid angle of a panel at `point`, in (-2 pi, 2 pi], positive on the side opposite to the normal
/// [OS83].
double solid_angle(const SurfaceMesh& mesh, const Element& element, const Vec3d& point);

}  // namespace rankine::meshes
