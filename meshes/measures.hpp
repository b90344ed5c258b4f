// Lengths, areas and volumes of a surface mesh; the formulas hold for flat and for warped panels.
//
//   vector area of a panel   A = 1/2 (x2 - x0) x (x3 - x1)       quadrilateral, also when warped
//                            A = 1/2 (x1 - x0) x (x2 - x0)       triangle
//   enclosed volume          V = 1/3 sum over triangles of x.A   divergence theorem, div x = 3
#pragma once

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Box of the nodes that elements use.
BoundingBox bounding_box(const SurfaceMesh& mesh);

/// Along the normal of the panel, as long as its area (projected, if it is warped), m^2.
Vec3d vector_area(const SurfaceMesh& mesh, const Element& element);

/// Mean of the corners.
Vec3d corner_mean(const SurfaceMesh& mesh, const Element& element);

/// What a panel adds to the enclosed volume; `origin` near the body keeps rounding small, m^3.
double volume_under(const SurfaceMesh& mesh, const Element& element, const Vec3d& origin);

/// Solid angle of a panel seen from `point`, in (-2 pi, 2 pi], positive from the side that the
/// normal points away from [OS83].
double solid_angle(const SurfaceMesh& mesh, const Element& element, const Vec3d& point);

}  // namespace rankine::meshes
