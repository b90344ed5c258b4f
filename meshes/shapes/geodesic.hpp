// Sphere and ellipsoid from an icosahedron whose faces are divided into f^2 triangles each: 20 f^2
// triangles and 10 f^2 + 2 nodes, with the smallest f that gives the number of panels asked for.
//
// A point of the face (a, b, c) with weights i + j + k = f lies along
//
//   sin(i w / f) a + sin(j w / f) b + sin(k w / f) c ,   w = the angle of an edge,
//
// which divides the edges into equal arcs and keeps the triangles inside a face nearly equal.
#pragma once

#include <cstdint>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Throws InputError for a radius that is not positive and finite, m, or a number of panels that is
/// zero or above 10^9.
SurfaceMesh make_sphere(std::int64_t panels, double radius = 1.0, const Vec3d& centre = {});

/// The geodesic sphere stretched to half the lengths of the axes along x, y and z, m. Throws
/// InputError as make_sphere does.
SurfaceMesh make_ellipsoid(std::int64_t panels, const Vec3d& semi_axes, const Vec3d& centre = {});

}  // namespace rankine::meshes
