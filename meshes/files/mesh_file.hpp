// Reads and writes mesh files.
//
// Formats. Gmsh reads .msh (2.2 and 4.1, ASCII and binary), .stl and .unv, and meshes .geo and the
// CAD formats .step .stp .brep .iges .igs. VTK reads .vtk .vtp .vtu. Own readers: .obj .ply .off,
// .mesh (Medit), .su2, .gdf (WAMIT), .dat .mar (Nemoh), .pnl (HAMS), .vspgeom (OpenVSP). The
// libraries run in a child process, so that a damaged file cannot crash this one. Only surface
// elements are read. Nodes at exactly the same position are merged; a quadrilateral with two
// adjacent corners at one node becomes a triangle.
#pragma once

#include <filesystem>

#include "rankine/meshes/files/finish_mesh.hpp"
#include "rankine/meshes/formats/own_formats.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Patches are the named physical surfaces (then only their elements are read), else the markers,
/// references, parts or solids of the file, else connected components. Throws MeshError for a
/// missing, empty or unreadable file, an unknown extension, no surface elements, or coordinates
/// that are not finite; InputError for invalid options, a script that is not allowed, or an unknown
/// patch (NoSuchPatch).
SurfaceMesh read_mesh(const std::filesystem::path& path, const ReadOptions& options = {});

struct WriteOptions {
  bool binary = true;
  double msh_version = 4.1;  ///< 4.1 or 2.2
};

/// .msh (physical names), .stl (quadrilaterals as two triangles) or .vtp, by extension. The file is
/// written completely or not at all. Throws InputError if it cannot be written.
void write_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                const WriteOptions& options = {});

}  // namespace rankine::meshes
