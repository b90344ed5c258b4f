// The reader behind read_mesh for .vtk, .vtp and .vtu.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements in the order of the file; coordinates unscaled, perhaps not finite; patches only where
/// the file names them; polygons and strips are split. Throws MeshError for what cannot be read.
SurfaceMesh read_with_vtk(const std::filesystem::path& path);

}  // namespace rankine::meshes
