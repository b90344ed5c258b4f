// Joins parts of a surface whose meshes do not match along a common curve, for example a hull with
// twelve panels around and a bottom with twenty-four. Each rim gets the nodes of the other, and the
// panels there become triangles with these corners.
//
// Rims run along each other if nodes of one are within a tenth of an edge length of an edge of the
// other.
#pragma once

#include <cstddef>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct Stitches {
  std::size_t merged = 0;       ///< nodes replaced by a node of the other rim
  std::size_t inserted = 0;     ///< corners inserted into edges
  std::size_t open_before = 0;  ///< edges of one panel only
  std::size_t open_after = 0;
};

/// Changes nothing if it would close no edge. Corners must be nodes of the mesh, coordinates
/// finite.
Stitches stitch(SurfaceMesh& mesh);

}  // namespace rankine::meshes
