// From a mesh as a file has it to one in metres, with the repairs and patches asked for.
#pragma once

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

/// Throws InputError for options outside their ranges.
void require_options(const ReadOptions& options);

/// Unites the bodies of a mesh (repair/unite.hpp) and returns a note.
using Union = std::function<std::string(SurfaceMesh&)>;

/// The second half of read_mesh: scales the mesh to metres, merges nodes, makes the repairs asked
/// for and names the patches. `unite` is called after the other repairs; none: no union.
SurfaceMesh finish_mesh(SurfaceMesh mesh, const ReadOptions& options, const Union& unite = {});

}  // namespace rankine::meshes
