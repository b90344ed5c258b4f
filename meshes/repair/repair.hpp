// Optional repairs of a mesh, applied in this order:
//
//   union        solids of a CAD file become one before it is meshed (gmsh/); the closed bodies of
//                a mesh after all other repairs (unite.hpp), by read_mesh()
//   merge        nodes within a tolerance of another are merged with it; panels with fewer than
//                three corners left are removed
//   degenerate   panels without area are removed: ends of a short edge become one node; a corner
//                on the opposite edge also becomes a corner of the panel on the other side
//   duplicates   of panels with the same corners, the first is kept; once more after "stitch"
//   stitch       rims that run along each other get each other's nodes (stitch.hpp)
//   fill         holes with flat or small rims are closed (fill.hpp)
//   orient       neighbours agree on the normal; normals of closed bodies point outwards
//   wrap         one closed surface around all panels replaces them (remesh.hpp)
//   remesh       well-shaped triangles of one size replace all panels (remesh.hpp)
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct Repairs {
  bool unite = false;   ///< "union"
  bool wrap = false, remesh = false;
  bool merge = false, degenerate = false, duplicates = false, stitch = false, fill = false,
       orient = false;
  double merge_tolerance = 0.0;  ///< m; 0: 1e-6 of the diagonal of the bounding box

  bool any() const { return merge || degenerate || duplicates || stitch || fill || orient; }
};

/// Returns one note per repair, even if it changed nothing, and adds the notes to
/// SurfaceMesh::warnings. Corners must be nodes of the mesh, coordinates finite. Throws MeshError
/// if no panel remains.
std::vector<std::string> repair(SurfaceMesh& mesh, const Repairs& repairs);

}  // namespace rankine::meshes
