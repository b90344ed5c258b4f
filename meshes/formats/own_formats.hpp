// The mesh files that are read without a library (formats/readers.hpp), by extension.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// The extension in lower case, with its dot.
std::string extension_of(const std::filesystem::path& path);

/// ".obj", ".ply", ...
std::set<std::string> own_extensions();

/// Throws MeshError for a file that is missing, empty, a folder, or may not be read.
void require_readable(const std::filesystem::path& path);

/// The mesh as the file has it, before finish_mesh(); nothing for another extension. Throws
/// MeshError as the readers do.
std::optional<SurfaceMesh> read_own_format(const std::filesystem::path& path);

}  // namespace rankine::meshes
