// A request to rankine-reader to mesh a geometry, and its reports of progress.
#pragma once

namespace rankine::meshes {

/// See ReadOptions; follows the file in a request.
struct GeometryTask {
  double scale, size, panel_budget;
  bool plain;  ///< panels of Gmsh's own sizes; `size` is their upper limit
  bool unite;  ///< the solids first become one
  bool sew;    ///< faces of IGES, where their edges meet
};

struct GeometryProgress {
  bool meshing = false;           ///< the file was read
  int surface = 0, surfaces = 0;  ///< the one that is being meshed; how many there are
  double least = 0, largest = 0;  ///< edges of panels, m; 0 while they are not known
};

}  // namespace rankine::meshes
