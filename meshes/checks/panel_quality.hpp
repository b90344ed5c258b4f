// Measures the shape of every panel and of every pair with a common edge. Linear cost.
//
//   warp          the angle between the normals of the two halves of a quadrilateral, the larger
//                 value of its two diagonals; 180 degrees if it is concave
//   size jump     the ratio of the sizes (square root of the area) of two panels at an edge
//   fold          an edge where the normals turn by more than 120 degrees; sharp trailing edges are
//                 folds too
//   folded panel  a panel of a small part of the surface that is bounded by folds on all sides and
//                 lies folded over its neighbours; or a quadrilateral that crosses itself
#pragma once

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct PanelQuality {
  double aspect = 1.0;         ///< longest edge over the mean width across it; 1 for a square
  double largest_angle = 0.0;  ///< between two edges, degrees
  double warp = 0.0;           ///< degrees; 0 for a triangle
  double size_jump = 1.0;      ///< to the neighbour of most different size, at least 1
  double turn = 0.0;           ///< largest angle between the normal and that of a neighbour,
                               ///< degrees
  bool folded = false;
};

/// Every panel must have positive area, every edge two panels with consistent normals.
AlignedVector<PanelQuality> measure_quality(const SurfaceMesh& mesh, const EdgeTable& edges);

}  // namespace rankine::meshes
