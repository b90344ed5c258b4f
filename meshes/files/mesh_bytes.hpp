// A surface mesh as bytes, for another process on the same machine.
#pragma once

#include <span>
#include <vector>

#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

void put(ByteWriter& bytes, const SurfaceMesh& mesh);
std::vector<char> to_bytes(const SurfaceMesh& mesh);

/// Whatever the bytes, the corners of the mesh are nodes of it, and its patches, where it has any,
/// are among its names. Throws DamagedBytes where they are not; coordinates may not be finite.
SurfaceMesh surface_mesh_from(std::span<const char> bytes);
/// The same of the rest of `bytes`.
SurfaceMesh take_surface_mesh(ByteReader& bytes);

}  // namespace rankine::meshes
