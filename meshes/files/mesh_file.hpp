// Reading and writing mesh files.
//
// Read by Gmsh: .msh (2.2 and 4.1, ASCII and binary), .geo (meshed here), .stl, .unv, and the CAD
// formats .step .stp .brep .iges .igs (meshed here); by VTK: .vtk .vtp .vtu; here: .obj .ply .off,
// .mesh (Medit), .su2, .gdf (WAMIT), .dat .mar (Nemoh), .pnl (HAMS), .vspgeom (OpenVSP).
// The libraries read in a child process, so that a damaged file cannot crash this one.
// Only surface elements are read. Nodes at exactly the same place are merged; a quadrilateral with
// two neighbouring corners in one node becomes a triangle.
#pragma once

#include <filesystem>

#include "rankine/meshes/files/finish_mesh.hpp"
#include "rankine/meshes/formats/own_formats.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Patches are the physical surfaces by name (then only their elements are read), else the markers,
/// references, parts or solids of the file, else connected components. Throws MeshError: missing,
/// empty or unreadable file, unknown extension, no surface elements, coordinates that are not
/// finite; InputError: bad options, a script not allowed, an unknown patch (NoSuchPatch).
SurfaceMesh read_mesh(const std::filesystem::path& path, const ReadOptions& options = {});

struct WriteOptions {
  bool binary = true;
  double msh_version = 4.1;  ///< 4.1 or 2.2
};

/// .msh (physical names), .stl (quadrilaterals as two triangles) or .vtp, by extension. The file
/// appears whole or not at all. Throws InputError when it cannot be written.
void write_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                const WriteOptions& options = {});

}  // namespace rankine::meshes
