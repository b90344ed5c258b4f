// What rankine-reader is asked about a geometry, and what it says while it works.
#pragma once

namespace rankine::meshes {

/// Values of Gmsh's option Mesh.Algorithm.
enum class Mesher : int { delaunay = 5, frontal = 6 };

/// See ReadOptions; follows the file in a request.
struct GeometryTask {
  double scale, size, panel_budget;
  double coarser;  ///< the panels of features are so many times as large
  Mesher mesher;
};

struct GeometryProgress {
  bool meshing = false;           ///< the file was read
  int surface = 0, surfaces = 0;  ///< the one that is being meshed; how many there are
  double least = 0, largest = 0;  ///< edges of panels, m; 0 while they are not known
};

}  // namespace rankine::meshes
