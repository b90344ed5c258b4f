// The readers behind read_mesh for text formats of a few lines each: every one reads the whole file
// or throws MeshError with FILE:LINE. Coordinates are finite and unscaled.
#pragma once

#include <filesystem>
#include <string>

#include "rankine/meshes/mesh_builder.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/text_file.hpp"

namespace rankine::meshes {

/// .off: OFF with any of the prefixes ST, C, N, whose columns are passed over.
SurfaceMesh read_off(const std::filesystem::path& path);

/// .mesh of Medit, ASCII: triangles and quadrilaterals, second-order ones by their corners;
/// references become patches where there are several.
SurfaceMesh read_medit(const std::filesystem::path& path);

/// .su2: the triangles and quadrilaterals of the markers, which become patches.
SurfaceMesh read_su2(const std::filesystem::path& path);

/// .gdf of WAMIT, low order: four corners a panel, nothing shared between them.
SurfaceMesh read_gdf(const std::filesystem::path& path);

/// .dat and .mar of Nemoh: nodes and panels that end with a line of zeros, with or without the line
/// "2 SYMMETRY" in front, or with both counts in front.
SurfaceMesh read_nemoh(const std::filesystem::path& path);

/// .pnl of HAMS.
SurfaceMesh read_hams(const std::filesystem::path& path);

/// .vspgeom of OpenVSP, versions 1 to 3: parts become patches, wake lines are counted only.
SurfaceMesh read_vspgeom(const std::filesystem::path& path);

// For these readers.

/// A builder whose places are the lines of the file.
MeshBuilder builder_for(const TextFile& file, std::int64_t first_node);

/// Warns that the file holds one half or a quarter of a body.
void warn_of_symmetry(MeshBuilder& builder, bool about_x, bool about_y);

/// What formats without shared nodes or without triangles leave: nodes at one place become one, and
/// quadrilaterals with a corner twice triangles.
SurfaceMesh joined_at_corners(SurfaceMesh mesh);

}  // namespace rankine::meshes
