// rankine check: checks a case or a mesh and estimates its solve, without solving it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/exit_code.hpp"
#include "cases/input/case.hpp"
#include "cases/lift/controls.hpp"
#include "cases/lift/named_edges.hpp"
#include "cases/lift/wakes.hpp"
#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/output/summary.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/fit.hpp"
#include "cases/solve/added_mass_files.hpp"
#include "cases/solve/conditions.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/solve/mesh_report.hpp"
#include "cases/solve/probes.hpp"
#include "cases/solve/report.hpp"
#include "cases/solve/result_files.hpp"
#include "cases/solve/set_up.hpp"
#include "cases/solve/surface.hpp"
#include "cases/verbs/given_case.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/repair/separate.hpp"

namespace rankine::cases {
namespace {

/// The case; for a mesh file alone a case with every default.
Case case_of(const CheckArguments& arguments) {
  if (arguments.file.is_case()) return given_case(arguments);
  Case flow_case;
  flow_case.path = flow_case.mesh.file = arguments.file;
  flow_case.mesh.scale = arguments.scale;
  flow_case.mesh.scripts = arguments.scripts;
  if (arguments.backend) flow_case.solver.backend = *arguments.backend;
  apply(arguments.repair, flow_case.mesh);
  return flow_case;
}

/// Forecast needs of a solve, and the resources available.
struct Needs {
  SolveSize size;
  Memory memory;
  FreeMemory available;
  Estimate time;
};

Json describe(const Needs& needs, const bem::Backend& backend) {
  const bool device = backend.memory_space() == bem::MemorySpace::device;
  Json json{{"backend", backend.name()},
            {"threads", thread_count()},
            {"near_entries", needs.size.near_entries},
            {"bytes", device ? needs.memory.device : needs.memory.host},
            {"available_bytes", device ? needs.available.device : needs.available.host},
            {"host_bytes", needs.memory.host},
            {"available_host_bytes", needs.available.host},
            {"matvec", needs.time.matvec},
            {"iterations", needs.time.iterations},
            {"seconds", needs.time.seconds}};
  return json;
}

std::string sentence(const Needs& needs, const bem::Backend& backend, double points) {
  const std::string on_host = fmt::format("{} of memory ({} free)", show_bytes(needs.memory.host),
                                          show_bytes(needs.available.host));
  const std::string memory =
      backend.memory_space() == bem::MemorySpace::host
          ? on_host
          : fmt::format("{} of device memory ({} free) and {}", show_bytes(needs.memory.device),
                        show_bytes(needs.available.device), on_host);
  return fmt::format("estimate on {}: {}, {} a product, about {} for {} iterations{}",
                     backend.device(), memory, show_seconds(needs.time.matvec),
                     show_seconds(needs.time.seconds), needs.time.iterations,
                     points == 0.0 ? "" : fmt::format(" and {} probe points", show_count(points)));
}

/// Writes check.vtp if --output is given and there are findings.
void write_marks(const LoadedMesh& loaded, const CheckArguments& arguments,
                 const EdgeMarks& edges = {}) {
  const bool shows =
      !loaded.inspection.flaws.empty() || !loaded.mesh.face.empty() || !edges.lines.empty();
  if (!shows || !arguments.output || arguments.dry_run) return;
  const MadeFolders folder(*arguments.output);
  const std::filesystem::path path = *arguments.output / "check.vtp";
  std::error_code none;
  if (std::filesystem::equivalent(path, loaded.mesh.source, none)) {
    throw InputError(fmt::format(
        "{}: is the mesh that is checked, and would be replaced; choose another --output DIR",
        path.string()));
  }
  write_flaws(path, loaded.mesh, loaded.inspection, metadata(loaded.mesh.source), edges);
  if (arguments.quiet || arguments.json) return;
  if (!edges.lines.empty()) print(fmt::format("\nthe edges are shown in {}\n", path.string()));
  if (!loaded.inspection.flaws.empty() || !loaded.mesh.face.empty())
    print(loaded.inspection.flaws.empty()
              ? fmt::format("\nthe faces are shown in {}\n", path.string())
              : fmt::format("\nthe panels found are marked in {}\n", path.string()));
}

/// Reports flaws of the mesh and marks them in check.vtp. Throws MeshError for flaws that make
/// every result wrong.
void inspect(LoadedMesh& loaded, const meshes::Symmetry& symmetry, const CheckArguments& arguments,
             Log& log) {
  const bool text = !arguments.quiet && !arguments.json;
  loaded.inspection = meshes::inspect(loaded.mesh, *loaded.report.connections, symmetry);
  if (!loaded.inspection.flaws.empty()) {
    if (text) {
      print(fmt::format("\n{}", flaws_text(loaded.inspection)));
    } else {
      warn_of_flaws(loaded.mesh, loaded.inspection, log);
    }
  }
  if (loaded.inspection.refused()) write_marks(loaded, arguments);
  if (arguments.json && loaded.inspection.refused()) {
    const Json json{{"mesh", mesh_report_json(loaded.mesh, loaded.report, symmetry)},
                    {"flaws", flaws_json(loaded.inspection)}};
    print(dump(json, -1) + "\n");
  }
  meshes::require_meaningful(loaded.mesh, loaded.inspection);
}

/// Lists the sharp edges of a wing; with lift.edges only those named.
EdgeMarks describe_edges(const Case& flow_case, const LoadedMesh& loaded,
                         const bem::FlowProblem& problem, Log& log) {
  if (!flow_case.lift.has_wakes()) return {};
  const std::vector<bem::SharpEdge> edges =
      bem::find_trailing_edges(problem.panels, bem::relative_stream(problem),
                               edge_names(flow_case, loaded.mesh, problem.panels))
          .edges;
  for (const std::string& line : reasons_of(edges)) log.fact("edges", line);
  return mark(edges);
}

}  // namespace

int run(const CheckArguments& arguments) {
  const bool whole_case = arguments.file.is_case();
  if (whole_case && is_particle_case(arguments.file, arguments.overrides))
    return run_particles(arguments);
  Log log(arguments.quiet ? Log::Level::quiet : Log::Level::normal);
  const bool text = !arguments.quiet && !arguments.json;
  const Case flow_case = case_of(arguments);
  if (whole_case) {
    describe_case(flow_case, log);
    require_writable(flow_case.output.directory, files_of(flow_case, arguments.force));
    warn_of_unfinished(flow_case.output.directory, log);
  }
  auto backend = make_backend(flow_case.solver.backend, log);

  LoadedMesh loaded{read_or_make(flow_case.mesh, log), {}};
  const meshes::Symmetry symmetry = symmetry_of_checks(flow_case.problem);
  mark_thin(loaded.mesh, flow_case, log);
  meet_planes(loaded.mesh, flow_case.problem, log);
  loaded.report = meshes::check_mesh(loaded.mesh, symmetry);
  if (const auto note = meshes::separate(loaded.mesh, loaded.report, symmetry)) log.warning(*note);
  if (text) {
    const meshes::Symmetry& modelled = flow_case.problem.symmetry;
    print(mesh_report_text(loaded.mesh, loaded.report, symmetry,
                           modelled.rotation() ? static_cast<std::size_t>(modelled.images()) : 1));
    if (const std::string faces = faces_text(loaded.mesh); !faces.empty()) print("\n" + faces);
  }
  const std::vector<std::string> defects = meshes::defects(loaded.mesh, loaded.report, symmetry);
  if (arguments.json && !defects.empty()) {
    const Json json{{"mesh", mesh_report_json(loaded.mesh, loaded.report, symmetry)},
                    {"defects", defects}};
    print(dump(json, -1) + "\n");
  }
  if (!defects.empty() &&
      loaded.report.bad_indices.count + loaded.report.non_finite_nodes.count == 0)
    write_marks(loaded, arguments);
  meshes::require_sound(loaded.mesh, loaded.report, symmetry);
  const meshes::Orientation orientation =
      meshes::orient(loaded.mesh, flow_case.mesh.orient, symmetry, nested_in(flow_case));
  for (const std::string& note : orientation.notes) log.warning(note);
  loaded.report = orientation.report;
  settle_edges(loaded, flow_case, log);
  warn_of_domain(loaded, flow_case, log);
  inspect(loaded, symmetry, arguments, log);
  keep_sector(loaded, flow_case.problem.symmetry);
  cut_edge_strip(flow_case, loaded, log);

  bem::FlowProblem problem = make_problem(flow_case, loaded.mesh);
  describe_conditions(flow_case, problem, log);
  write_marks(loaded, arguments, describe_edges(flow_case, loaded, problem, log));
  problem.lift = find_wakes(flow_case, loaded.mesh, problem, log);
  if (problem.lift) {
    for (const std::string& line : resolution_of(problem.panels, problem.lift->segments))
      log.fact("", line);
  }
  deflect_controls(flow_case, loaded.mesh, problem, log);
  bem::FlowOptions options = options_to_judge(problem, make_options(flow_case, {}));
  options.fmm.rhs = most_modes_at_once(flow_case, loaded.report.bodies.size(),
                                       read_modes(flow_case, loaded.mesh));
  const double points = probe_point_count(flow_case.output.probes);
  const SolveSize size = measure(problem.panels, options, points, problem.lift != nullptr);
  const Verdict verdict = settle(backend, size, flow_case.solver.backend, log);
  const Needs needs{size, memory_of(size, verdict.place), free_memory(*backend),
                    estimate(problem, options, size, *backend)};
  if (arguments.json) {
    const Json json{{"mesh", mesh_report_json(loaded.mesh, loaded.report, symmetry)},
                    {"flaws", flaws_json(loaded.inspection)},
                    {"estimate", describe(needs, *backend)},
                    {"warnings", log.warnings()}};
    print(dump(json, -1) + "\n");
  }
  if (text) print(fmt::format("\n{}\n", sentence(needs, *backend, points)));
  require_memory(verdict);
  if (text) print(whole_case ? "the case can be solved\n" : "the mesh can be solved\n");
  return exit_solved;
}

}  // namespace rankine::cases
