// A surface mesh as bytes, for another process on the same machine.
#pragma once

#include <span>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

std::vector<char> to_bytes(const SurfaceMesh& mesh);

/// Whatever the bytes, the corners of the mesh are nodes of it, and its patches, where it has any,
/// are among its names. Throws DamagedBytes where they are not; coordinates may not be finite.
SurfaceMesh surface_mesh_from(std::span<const char> bytes);

}  // namespace rankine::meshes
