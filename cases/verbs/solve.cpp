// rankine solve: from a case file to a results directory.
#include "cases/verbs/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <future>
#include <utility>

#include "cases/input/case.hpp"
#include "cases/lift/controls.hpp"
#include "cases/lift/wakes.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/machine.hpp"
#include "cases/resources/processes.hpp"
#include "cases/resources/solve_size.hpp"
#include "cases/solve/conditions.hpp"
#include "cases/solve/judge.hpp"
#include "cases/solve/probes.hpp"
#include "cases/solve/report.hpp"
#include "cases/solve/result_files.hpp"
#include "cases/solve/set_up.hpp"
#include "cases/solve/summarize.hpp"
#include "cases/verbs/run_to_end.hpp"
#include "cases/verification/compare.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/streams.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"

namespace rankine::cases {
namespace {

std::size_t unknowns_of(const bem::FlowProblem& problem) {
  return problem.lift ? problem.lift->sources.unknowns() : problem.panels.size();
}

}  // namespace

void SurfaceRun::take(std::span<const Stage> stages) {
  for (const auto& [phase, stage] : stages) {
    phases.time(phase, [&] { (this->*stage)(); });
    stop_if_wanted(watch);
  }
}

void SurfaceRun::open_results() {
  const Case& flow_case = solved.flow_case;
  warn_of_unfinished(flow_case.output.directory, log);
  RunFiles files = files_of(flow_case, arguments.force);
  files.elsewhere = !is_first_process();
  results.emplace(flow_case.output.directory, files);
  watch.clean_up_with(results->abandon());
}

int SurfaceRun::solve() {
  describe_case(solved.flow_case, log);
  if (is_shared()) log.fact("run", show_processes());
  open_results();
  constexpr std::array<Stage, 7> stages{{{"mesh", &SurfaceRun::read_mesh},
                                         {"device", &SurfaceRun::begin_backend},
                                         {"panels", &SurfaceRun::make_panels},
                                         {"estimate", &SurfaceRun::require_memory},
                                         {"setup and solve", &SurfaceRun::solve_equation},
                                         {"added mass", &SurfaceRun::solve_modes},
                                         {"derivatives", &SurfaceRun::solve_motions}}};
  take(stages);
  return finish();
}

void SurfaceRun::solve_streams(
    std::span<const Case> members,
    const std::function<void(std::size_t, int, const std::string&)>& ended) {
  constexpr std::array<Stage, 4> before{{{"mesh", &SurfaceRun::read_mesh},
                                         {"device", &SurfaceRun::begin_backend},
                                         {"panels", &SurfaceRun::make_panels},
                                         {"estimate", &SurfaceRun::require_memory}}};
  streams = members.size();
  take(before);
  if (backend->memory_space() == MemorySpace::host)
    solved.problem.panels.rings = bem::all_rings(solved.problem.panels);
  std::vector<Vec3d> all;
  for (const Case& each : members) all.push_back(each.problem.velocity);
  const bem::SolvedStreams flows = phases.time("setup and solve", [&] {
    return bem::SolvedStreams(solved.problem, all, further_options("streams"), *backend);
  });
  stop_if_wanted(watch);
  green.emplace(solved.problem, *backend);
  const std::vector<bem::GreenResiduals> of_green =
      phases.time("evaluate", [&] { return flows.residuals(*green); });
  const std::vector<Vec3d> points = points_of(solved.flow_case.output.probes);
  std::vector<bem::PotentialField> at_probes;
  if (flows.has_basis() && !points.empty()) {
    at_probes = phases.time("evaluate", [&] {
      return flows.basis_at(solved.problem, points, {.fmm = options.fmm, .quadrature = {}},
                            *backend);
    });
  }
  constexpr std::array<Stage, 1> modes{{{"added mass", &SurfaceRun::solve_modes}}};
  take(modes);
  const std::size_t warnings = log.warnings().size();
  const Phases::Mark mark = phases.mark();
  for (std::size_t k = 0; k < members.size(); ++k) {
    log.forget_warnings(warnings);
    phases.forget_since(mark);
    results.reset();
    try {
      const SolverInput solver = solved.flow_case.solver;
      solved.flow_case = members[k];
      solved.flow_case.solver = solver;
      solved.problem.stream = all[k];
      open_results();
      solved.solution = flows.at(k);
      residuals = flows.residuals(k, of_green);
      if (!at_probes.empty()) probed = flows.field(k, at_probes);
      describe_solution(solved.solution, *backend, log);
      ended(k, finish(), "");
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception& error) {
      ended(k, exit_code_of(error), message_of(error, phases.current()));
    }
  }
}

int SurfaceRun::finish() {
  constexpr std::array<Stage, 3> stages{{{"evaluate", &SurfaceRun::evaluate_field},
                                         {"evaluate", &SurfaceRun::evaluate_surface},
                                         {"write", &SurfaceRun::write}}};
  take(stages);
  put_in_place();
  if (arguments.json && is_first_process()) print(to_json(summary, -1) + "\n");
  describe_results(summary, results->path(), surface_file(*results), log);
  describe_failures(summary, solved.solution.gmres, solved.flow_case.solver.tolerance, advice(),
                    log);
  return summary.exit_code;
}

/// Starts the device in the background meanwhile, which takes some time.
void SurfaceRun::read_mesh() {
  starting_backend = std::async(
      std::launch::async, [this] { return make_backend(solved.flow_case.solver.backend, log); });
  solved.loaded = load_mesh(solved.flow_case, log, meshes);
  cut_edge_strip(solved.flow_case, solved.loaded, log);
  settle_formulation(solved.loaded, solved.flow_case, log);
}

void SurfaceRun::begin_backend() {
  backend = starting_backend.get();
  describe_mesh(solved.loaded, solved.flow_case.problem.symmetry, log);
}

void SurfaceRun::make_panels() {
  const Case& flow_case = solved.flow_case;
  const meshes::SurfaceMesh& mesh = solved.loaded.mesh;
  solved.problem = make_problem(flow_case, mesh, bem::panel_fit(*backend));
  describe_panels(solved.problem.panels, flow_case.solver.panels, log);
  describe_conditions(flow_case, solved.problem, log);
  if (const auto text = warning_of_formulation(solved.problem, flow_case.solver.formulation))
    log.warning(*text);
  solved.problem.lift = find_wakes(flow_case, mesh, solved.problem, log);
  deflect_controls(flow_case, mesh, solved.problem, log);
  solved.equivalent = make_equivalent(flow_case, mesh, solved.problem, bem::panel_fit(*backend));
  solved.further = read_modes(flow_case, mesh);
  hash = hash_of(mesh, solved.problem, flow_case.problem.mach);
  require_same(hash, "meshes or conditions");
  options = make_options(flow_case, {});
  if (arguments.resume) {
    options.initial_guess =
        Checkpoints::read(*results, hash, options.formulation, unknowns_of(solved.problem));
  }
}

void SurfaceRun::require_memory() {
  const Case& flow_case = solved.flow_case;
  bem::FlowOptions largest = options_to_judge(solved.problem, options);
  largest.fmm.rhs =
      std::max(most_modes_at_once(flow_case, solved.loaded.report.bodies.size(), solved.further),
               static_cast<int>(bem::streams_together(solved.problem, streams)));
  const SolveSize size =
      measure(solved.problem.panels, largest, probe_point_count(flow_case.output.probes),
              solved.problem.lift != nullptr);
  cases::require_memory(settle(backend, size, flow_case.solver.backend, log));
}

bem::FlowOptions SurfaceRun::further_options(const std::string& what) {
  bem::FlowOptions further = options;
  IterationProgress progress(options.gmres.tolerance, log);
  further.gmres.callback = [this, progress](const bem::GmresIteration& iteration) mutable {
    progress.show(iteration, phases.current());
    return !stop_wanted(watch);
  };
  further.stage = [this, what](std::string_view name) {
    phases.stage(std::string(name) + " of " + what);
  };
  return further;
}

/// Solves for the charges of conductors and dielectrics, or for a flow.
void SurfaceRun::solve_equation() {
  if (solved.flow_case.problem.kind == ProblemKind::electrostatics) {
    solved.media = solve_media(solved.flow_case, solved.loaded.mesh, solved.problem,
                               further_options("charges"), *backend);
    solved.solution = as_solution(*solved.media);
    solved.solution.mixed_precision = options.mixed_precision;
    if (!has_media(solved.flow_case)) solved.problem.potential = solved.solution.phi;
  } else {
    solve_flow();
  }
  phases.end_stage();
  stop_if_wanted(watch);
  describe_solution(solved.solution, *backend, log);
}

/// Solves and writes the checkpoint immediately, because the later stages take time.
void SurfaceRun::solve_flow() {
  ResidualTable table(options.gmres.tolerance, log);
  StagnationWatch stagnation;
  bem::FlowOptions mine = options;
  bool stopped = false;
  mine.gmres.callback = [&](const bem::GmresIteration& iteration) {
    checkpoints.iterate_exists();
    table.add(iteration);
    stopped = stop_wanted(watch);
    return !stopped && !stagnation.add(iteration.residual);
  };
  mine.stage = [&](std::string_view name) { phases.stage(std::string(name)); };
  const LiftInput& lift = solved.flow_case.lift;
  bem::FlowProblem& problem = solved.equivalent ? solved.equivalent->problem : solved.problem;
  solved.solution = lift.has_wakes()
                        ? solve_with_wakes(solved.flow_case, problem, mine, *backend, log)
                        : bem::solve(problem, mine, *backend);
  phases.end_stage();
  if (stagnation.stagnated() && !stopped) {
    solved.solution.gmres.status = bem::GmresStatus::stagnated;
    log.warning(stagnation.explanation());
  }
  checkpoints.save(solved.solution, options.formulation, hash, *results, log);
  if (!solved.equivalent) return;
  if (lift.wake == WakeForm::relaxed) follow_wakes(*solved.equivalent, solved.problem);
  solved.equivalent_solution = solved.solution;
  solved.solution =
      solved.equivalent->rule.physical(solved.problem.panels, std::move(solved.solution));
}

void SurfaceRun::solve_modes() {
  if (!solved.flow_case.problem.added_mass) return;
  const bem::FlowProblem& problem = solved.problem;
  if (const auto text = warning_of_modes(solved.flow_case.problem)) log.warning(*text);
  const CaseBodies bodies = find_case_bodies(solved.flow_case, solved.loaded.mesh, problem.panels);
  solved.added_mass = cases::solve_modes(solved.flow_case, problem, bodies, solved.further,
                                         further_options("modes"), *backend);
}

void SurfaceRun::solve_motions() {
  const Case& flow_case = solved.flow_case;
  if (!solved.problem.lift || !flow_case.lift.derivatives) return;
  solved.polar =
      find_polar(flow_case, solved.loaded.mesh, solved.problem, further_options("motions"),
                 *backend, solved.equivalent ? &*solved.equivalent : nullptr);
}

void SurfaceRun::evaluate_field() {
  const OutputInput& output = solved.flow_case.output;
  if (!output.probes.empty() || !output.streamlines.empty()) phases.stage("points off walls");
  solved.views = evaluate_views(solved.flow_case, solved.loaded.report.box, solved.solved_problem(),
                                solved.solved_solution(), solved.media, probed, options, *backend,
                                log, solved.equivalent ? &solved.equivalent->rule : nullptr);
  phases.end_stage();
}

/// Loads, their estimated errors, and warnings of unreliable results.
void SurfaceRun::evaluate_surface() {
  const bem::FlowProblem& problem = solved.problem;
  phases.stage("loads");
  solved.fits = bem::fit_surface(problem, solved.solution, *backend);
  solved.loads = find_loads(solved.flow_case, solved.loaded, problem, solved.fits);
  const SurfaceLoads& loads = solved.loads;
  phases.stage("error estimate");
  // Errors refer to the problem that was solved.
  const bem::FlowProblem& of = solved.solved_problem();
  const bem::Solution& found = solved.solved_solution();
  const bem::SurfaceFits fits =
      solved.equivalent ? bem::fit_surface(of, found, *backend) : bem::SurfaceFits{};
  const bem::SurfaceFits& of_found = solved.equivalent ? fits : solved.fits;
  const Vec3d force = solved.equivalent ? bem::pressure_loads(fits).force : loads.force;
  solved.judgement = judge(of, found, force);
  for (const std::string& text : warnings_of(solved.judgement, problem.panels)) log.warning(text);
  bem::GreenErrors of_green;
  if (green)
    of_green = green->errors(of, found, residuals);
  else if (!has_media(solved.flow_case))
    of_green = bem::green_errors(of, found, *backend);
  solved.errors = bem::estimate_errors(of, found, of_found, of_green, force);
  if (solved.equivalent) {
    solved.errors = solved.equivalent->rule.physical(std::move(solved.errors));
    const double mach = solved.flow_case.problem.mach;
    if (const auto text = warning_of_sonic_flow(problem, solved.solution, mach)) {
      log.warning(*text);
      solved.supersonic = true;
    }
  }
  phases.end_stage();
  if (const auto text = warning_of(solved.errors.figures, problem)) log.warning(*text);
  const bem::FieldOptions field{.fmm = options.fmm, .quadrature = {}};
  if (solved.flow_case.rotor.given) {
    solved.rotor =
        find_rotor(solved.flow_case, problem, solved.solution, field, *backend, loads.patches);
  } else if (problem.lift) {
    solved.lift = find_lift(solved.flow_case, problem, solved.solution, loads.force, loads.moment);
    solved.lift->strip = solved.loaded.strip;
    const WakeForces forces = find_wake_forces(
        of, found, field, *backend, solved.equivalent ? &solved.equivalent->rule : nullptr);
    add_wake_loads(problem, solved.solution, forces, *solved.lift);
    if (const auto text = warning_of_wakes(*solved.lift)) log.warning(*text);
    if (const auto text = warning_of_polars(*solved.lift)) log.warning(*text);
  }
  if (!solved.flow_case.lift.given) {
    if (const auto text = warning_of_trailing_edges(problem, solved.solution)) log.warning(*text);
  }
  if (const auto text = warning_of_body(solved.flow_case.verify, solved.loaded.mesh.nodes))
    log.warning(*text);
  summary = summarize(solved, *backend);
}

void SurfaceRun::write() { write_files(solved, *results, log); }

void SurfaceRun::put_in_place() {
  summary.seconds = phase_seconds(phases, solved.solution, !solved.added_mass.empty());
  if (is_shared()) summary.groups["processes"] = describe_processes(summary.seconds);
  summary.peak_host_bytes = peak_host_bytes();
  summary.warnings = log.warnings();
  summary.files = results->files();
  summary.files.emplace_back(summary_name);
  results->write_text(summary_name, to_json(summary) + "\n");
  stop_if_wanted(watch);
  const SignalWatch::Hold until_all_are_in_place(watch);
  results->commit();
  if (solved.solution.converged()) checkpoints.remove(*results);
}

void require_shareable(const Command& command) {
  const auto* const solve = std::get_if<SolveArguments>(&command.verb);
  if (!is_shared() || (solve != nullptr && !solve->dry_run) ||
      std::holds_alternative<VerifyArguments>(command.verb) ||
      std::holds_alternative<BenchArguments>(command.verb) ||
      std::holds_alternative<Answered>(command.verb))
    return;
  throw InputError(
      "only `rankine solve`, `rankine verify` and `rankine bench` can be shared by several "
      "processes; start one process");
}

int run(const SolveArguments& arguments) {
  if (!arguments.quiet && Section::parse_file(arguments.file, arguments.overrides).has("sweep")) {
    Log().warning(fmt::format("[sweep] is left out; its cases are solved by: rankine sweep {}",
                              show_command({arguments.file.string()})));
  }
  if (arguments.dry_run) return run(CheckArguments{arguments, 1.0, false, true});
  if (is_particle_case(arguments.file, arguments.overrides)) return run_particles(arguments);
  return run_to_end<SurfaceRun>(arguments);
}

}  // namespace rankine::cases
