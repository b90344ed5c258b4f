// Takes the surface mesh from the current model of Gmsh.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankine/meshes/files/file_mesh.hpp"
#include "rankine/meshes/gmsh/panel_sizes.hpp"

namespace rankine::meshes {

// Sizes that the features of a CAD geometry need, sampled without a mesh: curvature of surfaces and
// curves, and curves that are shorter than a panel.

struct Features {
  std::vector<SizeSample> samples;
  double area = 0.0;  ///< of all surfaces, m^2
  int surfaces = 0;
};

/// Of the current model of Gmsh, within a GmshSession. `unit`: the length of the model's unit, m.
Features sample_features(double unit);

// One use of the Gmsh library: it is started without output, its messages are collected, its
// failures become one exception, and it is closed again.

/// What Gmsh said when it failed.
struct GmshFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class GmshSession {
 public:
  /// `home`: the folder in which Gmsh and FLTK may look for files of the user and keep their own.
  explicit GmshSession(const std::string& home);
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  /// Calls `work`; Gmsh reports errors as std::string and as std::exception, here as GmshFailure;
  /// lack of memory (std::bad_alloc, std::length_error) passes as it is.
  void run(const std::function<void()>& work);

  /// Puts the first of its warnings into a list that may hold five.
  void add_warnings(std::vector<std::string>& list) const;
};

/// What tells the surfaces of a file without physical groups apart.
enum class Names { none, solids, bodies };

/// Within a GmshSession. If the model has physical surfaces, only these; otherwise all surfaces.
/// Coordinates are multiplied by `unit`. Without physical surfaces and solids, elements keep the
/// numbers of their faces, if there are several.
FileMesh take_model(Names names, double unit);

}  // namespace rankine::meshes
