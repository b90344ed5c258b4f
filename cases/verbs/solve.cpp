// rankine solve: from a case file to a results directory.
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "cases/exit_code.hpp"
#include "cases/input/probe_count.hpp"
#include "cases/input/read_case.hpp"
#include "cases/output/phases.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/machine.hpp"
#include "cases/resources/out_of_memory.hpp"
#include "cases/resources/solve_size.hpp"
#include "cases/signal_watch.hpp"
#include "cases/solve/added_mass_files.hpp"
#include "cases/solve/case_media.hpp"
#include "cases/solve/checkpoints.hpp"
#include "cases/solve/conditions.hpp"
#include "cases/solve/electrostatics.hpp"
#include "cases/solve/judge.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/solve/report.hpp"
#include "cases/solve/result_files.hpp"
#include "cases/solve/set_up.hpp"
#include "cases/solve/summarize.hpp"
#include "cases/solve/views.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::cases {
namespace {

Case read_with_overrides(const SolveArguments& arguments) {
  Case flow_case = read_case(arguments.case_file, arguments.overrides);
  if (arguments.output) flow_case.output.directory = *arguments.output;
  if (arguments.backend) flow_case.solver.backend = *arguments.backend;
  apply(arguments.repair, flow_case.mesh);
  read_point_files(flow_case.output);
  return flow_case;
}

bem::FlowOptions solve_options(const Case& flow_case, const SolveArguments& arguments,
                               const ResultsDirectory& results, const std::string& hash,
                               std::size_t panels) {
  bem::FlowOptions options = make_options(flow_case, arguments.threads, {});
  if (arguments.resume)
    options.initial_guess = Checkpoints::read(results, hash, options.formulation, panels);
  return options;
}

void write_summary(Summary& summary, ResultsDirectory& results, const Log& log) {
  summary.threads = thread_count();
  summary.peak_host_bytes = peak_host_bytes();
  summary.warnings = log.warnings();
  summary.files = results.files();
  summary.files.push_back(summary_name);
  results.write_text(summary_name, to_json(summary) + "\n");
}

/// A solve on its way: what its phases share.
struct Run {
  const SolveArguments& arguments;
  SignalWatch& watch;
  Log& log;
  Phases& phases;
  const Case flow_case = read_with_overrides(arguments);
  Checkpoints checkpoints{arguments.resume_command, watch};

  int solve();
  bem::Solution solve_flow(const bem::FlowProblem& problem, bem::FlowOptions options,
                           bem::Backend& backend, const std::string& hash,
                           ResultsDirectory& results);
  bem::ErrorEstimate doubt(const bem::FlowProblem& problem, const bem::Solution& solution,
                           const bem::SurfaceFits& fits, bem::Backend& backend, Summary& summary);
  /// Options of solves beside the flow's: stages are told as those of `what`, iterations are not.
  bem::FlowOptions beside(bem::FlowOptions options, const std::string& what);
  std::optional<bem::Capacitance> find_capacitance(const meshes::SurfaceMesh& mesh,
                                                   bem::FlowProblem& problem,
                                                   const bem::FlowOptions& options,
                                                   bem::Backend& backend);
  std::optional<SolvedMedia> find_charges(const meshes::SurfaceMesh& mesh,
                                          const bem::FlowOptions& options, bem::Backend& backend);
  void add_added_mass(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                      const FurtherModes& further, const bem::FlowOptions& options,
                      bem::Backend& backend, ResultsDirectory& results, Summary& summary);
};

/// The solution, and its checkpoint at once: what follows takes its time, too.
bem::Solution Run::solve_flow(const bem::FlowProblem& problem, bem::FlowOptions options,
                              bem::Backend& backend, const std::string& hash,
                              ResultsDirectory& results) {
  ResidualTable table(log);
  StagnationWatch stagnation;
  options.gmres.callback = [&](const bem::GmresIteration& iteration) {
    checkpoints.iterate_exists();
    table.add(iteration);
    return !watch.requested() && !stagnation.add(iteration.residual);
  };
  options.stage = [&](std::string_view name) { phases.stage(std::string(name)); };
  options.stop = watch.token();
  bem::Solution solution =
      phases.time("setup and solve", [&] { return bem::solve(problem, options, backend); });
  phases.end_stage();
  if (stagnation.stagnated() && !watch.requested()) {
    solution.gmres.status = bem::GmresStatus::stagnated;
    log.warning(stagnation.explanation());
  }
  checkpoints.save(solution, options.formulation, hash, results, log);
  throw_if_stopped();
  return solution;
}

bem::FlowOptions Run::beside(bem::FlowOptions options, const std::string& what) {
  options.gmres.callback = [&](const bem::GmresIteration&) { return !watch.requested(); };
  options.stage = [this, what](std::string_view name) {
    phases.stage(std::string(name) + " of " + what);
  };
  options.stop = watch.token();
  return options;
}

/// The capacitance of the conductors, whose potentials `problem` then has; none without conductors.
std::optional<bem::Capacitance> Run::find_capacitance(const meshes::SurfaceMesh& mesh,
                                                      bem::FlowProblem& problem,
                                                      const bem::FlowOptions& options,
                                                      bem::Backend& backend) {
  const bool conductors = flow_case.problem.kind == ProblemKind::electrostatics;
  if (!conductors || has_media(flow_case)) return std::nullopt;
  bem::Capacitance found = phases.time("capacitance", [&] {
    return solve_network(flow_case, mesh, problem, beside(options, "conductors"), backend);
  });
  phases.end_stage();
  throw_if_stopped();
  return found;
}

/// The charges of conductors and dielectrics; none in one medium without sources.
std::optional<SolvedMedia> Run::find_charges(const meshes::SurfaceMesh& mesh,
                                             const bem::FlowOptions& options,
                                             bem::Backend& backend) {
  if (!has_media(flow_case)) return std::nullopt;
  SolvedMedia found = phases.time("setup and solve", [&] {
    return solve_media(flow_case, mesh, beside(options, "charges"), backend);
  });
  phases.end_stage();
  throw_if_stopped();
  return found;
}

/// The matrix of all modes, in its files and the summary.
void Run::add_added_mass(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                         const FurtherModes& further, const bem::FlowOptions& options,
                         bem::Backend& backend, ResultsDirectory& results, Summary& summary) {
  if (!flow_case.problem.added_mass) return;
  if (const auto text = warning_of_modes(problem.panels.symmetry)) log.warning(*text);
  const CaseBodies bodies = find_case_bodies(flow_case, mesh, problem.panels);
  const bem::AddedMass found = phases.time("added mass", [&] {
    return bem::added_mass(problem, bodies.rigid, further.displacements, beside(options, "modes"),
                           backend);
  });
  phases.end_stage();
  throw_if_stopped();
  const AddedMassMatrix matrix = describe(found, bodies, further, problem.density);
  results.write_text("added_mass.csv", added_mass_csv(matrix));
  results.write_text("added_mass.json", added_mass_json(matrix, problem.density));
  summary.added_mass_matrix = matrix;
  if (!found.converged()) summary.exit_code = exit_not_converged;
}

/// How far the answer may be off, into the summary, and warnings of what is not to be trusted.
bem::ErrorEstimate Run::doubt(const bem::FlowProblem& problem, const bem::Solution& solution,
                              const bem::SurfaceFits& fits, bem::Backend& backend,
                              Summary& summary) {
  const Judgement judgement = judge(problem, solution, summary.force);
  for (const std::string& text : warnings_of(judgement, problem.panels)) log.warning(text);
  bem::ErrorEstimate errors = phases.time("evaluate", [&] {
    return bem::estimate_errors(problem, solution, fits, summary.force, summary.added_mass,
                                backend);
  });
  summary.errors = errors.figures;
  if (const auto text = warning_of(errors.figures, problem)) log.warning(*text);
  return errors;
}

int Run::solve() {
  describe_case(flow_case, log);
  warn_of_unfinished(flow_case.output.directory, log);
  ResultsDirectory results(flow_case.output.directory, files_of(flow_case, arguments.force));
  watch.clean_up_with(results.abandon());
  // A device takes a while to start; meanwhile the mesh is read.
  auto making_backend = std::async(std::launch::async, [&] {
    return make_backend(flow_case.solver.backend, arguments.threads);
  });
  const LoadedMesh loaded = phases.time("mesh", [&] { return load_mesh(flow_case, log); });
  std::unique_ptr<bem::Backend> backend =
      phases.time("device", [&] { return making_backend.get(); });
  describe_mesh(loaded, flow_case.problem.symmetry, log);
  throw_if_stopped();
  bem::FlowProblem problem = phases.time(
      "panels", [&] { return make_problem(flow_case, loaded.mesh, bem::panel_fit(*backend)); });
  describe_panels(problem.panels, flow_case.solver.panels, log);
  describe_conditions(flow_case, problem, log);
  const FurtherModes further = read_modes(flow_case, loaded.mesh);
  const std::string hash = hash_of(loaded.mesh, problem);
  const bem::FlowOptions options =
      solve_options(flow_case, arguments, results, hash, problem.panels.size());
  phases.time("estimate", [&] {
    bem::FlowOptions largest = options_to_judge(problem, options);
    largest.fmm.rhs = modes_held(flow_case, loaded.report.bodies.size(), further);
    const SolveSize size =
        measure(problem.panels, largest, probe_point_count(flow_case.output.probes));
    require_room(settle(backend, size, flow_case.solver.backend, arguments.threads, log));
  });
  throw_if_stopped();

  const auto capacitance = find_capacitance(loaded.mesh, problem, options, *backend);
  const auto media = find_charges(loaded.mesh, options, *backend);
  const bem::Solution solution =
      media ? as_solution(*media) : solve_flow(problem, options, *backend, hash, results);
  describe_solution(solution, *backend, thread_count(), log);
  const Views views = phases.time("evaluate", [&] {
    return evaluate_views(flow_case, loaded.report.box, problem, solution, media, options, *backend,
                          log);
  });
  throw_if_stopped();

  const bem::SurfaceFits fits =
      phases.time("evaluate", [&] { return bem::fit_surface(problem, solution, *backend); });
  Summary summary = phases.time(
      "evaluate", [&] { return summarize(flow_case, loaded, problem, solution, fits, *backend); });
  const bem::ErrorEstimate errors = doubt(problem, solution, fits, *backend, summary);
  add_added_mass(loaded.mesh, problem, further, options, *backend, results, summary);
  if (capacitance) {
    summary.electric = describe(flow_case, loaded.mesh, problem, solution, *capacitance);
    if (!capacitance->converged()) summary.exit_code = exit_not_converged;
  } else if (media) {
    summary.electric = describe(flow_case, loaded.mesh, *media);
    if (!media->converged()) summary.exit_code = exit_not_converged;
  }
  phases.time("write", [&] {
    write_files(flow_case, loaded.mesh, problem, solution, errors, views, media, results, log);
  });
  summary.seconds = phase_seconds(phases, solution);
  write_summary(summary, results, log);
  throw_if_stopped();
  {
    const SignalWatch::Hold until_all_are_in_place(watch);
    results.commit();
    if (solution.converged()) checkpoints.remove(results);
  }
  if (arguments.json) print(to_json(summary, -1) + "\n");
  describe_results(summary, results.path(), checkpoints.advice(), log);
  return summary.exit_code;
}

}  // namespace

int run(const SolveArguments& arguments) {
  if (arguments.dry_run) {
    return run(CheckArguments{.file = arguments.case_file,
                              .overrides = arguments.overrides,
                              .output = arguments.output,
                              .backend = arguments.backend,
                              .repair = arguments.repair,
                              .threads = arguments.threads,
                              .quiet = arguments.quiet,
                              .json = arguments.json,
                              .dry_run = true,
                              .force = arguments.force});
  }
  if (is_particle_case(arguments.case_file, arguments.overrides)) return run_particles(arguments);
  const ThreadScope threads(arguments.threads);
  Log log(arguments.silent  ? Log::Level::silent
          : arguments.quiet ? Log::Level::quiet
                            : Log::Level::normal);
  Phases phases(log);
  SignalWatch watch;
  const StopScope stop(watch.token());
  Run whole{arguments, watch, log, phases};
  try {
    return whole.solve();
  } catch (const Stopped&) {
    throw Stopped(whole.checkpoints.farewell(phases.current()));
  } catch (const std::bad_alloc&) {
    throw DeviceError(out_of_memory(phases.current()) + whole.checkpoints.advice());
  } catch (const InputError& error) {
    throw InputError(error.what() + whole.checkpoints.advice());
  }
}

}  // namespace rankine::cases
