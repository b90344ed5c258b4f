// Finds which edges of a mesh are edges of the surface, and which exist only because panels
// approximate a smooth surface, as on a sphere. Curved panels make the latter smooth.
#pragma once

#include <cstddef>

#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Angles between the normals of neighbouring panels, radians.
struct SharpEdges {
  std::size_t kept = 0;     ///< edges below the default angle that are sharp
  std::size_t rounded = 0;  ///< edges of 15 degrees or more that are not
  double least_kept = 0.0, most_kept = 0.0, most_rounded = 0.0;
};

/// Sets mesh.sharp_angle to `asked`, radians. If that is 0: the default, but edges between patches
/// or faces are sharp if their angle is at least 10 degrees and 1.5 times that of every other edge
/// that is not sharp. The mesh must be sound and oriented.
SharpEdges choose_sharp_angle(SurfaceMesh& mesh, const EdgeTable& edges, double asked);

}  // namespace rankine::meshes
