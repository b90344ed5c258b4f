// Checks of an STL file that Gmsh does not make: whether its solids are named, and where a
// coordinate is not finite. Gmsh drops or moves such triangles without a warning.
#pragma once

#include <filesystem>

namespace rankine::meshes {

/// Text, "solid NAME …"; else binary: 80 bytes of any kind, a count, 50 bytes per triangle.
bool is_text_stl(const std::filesystem::path& path);

/// Throws MeshError, with the line or the triangle, where a vertex is not three finite numbers.
void require_finite_stl(const std::filesystem::path& path);

}  // namespace rankine::meshes
