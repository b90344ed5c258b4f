// Distinguishes sharp edges of the surface from edges that only result from the approximation of a
// smooth surface by flat panels, as on a sphere. Curved panels smooth the latter.
#pragma once

#include <cstddef>

#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Angles between the normals of neighbouring panels, radians.
struct SharpEdges {
  std::size_t kept = 0;     ///< sharp edges below the default angle
  std::size_t rounded = 0;  ///< edges of 15 degrees or more that are not sharp
  double least_kept = 0.0, most_kept = 0.0, most_rounded = 0.0;

  void join(const SharpEdges& other);
};

/// Sets mesh.sharp_angle to `asked`, radians. If that is 0: to the default, except that edges
/// between patches or faces are sharp if their angle is at least 10 degrees and 1.5 times that of
/// all other edges that are not sharp. The mesh must be sound and oriented.
SharpEdges choose_sharp_angle(SurfaceMesh& mesh, const EdgeTable& edges, double asked);

}  // namespace rankine::meshes
