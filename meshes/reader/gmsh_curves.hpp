// Takes named lines from the current model of Gmsh.
#pragma once

#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Within a GmshSession: the physical curves that have a name and were meshed. Coordinates are
/// multiplied by `unit`.
std::vector<NamedCurve> named_curves(double unit);

}  // namespace rankine::meshes
