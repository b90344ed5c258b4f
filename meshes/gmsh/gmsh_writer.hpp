// The writer behind write_mesh for .msh and .stl.
#pragma once

#include <filesystem>

#include "rankine/meshes/files/mesh_file.hpp"

namespace rankine::meshes {

/// Patch numbers must be indices into patch_names. Throws InputError when it cannot be written.
void write_with_gmsh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                     const WriteOptions& options);

}  // namespace rankine::meshes
