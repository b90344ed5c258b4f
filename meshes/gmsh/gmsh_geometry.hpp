// Geometries meshed by Gmsh: CAD with panels that follow its features, scripts with sizes of their own.
#pragma once

#include <filesystem>

#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Whether the file holds a geometry and no mesh, by its extension.
bool is_geometry(const std::filesystem::path& path);

/// The surface of the geometry, in metres before options.scale. Each attempt has a process and a part of
/// options.time_limit of its own; one that does not end or fails is followed by a coarser one. Throws
/// MeshError: what cannot be read, and where no attempt comes to an end, with what was tried.
SurfaceMesh read_geometry(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace rankine::meshes
