// A mesh file that a library reads in another process: files may be damaged in ways that crash it.
#pragma once

#include <filesystem>
#include <string>

#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// The mesh that rankine-reader answers to `request`; its indices are right whatever became of that
/// process's memory. Throws MeshError: what the reader throws as such, and where it crashes, does
/// not end, or asks for more memory than a file of that size can need; std::bad_alloc where memory
/// may be short in truth; Stopped as run_child does.
SurfaceMesh read_guarded(const std::filesystem::path& path, const std::string& library,
                         ByteWriter request);

}  // namespace rankine::meshes
