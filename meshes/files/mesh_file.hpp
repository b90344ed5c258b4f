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
#include <functional>
#include <string>

#include "rankine/meshes/patches.hpp"
#include "rankine/meshes/repair/repair.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct ReadOptions {
  /// File units to metres; STEP and IGES say their unit and are in metres first.
  double scale = 1.0;
  /// Whether a .geo file, which is a script of Gmsh, may be run.
  bool scripts = false;
  // Where a geometry is meshed:
  double size = 0.0;             ///< largest panel edge, m; 0: automatic
  double panel_budget = 20'000;  ///< panels of a CAD file; more where `size` asks for more
  double time_limit = 40.0;      ///< processor seconds
  /// Called some times a second, in the calling thread, with what is being done.
  std::function<void(const std::string&)> progress{};
  Repairs repairs{};  ///< made on the mesh in metres
  /// Applied first if the file names patches, else when the bodies are known.
  PatchChoice patches{};
};

/// Patches are the physical surfaces by name (then only their elements are read), else the markers,
/// references, parts or solids of the file, else connected components. Throws MeshError: missing,
/// empty or unreadable file, unknown extension, no surface elements, coordinates that are not
/// finite; InputError: bad options, a script without leave, an unknown patch (NoSuchPatch).
SurfaceMesh read_mesh(const std::filesystem::path& path, const ReadOptions& options = {});

/// The second half of read_mesh: scales the mesh to metres, merges nodes, makes the repairs asked
/// for and names the patches.
SurfaceMesh finish_mesh(SurfaceMesh mesh, const ReadOptions& options);

/// The extension in lower case, with its dot.
std::string extension_of(const std::filesystem::path& path);

struct WriteOptions {
  bool binary = true;
  double msh_version = 4.1;  ///< 4.1 or 2.2
};

/// .msh (physical names), .stl (quadrilaterals as two triangles) or .vtp, by extension. The file
/// appears whole or not at all. Throws InputError when it cannot be written.
void write_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh,
                const WriteOptions& options = {});

}  // namespace rankine::meshes
