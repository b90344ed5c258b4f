// Reads named curves from the current model of Gmsh.
#pragma once

#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// The named physical curves with a mesh, for use within a GmshSession. Coordinates are multiplied
/// by `unit`.
std::vector<NamedCurve> named_curves(double unit);

}  // namespace rankine::meshes
