// The reader behind read_mesh for .obj (Wavefront): the lines v and f, everything else is passed
// over. A face names its vertices from 1, or backwards from the last one before it: -1, -2, …
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements in the order of the file; coordinates unscaled, perhaps not finite; no patches. Texture
/// and normal numbers of a face (1/2/3) are not looked up, faces of more than four corners are split.
/// Throws MeshError with FILE:LINE for vertices that there are not, faces of fewer than three
/// corners, and no numbers.
SurfaceMesh read_obj(const std::filesystem::path& path);

}  // namespace rankine::meshes
