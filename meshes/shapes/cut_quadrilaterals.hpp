// Meshes of triangles alone, for what knows no other panels.
#pragma once

#include <cstddef>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Cuts every quadrilateral in two along its shorter diagonal, the halves one after the other in its place, and
/// forgets the mid-nodes. Returns how many there were.
std::size_t cut_quadrilaterals(SurfaceMesh& mesh);

}  // namespace rankine::meshes
