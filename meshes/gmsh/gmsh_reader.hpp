// The reader behind read_mesh for .msh, .geo, .stl, .unv and CAD formats.
#pragma once

#include <filesystem>

#include "rankine/meshes/files/mesh_file.hpp"

namespace rankine::meshes {

/// Elements in the order of the file; coordinates in metres but unscaled, perhaps not finite;
/// patches only where the file names them. Throws MeshError for what cannot be read.
SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace rankine::meshes
