// Reads a mesh file with a library in another process, because damaged files can crash the library.
#pragma once

#include <filesystem>
#include <string>

#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// The answer of rankine-reader to `request`, with indices checked here. Throws MeshError if the
/// reader does, if it crashes or does not end, or if it requests more memory than a file of that
/// size can need; std::bad_alloc if memory is really short; Stopped as run_child.
SurfaceMesh read_guarded(const std::filesystem::path& path, const std::string& library,
                         ByteWriter request);

}  // namespace rankine::meshes
