// rankine solve: from a case file to a results directory.
#include <fmt/format.h>

#include <cmath>

#include "cases/build_info.hpp"
#include "cases/input/read_case.hpp"
#include "cases/input/write_case.hpp"
#include "cases/interrupt.hpp"
#include "cases/output/checkpoint.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/view_script.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/machine.hpp"
#include "cases/resources/solve_size.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/solve/probes.hpp"
#include "cases/solve/report.hpp"
#include "cases/solve/set_up.hpp"
#include "cases/solve/summarize.hpp"
#include "cases/solve/surface.hpp"
#include "cases/verbs/verbs.hpp"
#include "cases/verification/compare.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::cases {
namespace {

Case read_with_overrides(const SolveArguments& arguments) {
  Case flow_case = read_case(arguments.case_file, arguments.overrides);
  if (arguments.output) flow_case.output.directory = *arguments.output;
  if (arguments.backend) flow_case.solver.backend = *arguments.backend;
  return flow_case;
}

bem::FlowOptions solve_options(const Case& flow_case, const SolveArguments& arguments,
                               const ResultsDirectory& results, std::size_t panels, Log& log) {
  bem::FlowOptions options =
      make_options(flow_case, arguments.threads, ResidualTable(log, &InterruptGuard::requested));
  if (arguments.resume) {
    const std::string formulation(bem::to_string(options.formulation));
    options.initial_guess =
        read_checkpoint(results.path() / checkpoint_name, formulation, panels).unknown;
  }
  return options;
}

/// After Ctrl-C: leaves the iterate that was reached for --resume and throws Interrupted.
void stop_if_interrupted(const Case& flow_case, const bem::Solution& solution,
                         ResultsDirectory& results) {
  if (!InterruptGuard::requested()) return;
  const Checkpoint checkpoint{std::string(bem::to_string(flow_case.solver.formulation)),
                              solution.gmres.iterations, solution.unknown};
  results.write(checkpoint_name,
                [&](const std::filesystem::path& path) { write_checkpoint(path, checkpoint); });
  throw Interrupted(
      fmt::format("interrupted after iteration {}; go on with: rankine solve {} --resume",
                  solution.gmres.iterations, flow_case.path.string()));
}

void write_fields(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                  const bem::FlowProblem& problem, const bem::Solution& solution,
                  const std::vector<ProbeResult>& probes, ResultsDirectory& results) {
  const meshes::Metadata about = metadata(flow_case.title);
  results.write("surface.vtp", [&](const std::filesystem::path& path) {
    meshes::write_surface_vtp(path, mesh, surface_fields(mesh, problem, solution), about);
  });
  for (const ProbeResult& probe : probes) {
    results.write(probe_file_name(probe.probe),
                  [&](const std::filesystem::path& path) { write_probe(path, probe, about); });
  }
  results.write_text("residuals.csv", residuals_csv(solution));
  results.write_text("case.resolved.toml", write_case(flow_case, results.path()));
  results.write_text("view.py", view_script());
  results.remove(checkpoint_name);
}

/// The last file, so that a results directory with a summary is complete.
void write_summary(Summary& summary, const SolveArguments& arguments, ResultsDirectory& results,
                   const Log& log) {
  summary.threads = thread_count();
  summary.peak_host_bytes = peak_host_bytes();
  summary.warnings = log.warnings();
  summary.files = results.files();
  summary.files.push_back("summary.json");
  results.write_text("summary.json", to_json(summary) + "\n");
  if (arguments.json) fmt::print("{}\n", to_json(summary, -1));
}

}  // namespace

int run(const SolveArguments& arguments) {
  if (arguments.dry_run) {
    return run(CheckArguments{.file = arguments.case_file,
                              .overrides = arguments.overrides,
                              .output = arguments.output,
                              .backend = arguments.backend,
                              .threads = arguments.threads,
                              .quiet = arguments.quiet,
                              .json = arguments.json});
  }
  const ThreadScope threads(arguments.threads);
  Log log(arguments.quiet ? Log::Level::quiet : Log::Level::normal);
  Phases phases(log);
  const InterruptGuard interrupt;

  const Case flow_case = read_with_overrides(arguments);
  describe_case(flow_case, log);
  ResultsDirectory results(flow_case.output.directory);
  auto backend = make_backend(flow_case.solver.backend, arguments.threads);

  const LoadedMesh loaded = phases.time("mesh", [&] { return load_mesh(flow_case.mesh, log); });
  describe_mesh(loaded, log);
  const bem::FlowProblem problem = make_problem(flow_case, loaded.mesh);
  InterruptGuard::check();

  const bem::FlowOptions options =
      solve_options(flow_case, arguments, results, problem.panels.size(), log);
  const SolveSize size =
      measure(problem.panels, options, probe_point_count(flow_case.output.probes));
  require_room(settle(backend, size, flow_case.solver.backend, arguments.threads, log));
  const bem::Solution solution =
      phases.time("setup and solve", [&] { return bem::solve(problem, options, *backend); });
  describe_solution(solution, *backend, thread_count(), log);
  stop_if_interrupted(flow_case, solution, results);

  const std::vector<ProbeResult> probes = phases.time("evaluate", [&] {
    return evaluate_probes(flow_case.output.probes, problem, solution, options, *backend);
  });
  stop_if_interrupted(flow_case, solution, results);

  Summary summary = summarize(flow_case, loaded, problem, solution, *backend);
  phases.time("write",
              [&] { write_fields(flow_case, loaded.mesh, problem, solution, probes, results); });
  summary.seconds = phase_seconds(phases, solution);
  write_summary(summary, arguments, results, log);
  describe_results(summary, results.path(), log);
  return summary.exit_code;
}

}  // namespace rankine::cases
