// The readers of read_mesh that need no library. Each returns the elements in file order, unscaled,
// without patches unless stated, and throws MeshError with FILE:LINE (for binary PLY the index of
// the vertex or face). A file is read completely or not at all. Coordinates are finite except for
// .obj. For a file of half a body `SurfaceMesh::half_about` is set.
#pragma once

#include <filesystem>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// .gdf of WAMIT, low order: four corners per panel, no shared nodes.
SurfaceMesh read_gdf(const std::filesystem::path& path);
/// .pnl of HAMS.
SurfaceMesh read_hams(const std::filesystem::path& path);
/// .mesh of Medit, as text: triangles and quadrilaterals of first and second order. References
/// become patches if there are several.
SurfaceMesh read_medit(const std::filesystem::path& path);
/// .dat and .mar of Nemoh: an optional first line, "2 SYMMETRY" or both counts; then nodes and
/// panels, each list ended by a line of zeros.
SurfaceMesh read_nemoh(const std::filesystem::path& path);
/// .obj (Wavefront): lines v and f; others are skipped. Faces number vertices from 1, or backwards
/// from the last vertex read: -1, -2, … Indices of textures and normals (1/2/3) are ignored. Faces
/// with more than four corners are split.
SurfaceMesh read_obj(const std::filesystem::path& path);
/// .off with any of the prefixes ST, C, N, whose columns are skipped.
SurfaceMesh read_off(const std::filesystem::path& path);
/// .ply: faces and triangle strips, as text or as binary of either byte order.
SurfaceMesh read_ply(const std::filesystem::path& path);
/// .su2: the triangles and quadrilaterals of all markers; markers become patches.
SurfaceMesh read_su2(const std::filesystem::path& path);
/// .vspgeom of OpenVSP, versions 1 to 3: parts become patches; wake lines are ignored.
SurfaceMesh read_vspgeom(const std::filesystem::path& path);

}  // namespace rankine::meshes
