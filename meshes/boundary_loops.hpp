// The rims of an open surface: its edges of one panel only, joined end to end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct BoundaryLoop {
  std::size_t edges = 0;
  double length = 0.0;  ///< m
  Vec3d centre;         ///< mean over the length, m
  bool closed = false;  ///< does it come back to its beginning?
  bool flat = false;    ///< does it lie in a plane?
};

/// The longest first. Corners must be nodes of the mesh, coordinates finite.
std::vector<BoundaryLoop> boundary_loops(const SurfaceMesh& mesh);

/// A few planes, "y = 0" and the like, in which all open edges lie, with the whole mesh on one side
/// of each: the mark of half a model. Empty where there are other open edges, or none.
std::vector<std::string> cut_planes(const SurfaceMesh& mesh);

}  // namespace rankine::meshes
