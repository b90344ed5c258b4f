// The reader behind read_mesh for .mesh of Medit, as text: triangles and quadrilaterals, of second
// order, too; references become patches where there are several.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Elements section by section. Coordinates are finite and unscaled. Throws MeshError with
/// FILE:LINE; a file is taken whole or not at all.
SurfaceMesh read_medit(const std::filesystem::path& path);

}  // namespace rankine::meshes
