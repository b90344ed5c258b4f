// The two readers behind read_mesh: each gives elements in the order of the file, coordinates in
// metres but unscaled and perhaps not finite, patches only where the file names them. What cannot
// be read is a MeshError.
#pragma once

#include <filesystem>

#include "rankine/meshes/mesh_file.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options);
SurfaceMesh read_with_vtk(const std::filesystem::path& path);

/// The extension in lower case, with its dot.
std::string extension_of(const std::filesystem::path& path);

}  // namespace rankine::meshes
