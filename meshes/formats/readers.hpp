// The readers behind read_mesh that need no library. Each gives the elements in the order of the
// file, unscaled, without patches unless it says so, and throws MeshError with FILE:LINE (in binary
// PLY, the number of the vertex or face). A file is read completely or not at all. Coordinates are
// finite, except those of .obj. A file of half a body says so in `SurfaceMesh::half_about`.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// .gdf of WAMIT, low order: four corners for each panel, no shared nodes.
SurfaceMesh read_gdf(const std::filesystem::path& path);
/// .pnl of HAMS.
SurfaceMesh read_hams(const std::filesystem::path& path);
/// .mesh of Medit, as text: triangles and quadrilaterals of first and second order, section by
/// section. References become patches if there are several.
SurfaceMesh read_medit(const std::filesystem::path& path);
/// .dat and .mar of Nemoh: nodes and panels, each list ended by a line of zeros. Before them the
/// line "2 SYMMETRY", both counts, or neither.
SurfaceMesh read_nemoh(const std::filesystem::path& path);
/// .obj (Wavefront): the lines v and f; others are skipped. A face numbers its vertices from 1, or
/// backwards from the last one before it: -1, -2, … Numbers of textures and normals (1/2/3) are
/// ignored. Faces of more than four corners are split.
SurfaceMesh read_obj(const std::filesystem::path& path);
/// .off with any of the prefixes ST, C, N, whose columns are skipped.
SurfaceMesh read_off(const std::filesystem::path& path);
/// .ply: faces and triangle strips, as text or as binary of either byte order.
SurfaceMesh read_ply(const std::filesystem::path& path);
/// .su2: triangles and quadrilaterals marker by marker; the markers become patches.
SurfaceMesh read_su2(const std::filesystem::path& path);
/// .vspgeom of OpenVSP, versions 1 to 3: parts become patches; wake lines are only counted.
SurfaceMesh read_vspgeom(const std::filesystem::path& path);

}  // namespace rankine::meshes
