// The reader behind read_mesh for .off: OFF with any of the prefixes ST, C, N, whose columns are passed
// over.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements in the order of the file, no patches. Coordinates are finite and unscaled. Throws
/// MeshError with FILE:LINE; a file is taken whole or not at all.
SurfaceMesh read_off(const std::filesystem::path& path);

}  // namespace rankine::meshes
