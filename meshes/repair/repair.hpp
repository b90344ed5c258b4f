// Repairs that change a mesh, made where they are asked for, in this order:
//
//   merge        nodes within a tolerance of another become that one; panels that this leaves with
//                fewer than three corners go
//   degenerate   panels without area go: the ends of a short edge become one node, a corner that
//                lies on the opposite edge becomes a corner of the panel on its other side, too
//   duplicates   of panels with the same corners, the first stays
//   stitch       rims that run along each other take over each other's nodes (meshes/repair/stitch.hpp)
//   orient       neighbours agree on the normal; closed bodies get theirs out of the body
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct Repairs {
  bool merge = false, degenerate = false, duplicates = false, stitch = false, orient = false;
  double merge_tolerance = 0.0;  ///< m; 0: a millionth of the diagonal of the mesh's box

  bool any() const { return merge || degenerate || duplicates || stitch || orient; }
};

/// What was done, one note for every repair asked for, also where it found nothing; the same notes
/// go to SurfaceMesh::warnings. Corners must be nodes of the mesh, coordinates finite. Throws
/// MeshError where nothing is left of the mesh.
std::vector<std::string> repair(SurfaceMesh& mesh, const Repairs& repairs);

}  // namespace rankine::meshes
