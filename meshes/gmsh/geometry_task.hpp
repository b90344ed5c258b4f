// A request to rankine-reader to mesh a geometry, and its progress messages.
#pragma once

namespace rankine::meshes {

/// Options of meshing (see ReadOptions); they follow the file in a request.
struct GeometryTask {
  double scale, size, panel_budget;
  bool plain;  ///< use Gmsh's default panel sizes, with `size` as upper limit
  bool unite;  ///< first unite the solids
  bool sew;    ///< sew IGES faces along common edges
};

struct GeometryProgress {
  bool meshing = false;           ///< the file has been read
  int surface = 0, surfaces = 0;  ///< index of the surface being meshed; number of surfaces
  double least = 0, largest = 0;  ///< panel edges, m; 0 if not known yet
};

}  // namespace rankine::meshes
