// Recognises the boundary of the bounded fluid domain of a volume-mesh solver: a convex outer
// boundary, and in it a much smaller body, which is a dent or a cavity of the domain. Rankine would
// treat the outer boundary as a body.
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
  double size = 0.0;        ///< diagonal of the bounding box of the outer boundary, m
  double inner_size = 0.0;  ///< diagonal of the bounding box of the inner surfaces, m
  Vec3d inner_centre{};     ///< centre of that box, m
  /// Patches or faces that lie completely on the outer boundary.
  std::vector<std::string> outer{};
};

/// Examines the largest body and the bodies inside it; empty if they are not such a domain. The
/// mesh must be sound and oriented.
std::optional<FlowDomain> find_flow_domain(const SurfaceMesh& mesh, const MeshReport& report);

/// The message: what the mesh appears to be, and which patches to omit.
std::string describe(const SurfaceMesh& mesh, const FlowDomain& domain);

}  // namespace rankine::meshes
