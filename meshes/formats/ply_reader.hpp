// The reader behind read_mesh for .ply: faces and triangle strips, as text or binary of either byte
// order, coordinates in the precision of the file.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements in the order of the file; coordinates finite and unscaled; no patches. Throws MeshError
/// with FILE:LINE, in a binary file with the number of the face or vertex.
SurfaceMesh read_ply(const std::filesystem::path& path);

}  // namespace rankine::meshes
