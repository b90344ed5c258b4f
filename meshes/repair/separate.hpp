// Bodies, or parts of one, that touch along edges.
//
// Around an edge of four panels or more, solid and fluid alternate. The panels on both sides of
// each solid wedge stay together, and each pair gets nodes of its own, at the same place. The
// surface is then simple; no fluid passes between the bodies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

/// Separates the bodies at such edges and updates `report`, the result of check_mesh(). Returns a
/// note, or none if nothing has changed. Edges do not change if normals do not alternate around
/// them, if they belong to thin walls, or if their number of panels is odd.
std::optional<std::string> separate(SurfaceMesh& mesh, MeshReport& report,
                                    const Symmetry& symmetry = {});

/// The number of edges that lie at the same place as another edge with other nodes.
std::size_t touching_edges(const SurfaceMesh& mesh);

}  // namespace rankine::meshes
