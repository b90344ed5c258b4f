// Selects the reader of formats that need no library (formats/readers.hpp) by extension.
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

/// The mesh as read, before finish_mesh(); empty for another extension. Throws MeshError as the
/// readers do.
std::optional<SurfaceMesh> read_own_format(const std::filesystem::path& path);

}  // namespace rankine::meshes
