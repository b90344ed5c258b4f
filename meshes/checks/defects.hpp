// Messages about an unusable mesh: each defect with its count, position and remedy.
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// One message for each defect that makes a solution impossible: invalid indices and coordinates,
/// degenerate and duplicate panels, open and non-manifold edges, no panels. Edges in symmetry
/// planes count as closed. Empty if the mesh is sound.
std::vector<std::string> defects(const SurfaceMesh& mesh, const MeshReport& report,
                                 const Symmetry& symmetry = {});

/// Throws MeshError with all defects.
void require_sound(const SurfaceMesh& mesh, const MeshReport& report,
                   const Symmetry& symmetry = {});

}  // namespace rankine::meshes
