#include "rankine/meshes/gmsh/gmsh_geometry.hpp"

#include <gmsh.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <system_error>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/gmsh/cad_unit.hpp"
#include "rankine/meshes/files/child_process.hpp"
#include "rankine/meshes/gmsh/gmsh_features.hpp"
#include "rankine/meshes/gmsh/gmsh_model.hpp"
#include "rankine/meshes/gmsh/gmsh_session.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/shared_record.hpp"

namespace rankine::meshes {
namespace {

/// Of Mesh.Algorithm.
enum class Mesher { delaunay = 5, frontal = 6 };

/// A way to mesh a CAD file; the next is taken where one does not come to an end.
struct Attempt {
  double coarser;  ///< features get panels so many times as large
  Mesher mesher;
  double share;  ///< of the time limit
};

constexpr std::array<Attempt, 3> attempts{
    {{1.0, Mesher::frontal, 0.5},
     {4.0, Mesher::delaunay, 0.25},
     {std::numeric_limits<double>::infinity(), Mesher::frontal, 0.25}}};

/// What a child has come to, as its parent sees it.
struct Progress {
  std::atomic<bool> meshing{false};  ///< the file was read
  std::atomic<int> surface{0}, surfaces{0};
  std::atomic<double> least{0.0}, largest{0.0};  ///< edges of panels, m; 0 while they are not known
};

bool is_cad(const std::string& extension) {
  static const std::set<std::string> cad{".step", ".stp", ".iges", ".igs", ".brep"};
  return cad.count(extension) > 0;
}

bool has_elements(int surface) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, 2, surface);
  return !types.empty();
}

/// STEP and IGES files know their unit, which the CAD kernel turns into the one asked for; of IGES it makes
/// millimetres, and refuses other units as long as the process has read no CAD file (then nothing more can
/// be opened, either). Returns the length of the model's unit, m.
double open_cad(const std::filesystem::path& path) {
  constexpr double millimetre = 1e-3;
  const std::string extension = extension_of(path);
  const bool step = extension == ".step" || extension == ".stp";
  if (step) gmsh::option::setString("Geometry.OCCTargetUnit", "M");
  gmsh::open(std::filesystem::absolute(path).string());
  return step || extension == ".brep" ? 1.0 : millimetre;
}

PanelSizes sizes_for(const Features& features, const ReadOptions& options) {
  const double automatic = PanelSizes::edge_for(features.area, 0.5 * options.panel_budget);
  const double largest = options.size > 0.0 ? options.size : automatic;
  const double plain = features.area / (PanelSizes::triangle_area * largest * largest);
  return {features.samples, largest, std::max(options.panel_budget, 2.0 * plain)};
}

/// Sizes come from `sizes` alone. `unit`: of the model, m.
void generate(const PanelSizes& sizes, Mesher mesher, double unit, Progress& progress) {
  for (const std::string source : {"ExtendFromBoundary", "FromPoints", "FromCurvature"})
    gmsh::option::setNumber("Mesh.CharacteristicLength" + source, 0);
  gmsh::option::setNumber("Mesh.Algorithm", static_cast<double>(mesher));
  int last = 0;
  gmsh::model::mesh::setSizeCallback([&](int dimension, int tag, double x, double y, double z) {
    if (dimension == 2 && tag != last) {
      last = tag;
      ++progress.surface;
    }
    return sizes.at({unit * x, unit * y, unit * z}) / unit;
  });
  gmsh::model::mesh::generate(2);
  gmsh::model::mesh::removeSizeCallback();
}

void require_all_surfaces() {
  gmsh::vectorpair surfaces;
  gmsh::model::getEntities(surfaces, 2);
  for (const auto& [dimension, tag] : surfaces) {
    if (!has_elements(tag)) throw MeshError("surface " + std::to_string(tag) + " got no panels");
  }
}

/// Within a session: the CAD file meshed.
FileMesh mesh_cad(const std::filesystem::path& path, const ReadOptions& options,
                  const Attempt& attempt, Progress& progress) {
  const double unit = open_cad(path);
  const Features features = sample_features(unit * options.scale);
  if (features.surfaces == 0) return {};
  PanelSizes sizes = sizes_for(features, options);
  sizes.raise_least(attempt.coarser);
  progress.surfaces = features.surfaces;
  progress.largest = sizes.largest();
  progress.least = sizes.least();
  progress.meshing = true;
  generate(sizes, attempt.mesher, unit * options.scale, progress);
  require_all_surfaces();
  return take_model(Names::bodies, unit);
}

/// Within a session: the script run, and meshed where it does not do so itself.
FileMesh mesh_script(const std::filesystem::path& path, const ReadOptions& options) {
  gmsh::open(std::filesystem::absolute(path).string());
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, 2);
  if (options.size > 0.0)
    gmsh::option::setNumber("Mesh.CharacteristicLengthMax", options.size / options.scale);
  if (types.empty()) gmsh::model::mesh::generate(2);
  return take_model(Names::none, 1.0);
}

FileMesh mesh_in_session(const std::filesystem::path& path, const ReadOptions& options,
                         const Attempt& attempt, Progress& progress) {
  GmshSession session;
  FileMesh mesh;
  try {
    session.run([&] {
      mesh = is_cad(extension_of(path)) ? mesh_cad(path, options, attempt, progress)
                                        : mesh_script(path, options);
    });
  } catch (const GmshFailure& failure) {
    if (progress.meshing) throw MeshError(std::string("failed (") + failure.what() + ")");
    throw MeshError("cannot read " + path.string() + ": " + failure.what() +
                    "; repair the file or export it again");
  }
  session.add_warnings(mesh.warnings);
  return mesh;
}

/// "panels of 0.001 .. 0.02 m"
std::string sizes_of(const Progress& progress) {
  if (progress.least == 0.0) return "the sizes of the file";
  return "panels of " + show_number(progress.least) + " .. " + show_number(progress.largest) + " m";
}

void tell(const ReadOptions& options, const std::filesystem::path& path, const Progress& progress,
          const Stopwatch& watch, double& told) {
  constexpr double interval = 0.2;
  if (!options.progress || watch.seconds() < told + interval) return;
  told = watch.seconds();
  std::string text = "meshing " + path.filename().string();
  if (progress.surface > 0)
    text += ", surface " + std::to_string(std::min<int>(progress.surface, progress.surfaces)) +
            " of " + std::to_string(progress.surfaces);
  options.progress(text + ", " + std::to_string(static_cast<int>(told)) + " s");
}

SurfaceMesh attempt_in_child(const std::filesystem::path& path, const ReadOptions& options,
                             const Attempt& attempt, Progress& progress) {
  const ChildLimits limits{
      .memory = 0,
      .seconds = static_cast<std::size_t>(std::ceil(attempt.share * options.time_limit))};
  const Stopwatch watch;
  double told = 0.0;
  const std::vector<char> bytes = in_child_process(
      [&] {
        return to_bytes(to_surface_mesh(mesh_in_session(path, options, attempt, progress), path));
      },
      limits, [&] { tell(options, path, progress, watch, told); });
  return surface_mesh_from(bytes);
}

void add_notes(SurfaceMesh& mesh, const std::filesystem::path& path, const Progress& progress) {
  const std::string extension = extension_of(path), unit = cad_unit(path);
  if (extension == ".step" || extension == ".stp" || extension == ".iges" || extension == ".igs") {
    mesh.notes.push_back(std::string(extension.starts_with(".st") ? "STEP" : "IGES") + ", " +
                         (unit.empty() ? "its own unit" : unit) + " -> metres");
  } else if (extension == ".brep") {
    mesh.notes.push_back("BREP, which names no unit: metres, but for mesh.scale");
  }
  if (progress.least > 0.0) mesh.notes.push_back("meshed with " + sizes_of(progress));
}

/// What to do where nothing came to an end.
std::string advice(const ReadOptions& options, const Progress& progress) {
  const std::string longer =
      "give it more time: mesh.time_limit = " + show_number(4.0 * options.time_limit);
  if (progress.least == 0.0) return longer + " (s), or mesh it elsewhere and save a .msh";
  return "set a size of your own, mesh.panel_size = " + show_number(2.0 * progress.largest) +
         " (m) for instance, or " + longer + " (s), or mesh it elsewhere and save a .msh";
}

}  // namespace

bool is_geometry(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  return extension == ".geo" || is_cad(extension);
}

SurfaceMesh read_geometry(const std::filesystem::path& path, const ReadOptions& options) {
  const Attempt script{1.0, Mesher::frontal, 1.0};
  const bool cad = is_cad(extension_of(path));
  std::string tried;
  const SharedRecord<Progress> record;
  for (std::size_t k = 0; k < (cad ? attempts.size() : 1); ++k) {
    Progress& progress = record.reset();
    std::string outcome;
    try {
      SurfaceMesh mesh = attempt_in_child(path, options, cad ? attempts[k] : script, progress);
      add_notes(mesh, path, progress);
      if (!tried.empty())
        mesh.warnings.push_back("Gmsh " + tried + "; meshed with " + sizes_of(progress) +
                                " in their place");
      return mesh;
    } catch (const MeshError& failure) {
      if (!progress.meshing) throw;
      outcome = failure.what();
    } catch (const ChildDied& death) {
      outcome = death.what();
    } catch (const DamagedBytes& damage) {
      outcome = std::string("gave ") + damage.what();
    } catch (const std::system_error& error) {
      throw MeshError("cannot read " + path.string() +
                      ": no process to mesh it in could be started: " + error.what() +
                      "; end other programs, or raise the limits of this account");
    }
    tried += (tried.empty() ? "" : "; ") + outcome + " with " + sizes_of(progress);
  }
  throw MeshError("cannot mesh " + path.string() + ": Gmsh " + tried + "; " +
                  advice(options, *record));
}

}  // namespace rankine::meshes
