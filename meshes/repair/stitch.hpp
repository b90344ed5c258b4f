// Joins parts of a surface that meet along a curve with different panels, for instance a hull with
// twelve panels around and a bottom with twenty-four. Each rim gets the nodes of the other, and the
// panels there become triangles with these corners.
//
// Rims run along each other if a node of one is nearer to an edge of the other than a tenth of that
// edge.
#pragma once

#include <cstddef>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct Stitches {
  std::size_t merged = 0;       ///< nodes replaced by one of the other rim
  std::size_t inserted = 0;     ///< corners inserted into edges
  std::size_t open_before = 0;  ///< edges of one panel
  std::size_t open_after = 0;
};

/// Changes nothing if that closes no edge. Corners must be nodes of the mesh, coordinates finite.
Stitches stitch(SurfaceMesh& mesh);

}  // namespace rankine::meshes
