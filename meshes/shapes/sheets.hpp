// Surfaces without thickness: a disc, a rectangular plate, an open tube. Their panels can become
// smaller towards the rim, where charges and velocities are unbounded. Rows are at the distances
//
//   1 - (1 - s)^g ,   s = k/n ,
//
// from the middle, in units of the half width; g is the grading, 1 for equal rows. Normals point
// along the axis, +z; those of the tube point away from the axis.
#pragma once

#include <cstdint>

#include "rankine/meshes/shapes/shape_arguments.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Largest grading of a built-in sheet.
inline constexpr double most_grading = 8.0;

/// In the plane z = centre.z: triangles within half the radius, quadrilaterals outside, in rings
/// whose polygons have the areas of their circles. Throws InputError for a radius or grading out of
/// range, or a number of panels that is zero or above 10^9, as the other functions do.
SurfaceMesh make_disc(std::int64_t panels, double radius, const Vec3d& centre = {},
                      double grading = 1.0);

/// Quadrilaterals, `length` along x and `width` along y.
SurfaceMesh make_plate(std::int64_t panels, double length, double width, const Vec3d& centre = {},
                       double grading = 1.0);

/// Open at both ends, around the z axis; quadrilaterals, graded towards the ends.
SurfaceMesh make_tube(std::int64_t panels, double radius, double length, const Vec3d& centre = {},
                      double grading = 1.0);

}  // namespace rankine::meshes
