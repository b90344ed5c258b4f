// The reader behind read_mesh for .vspgeom of OpenVSP, versions 1 to 3: parts become patches, wake
// lines are counted only.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements in the order of the file. Coordinates are finite and unscaled. Throws MeshError with
/// FILE:LINE; a file is taken whole or not at all.
SurfaceMesh read_vspgeom(const std::filesystem::path& path);

}  // namespace rankine::meshes
