// Parts of the readers of text formats.
#pragma once

#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/formats/text_file.hpp"

namespace rankine::meshes {

/// A builder whose places are the lines of the file.
MeshBuilder builder_for(const TextFile& file, std::int64_t first_node);

/// What formats without shared nodes or without triangles leave: nodes at one place become one, and
/// quadrilaterals with a corner twice triangles.
SurfaceMesh joined_at_corners(SurfaceMesh mesh);

}  // namespace rankine::meshes
