// The reader behind read_mesh for .su2: the triangles and quadrilaterals of the markers, which become
// patches.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements marker by marker. Coordinates are finite and unscaled. Throws MeshError with FILE:LINE;
/// a file is taken whole or not at all.
SurfaceMesh read_su2(const std::filesystem::path& path);

}  // namespace rankine::meshes
