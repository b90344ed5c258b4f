// Takes the surface mesh from the current model of Gmsh.
#pragma once

#include "rankine/meshes/files/file_mesh.hpp"

namespace rankine::meshes {

/// What tells the surfaces of a file without physical groups apart.
enum class Names { none, solids, bodies };

/// Within a GmshSession. If the model has physical surfaces, only these; otherwise all surfaces.
/// Coordinates are multiplied by `unit`. Without physical surfaces and solids, elements keep the
/// numbers of their faces, if there are several.
FileMesh take_model(Names names, double unit);

}  // namespace rankine::meshes
