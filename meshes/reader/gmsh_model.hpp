// Reads the surface mesh from the current model of Gmsh.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankine/meshes/files/file_mesh.hpp"
#include "rankine/meshes/gmsh/panel_sizes.hpp"

namespace rankine::meshes {

constexpr int surface_dimension = 2;  ///< of Gmsh's entities

// Panel sizes required by the features of a CAD geometry, sampled without a mesh: curvature of
// surfaces and curves, and curves shorter than a panel.

struct Features {
  std::vector<SizeSample> samples;
  double area = 0.0;  ///< of all surfaces, m^2
  int surfaces = 0;
};

/// Samples the current model, for use within a GmshSession. `unit`: length of the model's unit, m.
Features sample_features(double unit);

// A session of the Gmsh library: starts it without output, collects its messages, converts its
// failures to one exception type, and closes it.

/// The error message of Gmsh.
struct GmshFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class GmshSession {
 public:
  /// `home`: the home folder for configuration files of Gmsh and FLTK.
  explicit GmshSession(const std::string& home);
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  /// Calls `work`. Errors of Gmsh, thrown as std::string or std::exception, become GmshFailure;
  /// lack of memory (std::bad_alloc, std::length_error) is rethrown unchanged.
  void run(const std::function<void()>& work);

  /// Adds the first warnings of Gmsh to `list`, up to five in total.
  void add_warnings(std::vector<std::string>& list) const;
};

/// The source of patch names in a file without physical groups.
enum class Names { none, solids, bodies };

/// The mesh of the current model, for use within a GmshSession: the physical surfaces if there are
/// any, else all surfaces. Coordinates are multiplied by `unit`. Elements also have the numbers of
/// their faces if there are several faces, no physical surfaces, and `names` is not `solids`.
FileMesh take_model(Names names, double unit);

}  // namespace rankine::meshes
