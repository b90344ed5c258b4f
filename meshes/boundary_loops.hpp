// The rims of an open surface: chains of edges that belong to one panel only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

struct BoundaryLoop {
  /// In order along the rim, in the direction of its first element; each node of a closed rim once.
  std::vector<std::int32_t> nodes;
  std::size_t edges = 0;
  double length = 0.0;  ///< m
  Vec3d centre;         ///< mean over the arc length, m
  bool closed = false;  ///< whether the rim is a closed loop
  bool flat = false;    ///< whether it lies in a plane
};

/// The rims, the longest first, without edges in symmetry planes. Corners must be nodes of the
/// mesh, coordinates finite.
std::vector<BoundaryLoop> boundary_loops(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

/// A plane normal to an axis.
struct CutPlane {
  int axis = 0;
  double place = 0.0;  ///< coordinate along the axis, m

  bool operator==(const CutPlane&) const = default;
};

/// Planes that contain open edges and have the whole mesh on one side.
struct CutPlanes {
  std::vector<CutPlane> planes;  ///< the one with the most edges first
  std::size_t edges = 0;         ///< open edges in any of them
};

/// The planes where a half model, or a body at the waterline, was cut: a few planes that contain at
/// least two thirds of the open edges. Empty if there are none.
CutPlanes cut_planes(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

}  // namespace rankine::meshes
