// The shape of every panel, and of every two that share an edge. Linear cost.
//
//   warp          the angle between the normals of a quadrilateral's two halves, the larger one of
//                 its two diagonals; a concave one is warped by 180 degrees
//   size jump     the ratio of the sizes (root of the area) of two panels at an edge
//   fold          an edge where the normals turn by more than 120 degrees; a sharp trailing edge
//                 is one, too
//   folded panel  one of a small patch that folds cut out of the surface on all its sides: it lies
//                 turned over on its neighbours. Or a quadrilateral that crosses itself
#pragma once

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct PanelQuality {
  double aspect = 1.0;         ///< longest edge over the mean width across it; 1 for a square
  double largest_angle = 0.0;  ///< between two edges, degrees
  double warp = 0.0;           ///< degrees; 0 for a triangle
  double size_jump = 1.0;      ///< to the neighbour that differs most, at least 1
  double turn = 0.0;           ///< of the normal to the neighbour that differs most, degrees
  bool folded = false;
};

/// Every panel must have an area, every edge two panels that agree on the normal.
AlignedVector<PanelQuality> measure_quality(const SurfaceMesh& mesh, const EdgeTable& edges);

}  // namespace rankine::meshes
