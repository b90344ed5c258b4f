// Closes holes of a surface: flat rims, and small rims of any shape.
//
// The polygon of the rim is triangulated (formats/polygon.hpp). The target size is that of the
// rim's edges and grows with the distance from the rim; larger triangles are divided at their
// centroids. Edges are flipped if the opposite angles sum to more than pi [L03].
#pragma once

#include <cstddef>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct FilledHoles {
  std::size_t holes = 0, panels = 0;
  double area = 0.0;     ///< m^2
  std::size_t left = 0;  ///< rims not closed: neither flat nor small, self-crossing, or of a sheet
};

/// Closes all possible holes. Panels of hole n have the patch of a panel at its rim, face -n
/// (SurfaceMesh::face), and the orientation of the panels around. Corners must be nodes of the
/// mesh, coordinates finite.
FilledHoles fill_holes(SurfaceMesh& mesh);

}  // namespace rankine::meshes
