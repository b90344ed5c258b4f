// Recognises the boundary of the fluid volume of another solver: a convex outer boundary and, as a
// dent or a cavity in it, something much smaller. Here the outer boundary would count as a body.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct FlowDomain {
  bool is_dent = false;     ///< false: there are only cavities
  double size = 0.0;        ///< diagonal of the outer boundary's box, m
  double inner_size = 0.0;  ///< of the box of the inner surfaces, m
  Vec3d inner_centre{};     ///< of that box, m
  /// Patches or faces of the outer boundary; empty if none consist of it alone.
  std::vector<std::string> outer{};
};

/// Examines the largest body and the bodies inside it. Returns nothing if they are no such domain.
/// The mesh must be sound and oriented.
std::optional<FlowDomain> find_flow_domain(const SurfaceMesh& mesh, const MeshReport& report);

/// A message: what the mesh seems to be, and which patches to leave out.
std::string describe(const SurfaceMesh& mesh, const FlowDomain& domain);

}  // namespace rankine::meshes
