// Reads .msh, .geo, .stl, .unv and CAD files and writes .msh and .stl, by Gmsh in rankine-reader.
#pragma once

#include <filesystem>

#include "rankine/meshes/files/mesh_file.hpp"

namespace rankine::meshes {

/// Elements in the order of the file; coordinates in metres but unscaled, perhaps not finite;
/// patches only where the file names them. Throws MeshError for what cannot be read.
SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options);

/// Whether the file holds a geometry and no mesh, by its extension.
bool is_geometry(const std::filesystem::path& path);

/// The same for a geometry, which is meshed: CAD with panels that follow its features, scripts with
/// sizes of their own. Each attempt has a process and a part of options.time_limit; if it fails or
/// does not end, one with Gmsh's own sizes follows. If neither ends, the MeshError says what was
/// tried.
SurfaceMesh read_geometry(const std::filesystem::path& path, const ReadOptions& options);

/// Patch numbers must be indices into patch_names. Throws InputError when it cannot be written.
void write_with_gmsh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                     const WriteOptions& options);

}  // namespace rankine::meshes
