// The reader behind read_mesh for .pnl of HAMS.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements in the order of the file, no patches; half models are told in the warnings. Coordinates
/// are finite and unscaled. Throws MeshError with FILE:LINE; a file is taken whole or not at all.
SurfaceMesh read_hams(const std::filesystem::path& path);

}  // namespace rankine::meshes
