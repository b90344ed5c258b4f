#include "rankine/meshes/gmsh/gmsh_files.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <system_error>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/gmsh/cad_unit.hpp"
#include "rankine/meshes/gmsh/geometry_task.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

bool is_iges(const std::filesystem::path& path) {
  return extension_of(path) == ".iges" || extension_of(path) == ".igs";
}

/// The sizes for messages: "panels of 0.001 .. 0.02 m".
std::string sizes_of(const GeometryProgress& progress) {
  if (progress.largest == 0.0)
    return progress.meshing ? "Gmsh's own sizes" : "the sizes of the file";
  return "panels of " + show_number(progress.least) + " .. " + show_number(progress.largest) + " m";
}

void log_progress(const ReadOptions& options, const std::filesystem::path& path,
                  const GeometryProgress& progress, const Stopwatch& watch, double& last_logged) {
  constexpr double interval = 0.2;
  if (!options.progress || watch.seconds() < last_logged + interval) return;
  last_logged = watch.seconds();
  std::string text = "meshing " + path.filename().string();
  const auto seconds = [](double some) { return ", " + std::to_string(std::lround(some)) + " s"; };
  const int surface = std::min(progress.surface, progress.surfaces);
  if (surface > 0)
    text += ", surface " + std::to_string(surface) + " of " + std::to_string(progress.surfaces);
  text += seconds(last_logged);
  if (surface > 1)
    text += seconds(last_logged * (progress.surfaces - surface + 1) / (surface - 1)) + " left";
  options.progress(text);
}

struct Attempt {
  bool plain, sew;  ///< see GeometryTask
};

/// The attempts: panel sizes from features, then Gmsh's default sizes. Between these, IGES without
/// sewing: it removes edges without length, so that faces with a pole cannot be meshed.
std::vector<Attempt> attempts_for(const std::filesystem::path& path) {
  if (!is_cad(path)) return {{false, false}};
  if (!is_iges(path)) return {{false, false}, {true, false}};
  return {{false, true}, {false, false}, {true, true}};
}

/// `progress`: the last message of the child, also if it does not end.
SurfaceMesh attempt_in_child(const std::filesystem::path& path, const ReadOptions& options,
                             const Attempt& attempt, double seconds, GeometryProgress& progress) {
  const ChildLimits limits{.memory = 0, .seconds = static_cast<std::size_t>(std::ceil(seconds))};
  const PrivateFolder folder;
  const Job job = is_cad(path) ? Job::gmsh_geometry : Job::gmsh_script;
  ByteWriter request = request_for(job, path, folder);
  request.value(GeometryTask{.scale = options.scale,
                             .size = options.size,
                             .panel_budget = options.panel_budget,
                             .plain = attempt.plain,
                             .unite = options.repairs.unite,
                             .sew = attempt.sew});
  const Stopwatch watch;
  double last_logged = 0.0;
  const std::vector<char> bytes =
      ask_reader(std::move(request), limits, [&](std::span<const char> sent) {
        if (sent.size() == sizeof(progress)) progress = ByteReader(sent).value<GeometryProgress>();
        log_progress(options, path, progress, watch, last_logged);
      });
  return surface_mesh_from(bytes);
}

void add_notes(SurfaceMesh& mesh, const std::filesystem::path& path, const Attempt& attempt,
               const GeometryProgress& progress) {
  const std::string extension = extension_of(path), unit = cad_unit(path);
  const bool step = extension == ".step" || extension == ".stp";
  if (step || is_iges(path)) {
    mesh.notes.push_back(std::string(step ? "STEP" : "IGES") + ", " +
                         (unit.empty() ? "its own unit" : unit) + " -> metres" +
                         (step          ? ""
                          : attempt.sew ? "; faces sewn where edges meet within 1e-6 m"
                                        : "; faces not sewn"));
  } else if (extension == ".brep") {
    mesh.notes.emplace_back("BREP, which names no unit: metres, but for mesh.scale");
  }
  if (progress.meshing) mesh.notes.push_back("meshed with " + sizes_of(progress));
}

/// Advice if no attempt succeeded.
std::string advice(const ReadOptions& options, const GeometryProgress& progress) {
  const std::string longer =
      "give it more time: mesh.time_limit = " + show_number(4.0 * options.time_limit);
  if (progress.largest == 0.0) return longer + " (s), or mesh it elsewhere and save a .msh";
  return "set a size of your own, mesh.panel_size = " + show_number(2.0 * progress.largest) +
         " (m) for instance, or " + longer + " (s), or mesh it elsewhere and save a .msh";
}

}  // namespace

bool is_cad(const std::filesystem::path& path) {
  static const std::set<std::string> cad{".step", ".stp", ".iges", ".igs", ".brep"};
  return cad.count(extension_of(path)) > 0;
}

bool is_geometry(const std::filesystem::path& path) {
  return extension_of(path) == ".geo" || is_cad(path);
}

SurfaceMesh read_geometry(const std::filesystem::path& path, const ReadOptions& options) {
  const bool cad = is_cad(path);
  if (!cad && !options.scripts) {
    throw InputError(
        path.string() +
        " is a script of Gmsh, which may read any file and take any time. Give "
        "mesh.scripts = true in the case file (rankine check FILE.geo: --scripts) if you "
        "know where it comes from, or mesh it with Gmsh and name the .msh file");
  }
  const Stopwatch watch;
  std::string tried;
  GeometryProgress sized, progress;
  const double half = 0.5 * options.time_limit;
  bool timed_out = false;
  for (const Attempt& attempt : attempts_for(path)) {
    if (is_iges(path) && !attempt.sew && timed_out) continue;
    const double seconds = !cad            ? options.time_limit
                           : tried.empty() ? half
                                           : std::max(half, options.time_limit - watch.seconds());
    progress = {};
    std::string outcome;
    try {
      SurfaceMesh mesh = attempt_in_child(path, options, attempt, seconds, progress);
      add_notes(mesh, path, attempt, progress);
      if (!tried.empty())
        mesh.warnings.push_back("Gmsh " + tried + "; meshed with " + sizes_of(progress) +
                                " instead");
      return mesh;
    } catch (const MeshError& failure) {
      if (!progress.meshing) throw;
      outcome = failure.what();
    } catch (const ChildTimedOut& late) {
      outcome = late.what();
      timed_out = true;
    } catch (const ChildDied& death) {
      outcome = death.what();
    } catch (const DamagedBytes& damage) {
      outcome = std::string("gave ") + damage.what();
    } catch (const std::system_error& error) {
      throw MeshError("cannot read " + path.string() +
                      ": no process to mesh it in could be started: " + error.what() +
                      "; end other programs, or raise the limits of this account");
    }
    if (tried.empty()) sized = progress;
    tried += (tried.empty() ? "" : "; ") + outcome + " with " + sizes_of(progress) +
             (is_iges(path) && !attempt.sew ? ", faces not sewn" : "");
  }
  throw MeshError("cannot mesh " + path.string() + ": Gmsh " + tried + "; " +
                  advice(options, sized));
}

}  // namespace rankine::meshes
