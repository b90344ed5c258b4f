// Built-in shapes: spheres, ellipsoids, boxes and tori, which are closed, and discs, plates and
// tubes, which have no thickness. Every function throws InputError for a number of panels that is
// zero or above 10^9, and for a length that is not positive and finite. Lengths are in metres.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rankine/meshes/shapes/shape_arguments.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// The faces of an icosahedron are divided into f^2 triangles each: 20 f^2 triangles and 10 f^2 + 2
/// nodes, with the smallest f that gives the number of panels asked for. A point of the face (a, b,
/// c) with weights i + j + k = f lies along
///
///   sin(i w / f) a + sin(j w / f) b + sin(k w / f) c ,   w = the angle of an edge,
///
/// which divides the edges into equal arcs and keeps the triangles inside a face nearly equal.
SurfaceMesh make_sphere(std::int64_t panels, double radius = 1.0, const Vec3d& centre = {});

/// The sphere stretched to half the lengths of the axes along x, y and z.
SurfaceMesh make_ellipsoid(std::int64_t panels, const Vec3d& semi_axes, const Vec3d& centre = {});

/// The surface of the coarsest lattice of nx x ny x nz nearly cubic cells with at least `panels`
/// panels; `size`: edge lengths along x, y and z. `grading` makes it finer towards the edges of the
/// box: from a face to the middle, the k-th of m planes is at the fraction (k/m)^grading. Throws
/// InputError for a grading not between 1 and 8.
SurfaceMesh make_box(std::int64_t panels, const Vec3d& size, const Vec3d& centre = {},
                     PanelKind kind = PanelKind::quadrilaterals, double grading = 1.0);

/// Around the z axis: the coarsest grid of n cells around the axis and m around the tube, nearly
/// square, with at least `panels` panels. Every cell is a plane trapezium. Throws InputError unless
/// `major_radius`, of the centre line, is above `minor_radius`, of the tube.
SurfaceMesh make_torus(std::int64_t panels, double major_radius, double minor_radius,
                       const Vec3d& centre = {}, PanelKind kind = PanelKind::quadrilaterals);

/// Panels of surfaces without thickness can become smaller towards the rim, where charges and
/// velocities are unbounded. From the middle, rows are at the distances
///
///   1 - (1 - s)^g ,   s = k/n ,
///
/// in units of the half width; g is the grading: 1, for equal rows, to this. The functions throw
/// InputError for others.
inline constexpr double most_grading = 8.0;

/// In the plane z = centre.z, with normals along +z: triangles within half the radius,
/// quadrilaterals outside, in rings whose polygons have the areas of their circles.
SurfaceMesh make_disc(std::int64_t panels, double radius, const Vec3d& centre = {},
                      double grading = 1.0);

/// Quadrilaterals, `length` along x and `width` along y; normals along +z.
SurfaceMesh make_plate(std::int64_t panels, double length, double width, const Vec3d& centre = {},
                       double grading = 1.0);

/// Open at both ends, around the z axis; quadrilaterals, graded towards the ends. Normals point
/// away from the axis.
SurfaceMesh make_tube(std::int64_t panels, double radius, double length, const Vec3d& centre = {},
                      double grading = 1.0);

/// Cuts every quadrilateral along its shorter diagonal and removes the mid-nodes, for methods that
/// have triangles only. The halves follow each other where the quadrilateral was. Returns the
/// number of quadrilaterals.
std::size_t cut_quadrilaterals(SurfaceMesh& mesh);

}  // namespace rankine::meshes
