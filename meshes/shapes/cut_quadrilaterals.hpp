// Turns a mesh into triangles only, for methods that have no other panels.
#pragma once

#include <cstddef>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Cuts every quadrilateral along its shorter diagonal and removes the mid-nodes. The halves follow
/// each other where the quadrilateral was. Returns the number of quadrilaterals.
std::size_t cut_quadrilaterals(SurfaceMesh& mesh);

}  // namespace rankine::meshes
