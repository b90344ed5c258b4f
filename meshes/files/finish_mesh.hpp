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
  // For geometries that are meshed here, and the repair "remesh":
  double size = 0.0;             ///< largest panel edge, or that of "remesh", m; 0: automatic
  double panel_budget = 20'000;  ///< panels of a CAD file, unless `size` requires more
  double time_limit = 40.0;      ///< processor seconds
  /// Called several times a second in the calling thread with the present activity.
  std::function<void(const std::string&)> progress{};
  Repairs repairs{};         ///< applied to the mesh in metres
  double sharp_angle = 0.0;  ///< of edges that "remesh" keeps, radians; 0: automatic
  /// Applied first if the file has patches, else to the patches made from bodies.
  PatchChoice patches{};
};

/// Throws InputError for options out of range.
void require_options(const ReadOptions& options);

/// Repairs by rankine-reader (repair/unite.hpp, repair/remesh.hpp), in this order. They return
/// notes, which may be empty. Empty functions: no such repair.
struct ReaderRepairs {
  std::function<std::string(SurfaceMesh&)> unite{}, wrap{}, remesh{};
  bool join = false;  ///< first join faces along rims (repair/stitch.hpp): those of CAD files
};

/// The second part of read_mesh: scales to metres, merges nodes, applies the repairs and names the
/// patches. Bodies are united after the other repairs, and wrapped and meshed again when patches
/// have names.
SurfaceMesh finish_mesh(SurfaceMesh mesh, const ReadOptions& options,
                        const ReaderRepairs& reader = {});

}  // namespace rankine::meshes
