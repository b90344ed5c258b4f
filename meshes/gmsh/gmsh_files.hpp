// Reads .msh, .geo, .stl, .unv and CAD files and writes .msh and .stl with Gmsh in rankine-reader.
#pragma once

#include <filesystem>

#include "rankine/meshes/files/mesh_file.hpp"

namespace rankine::meshes {

/// Elements in file order; coordinates in metres, unscaled, possibly not finite; patches only if
/// the file has them. Throws MeshError if the file cannot be read.
SurfaceMesh read_with_gmsh(const std::filesystem::path& path, const ReadOptions& options);

/// Whether the extension is that of a geometry (and not a mesh): of CAD, or of a script.
bool is_geometry(const std::filesystem::path& path);
bool is_cad(const std::filesystem::path& path);

/// The same for a geometry, which is meshed: CAD with panel sizes adapted to its features, scripts
/// with the sizes that they set. Each attempt runs in its own process with a part of
/// options.time_limit. If it fails or does not end, an attempt with Gmsh's default sizes follows.
/// If none succeeds, the MeshError lists the attempts.
SurfaceMesh read_geometry(const std::filesystem::path& path, const ReadOptions& options);

/// Values of mesh.patch must be indices into patch_names. Throws InputError if the file cannot be
/// written.
void write_with_gmsh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                     const WriteOptions& options);

}  // namespace rankine::meshes
