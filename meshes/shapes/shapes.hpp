// Built-in shapes: closed spheres, ellipsoids, boxes and tori; thin discs, plates and tubes. Every
// function throws InputError for a number of panels that is zero or above 10^9, and for a length
// that is not positive and finite. Lengths in metres.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rankine/meshes/shapes/shape_arguments.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// A sphere from an icosahedron whose faces are divided into f^2 triangles each: 20 f^2 triangles
/// and 10 f^2 + 2 nodes, with the smallest f that gives `panels`. A point of the face (a, b, c)
/// with weights i + j + k = f has the direction
///
///   sin(i w / f) a + sin(j w / f) b + sin(k w / f) c ,   w = the angle of an edge,
///
/// which divides edges into equal arcs and makes the triangles of a face nearly equal.
SurfaceMesh make_sphere(std::int64_t panels, double radius = 1.0, const Vec3d& centre = {});

/// The sphere stretched to the semi-axes along x, y and z.
SurfaceMesh make_ellipsoid(std::int64_t panels, const Vec3d& semi_axes, const Vec3d& centre = {});

/// A box: the surface of the coarsest lattice of nx x ny x nz nearly cubic cells with at least
/// `panels` panels. `size`: edge lengths along x, y and z. `grading` refines towards the edges of
/// the box: between a face and the middle, the k-th of m planes is at the fraction (k/m)^grading.
/// Throws InputError unless grading is between 1 and 8.
SurfaceMesh make_box(std::int64_t panels, const Vec3d& size, const Vec3d& centre = {},
                     PanelKind kind = PanelKind::quadrilaterals, double grading = 1.0);

/// A torus around the z axis: the coarsest nearly square grid of n cells around the axis and m
/// around the tube with at least `panels` panels. Cells are plane trapezoids. Throws InputError
/// unless `major_radius`, that of the centre line, exceeds `minor_radius`, that of the tube.
SurfaceMesh make_torus(std::int64_t panels, double major_radius, double minor_radius,
                       const Vec3d& centre = {}, PanelKind kind = PanelKind::quadrilaterals);

/// Panels of thin surfaces can be refined towards the rim, where charges and velocities are
/// unbounded. From the middle, rows are at the distances
///
///   1 - (1 - s)^g ,   s = k/n ,
///
/// in units of the half width. The grading g is between 1, for equal rows, and this value; the
/// functions throw InputError for others.
inline constexpr double most_grading = 8.0;

/// A disc in the plane z = centre.z with normals along +z: triangles within half the radius,
/// quadrilaterals outside, in rings whose polygons have the areas of their circles.
SurfaceMesh make_disc(std::int64_t panels, double radius, const Vec3d& centre = {},
                      double grading = 1.0);

/// A plate of quadrilaterals, `length` along x and `width` along y; normals along +z.
SurfaceMesh make_plate(std::int64_t panels, double length, double width, const Vec3d& centre = {},
                       double grading = 1.0);

/// A tube around the z axis, open at both ends, of quadrilaterals graded towards the ends. Normals
/// point away from the axis.
SurfaceMesh make_tube(std::int64_t panels, double radius, double length, const Vec3d& centre = {},
                      double grading = 1.0);

/// Cuts every quadrilateral along its shorter diagonal and removes mid-edge points, for methods
/// with triangles only. The halves replace the quadrilateral in the order of elements. Returns the
/// number of quadrilaterals.
std::size_t cut_quadrilaterals(SurfaceMesh& mesh);

}  // namespace rankine::meshes
