// Recognises the mesh of a flow solver's domain, which a solver for boundaries would take for a body
// of its size: a convex outer boundary and within it, as a dent or a cavity, something much smaller.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct FlowDomain {
  bool is_dent = false;     ///< or else cavities alone
  double size = 0.0;        ///< diagonal of the outer boundary's box, m
  double inner_size = 0.0;  ///< the same of what is within, m
  Vec3d inner_centre{};     ///< of that box, m
  /// Patches or faces of the outer boundary; empty if none consist of it alone.
  std::vector<std::string> outer{};
};

/// Of the largest body with those inside it; nothing if it is no such domain. The mesh must be
/// sound and oriented.
std::optional<FlowDomain> find_flow_domain(const SurfaceMesh& mesh, const MeshReport& report);

/// What it is taken for, and what to exclude.
std::string describe(const SurfaceMesh& mesh, const FlowDomain& domain);

}  // namespace rankine::meshes
