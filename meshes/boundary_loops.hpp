// The rims of an open surface: its edges of one panel only, joined end to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

struct BoundaryLoop {
  /// In order along the rim, in the direction of its first element; a closed rim has each node
  /// once.
  std::vector<std::int32_t> nodes;
  std::size_t edges = 0;
  double length = 0.0;  ///< m
  Vec3d centre;         ///< mean over the length, m
  bool closed = false;  ///< whether it ends where it begins
  bool flat = false;    ///< whether it lies in a plane
};

/// The longest first. Edges in symmetry planes are left out. Corners must be nodes of the mesh,
/// coordinates finite.
std::vector<BoundaryLoop> boundary_loops(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

/// Planes in which open edges lie, with the whole mesh on one side of each.
struct CutPlanes {
  std::vector<std::string> names;  ///< "y = 0" and the like, that of most edges first
  std::size_t edges = 0;           ///< open edges in any of them
};

/// The planes at which half a model, or a body at the waterline, was cut off: a few planes that
/// contain at least two thirds of the open edges. Empty if there are none.
CutPlanes cut_planes(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

}  // namespace rankine::meshes
