// A library's reader kept away from this process: files may be damaged in ways that crash it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "rankine/meshes/file_mesh.hpp"

namespace rankine::meshes {

/// What a file may cost to read.
enum class ReadCost {
  by_size,  ///< bounded by its size, as for a mesh: what needs more says so falsely
  open,     ///< a geometry, which may become any number of panels
};

/// Calls `read` in a child process and makes a mesh of what it returns, whose indices are right
/// whatever became of the child's memory. Throws MeshError: what `read` throws
/// as such, and where it crashes, does not end, or asks for more memory than a file of that size
/// can need; std::bad_alloc where memory may be short in truth; Stopped as in_child_process does.
SurfaceMesh read_guarded(const std::filesystem::path& path, const std::string& library,
                         ReadCost cost, const std::function<FileMesh()>& read);

}  // namespace rankine::meshes
