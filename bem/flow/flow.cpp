#include "rankine/bem/flow/flow.hpp"

#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "rankine/bem/fields/region_solver.hpp"
#include "rankine/bem/flow/equal_pressures.hpp"
#include "rankine/bem/flow/known_values.hpp"
#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/flow/wake_loads.hpp"
#include "rankine/bem/lift/kutta_errors.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// Surface velocity and pressure from phi.
void evaluate_surface(const FlowProblem& problem, const PanelNeighbourhood& neighbourhood,
                      const FlowOptions& options, Backend& backend, Solution& solution) {
  const std::size_t n = problem.panels.size();
  auto cleared = std::async([n] { return std::vector<double>(n); });
  SurfaceGradient surface = backend.gradient(neighbourhood, solution.phi);
  set_slopes(solution.edge_slopes, surface);
  const OnsetField onset(problem.onset, problem.panels.symmetry);
  AlignedVector<Vec3d> velocity(n);
  std::vector<double> pressure = cleared.get();
  parallel_for(n, [&](std::size_t i) {
    const Vec3d& normal = surface.normal[i];
    const Vec3d of_onset = onset.empty()
                               ? solution.stream
                               : solution.stream + onset.velocity(problem.panels.centroid[i]);
    const bool given = problem.conditions.at(i) == Known::flux;
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    surface.gradient[i] += (given ? w - dot(of_onset, normal) : solution.flux[i]) * normal;
    velocity[i] = of_onset + surface.gradient[i];
    pressure[i] = steady_pressure(problem.density, solution.stream, velocity[i]);
  });
  if (!problem.thin.empty()) {  // only the normal velocity jumps, by the charge
    solution.gradient_behind = surface.gradient;
    solution.velocity_behind = velocity;
    for (std::size_t i = 0; i < n; ++i) {
      if (problem.thin[i] == 0) continue;
      solution.gradient_behind[i] += solution.charge[i] * surface.normal[i];
      solution.velocity_behind[i] += solution.charge[i] * surface.normal[i];
    }
  }
  add_rate(problem, surface.normal, velocity, neighbourhood, options, backend, solution, pressure);
  solution.gradient = std::move(surface.gradient);
  solution.velocity = std::move(velocity);
  solution.pressure = std::move(pressure);
}

/// The same for all solutions. After a stop request, the remaining solutions have no velocity.
void evaluate_surfaces(const FlowProblem& problem, const FlowOptions& options, Backend& backend,
                       std::span<Solution> solutions) {
  try {
    const PanelNeighbourhood neighbourhood(problem.panels);
    for (Solution& solution : solutions)
      evaluate_surface(problem, neighbourhood, options, backend, solution);
  } catch (const Stopped&) {
  }
}

/// Newton's method, from the solution with the linear condition. Iterations are the sum of all
/// solves.
void equalize_pressures(const FlowProblem& problem, double depth, const FlowOptions& options,
                        RegionSolver& solver, Backend& backend, Solution& solution) {
  constexpr int steps = 3;
  for (int step = 0; step < steps; ++step) {
    if (solution.velocity.empty() || !solution.converged()) return;
    std::vector<RegionSolution> solved =
        solver.solve_with_added(pressure_step(problem, solution, depth));
    solved.front().seconds = solution.seconds;
    solved.front().gmres.iterations += solution.gmres.iterations;
    static_cast<RegionSolution&>(solution) = std::move(solved.front());
    solution.velocity.clear();
    evaluate_surfaces(problem, options, backend, {&solution, 1});
  }
}

/// The same for all solutions.
void estimate_circulation_errors(const FlowProblem& problem, RegionSolver& solver,
                                 std::span<Solution> solutions) {
  constexpr double tolerance = 0.1;
  const std::size_t sheets = problem.lift->segments.size();
  std::vector<double> of_rows;
  for (const Solution& solution : solutions) {
    if (solution.velocity.empty()) return;
    const std::vector<double> errors =
        kutta_errors(problem.panels, *problem.lift, solution.velocity);
    of_rows.insert(of_rows.end(), errors.begin(), errors.end());
  }
  try {
    const std::vector<double> found = solver.sheets_of(of_rows, tolerance);
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      const auto own = std::span(found).subspan(k * sheets, sheets);
      solutions[k].circulation_error.assign(own.begin(), own.end());
    }
  } catch (const Stopped&) {
  }
}

}  // namespace

std::vector<Vec3d> onset_velocity(const FlowProblem& problem, const Vec3d& stream) {
  std::vector<Vec3d> velocity(problem.panels.size(), stream);
  const OnsetField onset(problem.onset, problem.panels.symmetry);
  if (onset.empty()) return velocity;
  parallel_for(velocity.size(),
               [&](std::size_t i) { velocity[i] += onset.velocity(problem.panels.centroid[i]); });
  return velocity;
}

std::vector<double> disturbance_potential(const FlowProblem& problem, const Solution& solution) {
  std::vector<double> potential = solution.phi;
  const OnsetField onset(problem.onset, problem.panels.symmetry);
  if (onset.empty() || has_thin_walls(problem)) return potential;
  parallel_for(potential.size(),
               [&](std::size_t i) { potential[i] += onset.potential(problem.panels.centroid[i]); });
  return potential;
}

double reference_pressure(const FlowProblem& problem, const Vec3d& stream) {
  const Vec3d given{problem.reference_speed, 0.0, 0.0};
  return reference_pressure(problem.density, problem.reference_speed > 0.0 ? given : stream);
}

double reference_pressure(double density, const Vec3d& stream) {
  return 0.5 * density * dot(stream, stream);
}

double steady_pressure(double density, const Vec3d& stream, const Vec3d& velocity) {
  return 0.5 * density * (dot(stream, stream) - dot(velocity, velocity));
}

namespace {

/// `pressure_depth`: where pressures are equal, m in front of trailing edges; none: the linear
/// condition.
std::vector<Solution> solve_streams(const FlowProblem& problem, std::span<const Vec3d> streams,
                                    std::optional<double> pressure_depth,
                                    const FlowOptions& options, Backend& backend) {
  check(problem, streams);
  if (options.formulation == Formulation::doublet)
    return solve_thin_walls(problem, streams, options, backend);
  const MirrorHold held(backend.memory_space(), mirrors(problem.panels));
  KnownValues known = known_values(problem, streams);
  RegionProblem region{problem.region(), problem.conditions, std::move(known.values),
                       streams.size()};
  if (problem.lift) {
    if (options.formulation != Formulation::green)
      throw InputError("wakes need the formulation green; leave out the formulation");
    region.sheet_rows = &problem.lift->kutta;
    for (const Vec3d& stream : streams) {
      const auto turning = common_frame(problem);
      std::vector<Vec3d> seen;
      for (std::size_t s = 0; s < problem.lift->segments.size(); ++s) {
        seen.push_back(stream - (turning
                                     ? turning->at(problem.lift->sources.point[s])
                                     : velocity_of_walls(problem.panels, problem.normal_velocity,
                                                         problem.lift->segments[s])));
      }
      const std::vector<double> of_edges = kutta_values(problem, seen);
      region.sheet_known.insert(region.sheet_known.end(), of_edges.begin(), of_edges.end());
    }
  }
  std::optional<RegionSolver> solver(std::in_place, std::move(region), options, backend,
                                     problem.lift ? Uses::many : Uses::one);
  std::vector<RegionSolution> solved = solver->solve();
  if (!problem.lift) solver.reset();
  const Stopwatch stopwatch;
  std::vector<Solution> solutions;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    Solution& solution = solutions.emplace_back(std::move(solved[k]));
    solution.stream = streams[k];
    solution.removed_flux = known.removed_flux[k];
  }
  if (!solutions.front().phi.empty()) {
    options.begin("surface velocity");
    evaluate_surfaces(problem, options, backend, solutions);
    if (problem.lift && pressure_depth)
      equalize_pressures(problem, *pressure_depth, options, *solver, backend, solutions.front());
    if (problem.lift) estimate_circulation_errors(problem, *solver, solutions);
  }
  const double seconds = stopwatch.seconds();
  for (Solution& solution : solutions) solution.seconds.evaluate += seconds;
  return solutions;
}

}  // namespace

std::vector<Solution> solve(const FlowProblem& problem, std::span<const Vec3d> streams,
                            const FlowOptions& options, Backend& backend) {
  return solve_streams(problem, streams, {}, options, backend);
}

Solution solve_with_equal_pressures(const FlowProblem& problem, double depth,
                                    const FlowOptions& options, Backend& backend) {
  return std::move(solve_streams(problem, {&problem.stream, 1}, depth, options, backend).front());
}

Solution solve(const FlowProblem& problem, const FlowOptions& options, Backend& backend) {
  return std::move(solve(problem, {&problem.stream, 1}, options, backend).front());
}

}  // namespace rankine::bem
