// Files that Gmsh itself writes, to be read back.
#pragma once

#include <filesystem>

namespace rankine::meshes {

/// A box of 100 x 200 x 300 file units with a corner at the origin, as CAD by extension.
void write_cad_box(const std::filesystem::path& path);

/// The surface mesh of a box of 1 x 2 x 3, of first or second order, by extension.
void write_meshed_box(const std::filesystem::path& path, int order);

/// A plate of 1 m x 2 m in the plane z = 0, in millimetres, as IGES.
void write_iges_plate(const std::filesystem::path& path);

}  // namespace rankine::meshes
