// The messages about an unusable mesh: what is wrong, how often and where, what to do.
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// The findings no solution can be had with, symmetry planes closing what ends there, each as one message: broken indices and coordinates,
/// degenerate and duplicate panels, open and non-manifold edges, no panels at all. Empty if sound.
std::vector<std::string> defects(const SurfaceMesh& mesh, const MeshReport& report,
                                 const Symmetry& symmetry = {});

/// Throws MeshError with all defects.
void require_sound(const SurfaceMesh& mesh, const MeshReport& report,
                   const Symmetry& symmetry = {});

}  // namespace rankine::meshes
