// The surface mesh of the model that Gmsh holds.
#pragma once

#include "rankine/meshes/files/file_mesh.hpp"

namespace rankine::meshes {

/// What tells the surfaces of a file without physical groups apart.
enum class Names { none, solids, bodies };

/// Within a GmshSession: physical surfaces, and only these, else all. Coordinates are multiplied by `unit`.
FileMesh take_model(Names names, double unit);

}  // namespace rankine::meshes
