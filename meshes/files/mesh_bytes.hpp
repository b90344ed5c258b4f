// Serialises a surface mesh to bytes, for another process on the same machine.
#pragma once

#include <span>
#include <vector>

#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

void put(ByteWriter& bytes, const SurfaceMesh& mesh);
std::vector<char> to_bytes(const SurfaceMesh& mesh);

/// The mesh from bytes. Indices of nodes and patches are checked; throws DamagedBytes if they are
/// invalid. Coordinates may be infinite or NaN.
SurfaceMesh surface_mesh_from(std::span<const char> bytes);
/// The same from the rest of `bytes`.
SurfaceMesh take_surface_mesh(ByteReader& bytes);

}  // namespace rankine::meshes
