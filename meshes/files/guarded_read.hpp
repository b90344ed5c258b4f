// A library's reader kept away from this process: files may be damaged in ways that crash it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "rankine/meshes/files/file_mesh.hpp"

namespace rankine::meshes {

/// Calls `read` in a child process and makes a mesh of what it returns, whose indices are right
/// whatever became of the child's memory. Throws MeshError: what `read` throws
/// as such, and where it crashes, does not end, or asks for more memory than a file of that size
/// can need; std::bad_alloc where memory may be short in truth; Stopped as in_child_process does.
SurfaceMesh read_guarded(const std::filesystem::path& path, const std::string& library,
                         const std::function<FileMesh()>& read);

}  // namespace rankine::meshes
