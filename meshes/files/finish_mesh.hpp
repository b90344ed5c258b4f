// Converts a mesh as read to metres and applies repairs and the choice of patches.
#pragma once

#include <functional>
#include <string>

#include "rankine/meshes/patches.hpp"
#include "rankine/meshes/repair/repair.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct ReadOptions {
  /// File units to metres. STEP and IGES files contain their unit and are converted to metres
  /// first.
  double scale = 1.0;
  /// Whether a .geo file (a Gmsh script) may be run.
  bool scripts = false;
  // For geometries that are meshed here:
  double size = 0.0;             ///< largest panel edge, m; 0: automatic
  double panel_budget = 20'000;  ///< panels of a CAD file, unless `size` requires more
  double time_limit = 40.0;      ///< processor seconds
  /// Called several times a second in the calling thread with the present activity.
  std::function<void(const std::string&)> progress{};
  Repairs repairs{};  ///< applied to the mesh in metres
  /// Applied first if the file has patches, else to the patches made from bodies.
  PatchChoice patches{};
};

/// Throws InputError for options out of range.
void require_options(const ReadOptions& options);

/// Computes the union of the bodies of a mesh (repair/unite.hpp); returns a note.
using Union = std::function<std::string(SurfaceMesh&)>;

/// The second part of read_mesh: scales to metres, merges nodes, applies the repairs and names the
/// patches. `unite` is called after the other repairs; empty: no union.
SurfaceMesh finish_mesh(SurfaceMesh mesh, const ReadOptions& options, const Union& unite = {});

}  // namespace rankine::meshes
