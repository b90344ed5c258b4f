// Closes holes of a surface: rims that lie in a plane, and small ones of any form.
//
// The rim, a polygon, is cut into triangles (formats/polygon.hpp). Where these are larger than the
// edges of the rim, growing with the distance from it, ask for, they are divided at their
// centroids; then edges are turned where the opposite angles add up to more than pi [L03].
#pragma once

#include <cstddef>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct FilledHoles {
  std::size_t holes = 0, panels = 0;
  double area = 0.0;  ///< m^2
  std::size_t left =
      0;  ///< rims that stay: neither flat nor small, crossing themselves, or of a sheet
};

/// Panels of hole n have the patch of a panel at its rim, and face -n (SurfaceMesh::face). They are
/// oriented as the panels around. Corners must be nodes of the mesh, coordinates finite.
FilledHoles fill_holes(SurfaceMesh& mesh);

}  // namespace rankine::meshes
