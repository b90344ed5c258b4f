#include "rankine/bem/flow/flow.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "rankine/bem/flow/known_values.hpp"
#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// Part k of `values`, which holds equally many for each of several streams; moved if there is only
/// one.
std::vector<double> part(std::vector<double>& values, std::size_t k, std::size_t streams) {
  if (streams == 1) return std::move(values);
  const std::size_t n = values.size() / streams;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k * n);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

/// Surface velocity and pressure from phi.
void evaluate_surface(const FlowProblem& problem, const PanelNeighbourhood& neighbourhood,
                      const FlowOptions& options, Backend& backend, Solution& solution) {
  const std::size_t n = problem.panels.size();
  const SurfaceGradient surface = backend.gradient(neighbourhood, solution.phi);
  const OnsetField onset(problem.onset, problem.panels.symmetry);
  std::vector<Vec3d> velocity(n);
  std::vector<double> pressure(n);
  parallel_for(n, [&](std::size_t i) {
    const Vec3d& normal = surface.normal[i];
    const Vec3d arriving = solution.stream + onset.velocity(problem.panels.centroid[i]);
    const bool given = problem.conditions.at(i) == Known::flux;
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    const double q = given ? w - dot(arriving, normal) : solution.flux[i];
    velocity[i] = arriving + q * normal + surface.gradient[i];
    pressure[i] = steady_pressure(problem.density, solution.stream, velocity[i]);
  });
  if (!problem.thin
           .empty()) {  // the normal velocity jumps by the charge, the tangential one does not
    solution.velocity_behind = velocity;
    for (std::size_t i = 0; i < n; ++i) {
      if (problem.thin[i] != 0)
        solution.velocity_behind[i] += solution.charge[i] * surface.normal[i];
    }
  }
  add_rate(problem, surface.normal, velocity, neighbourhood, options, backend, solution, pressure);
  solution.velocity = std::move(velocity);
  solution.pressure = std::move(pressure);
}

/// The same for all solutions. If it is requested to stop, the rest stays without.
void evaluate_surfaces(const FlowProblem& problem, const FlowOptions& options, Backend& backend,
                       std::span<Solution> solutions) {
  try {
    const PanelNeighbourhood neighbourhood(problem.panels);
    for (Solution& solution : solutions)
      evaluate_surface(problem, neighbourhood, options, backend, solution);
  } catch (const Stopped&) {
  }
}

/// Gives phi the mean zero if its constant is open.
void choose_constant(const FlowProblem& problem, Formulation formulation, Solution& solution) {
  if (!leaves_constant(problem)) return;
  double mean = 0.0;
  for (std::size_t i = 0; i < solution.phi.size(); ++i)
    mean += problem.panels.area[i] * solution.phi[i];
  mean /= total_area(problem.panels);
  for (double& phi : solution.phi) phi -= mean;
  if (formulation != Formulation::green) {
    solution.constant = -mean;
    return;
  }
  for (double& doublet : solution.doublet) doublet -= mean;
}

}  // namespace

void take_record(const BoundarySolution& solved, std::size_t k, Solution& solution) {
  solution.gmres = solved.gmres[k];
  solution.fmm = solved.far_field;
  if (k < solved.sampled_error.size()) solution.fmm_sampled_error = solved.sampled_error[k];
  solution.preconditioner = solved.preconditioner;
  solution.accuracy = solved.accuracy;
  solution.seconds = solved.seconds;
  solution.near_entries = solved.near_entries;
  solution.near_bytes = solved.near_bytes;
}

QuadratureOptions quadrature_of(const FlowProblem& problem, const FlowOptions& options) {
  constexpr double of_sheets = 1e-6;
  QuadratureOptions quadrature = options.quadrature;
  if (!problem.thin.empty() && quadrature.tolerance == 0.0) quadrature.tolerance = of_sheets;
  return quadrature;
}

BoundaryFormulation formulate(Formulation formulation, const BoundaryConditions& conditions) {
  if (formulation == Formulation::doublet)
    throw InputError("the formulation doublet is for walls without thickness; use green or source");
  return formulation == Formulation::green ? green_formulation(conditions)
                                           : source_formulation(conditions);
}

BoundaryFormulation formulate(Formulation formulation, const FlowProblem& problem) {
  BoundaryFormulation result = formulate(formulation, problem.conditions);
  if (leaves_constant(problem)) fix_constant(result, problem.panels.area);
  return result;
}

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

std::vector<Solution> solve(const FlowProblem& problem, std::span<const Vec3d> streams,
                            const FlowOptions& options, Backend& backend) {
  check(problem, streams);
  if (options.formulation == Formulation::doublet)
    return solve_thin_walls(problem, streams, options, backend);
  require_thin_by_sources(problem, options.formulation);
  const ThreadScope threads(backend.threads());
  const StopScope stop(options.stop_token());
  const auto held = backend.hold(host_arrays(problem.panels));
  Stopwatch stopwatch;
  KnownValues known = known_values(problem, streams);
  BoundarySolution solved;
  {
    const CollocatedPanels discretization(problem.panels, quadrature_of(problem, options), backend);
    const double placed = stopwatch.lap();
    solved = solve({discretization, formulate(options.formulation, problem),
                    std::move(known.values), static_cast<int>(streams.size())},
                   options, backend);
    solved.seconds.setup += placed;
  }
  stopwatch.lap();
  const bool is_complete = solved.complete();
  std::vector<Solution> solutions;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    Solution& solution = solutions.emplace_back();
    solution.stream = streams[k];
    solution.unknown = part(solved.unknown, k, streams.size());
    solution.phi = part(solved.potential, k, streams.size());
    solution.flux = part(solved.flux, k, streams.size());
    solution.removed_flux = known.removed_flux[k];
    solution.charge = part(solved.charge, k, streams.size());
    solution.doublet = part(solved.doublet, k, streams.size());
    take_record(solved, k, solution);
    solution.mixed_precision = options.mixed_precision;
    choose_constant(problem, options.formulation, solution);
  }
  if (is_complete) {
    options.begin("surface velocity");
    evaluate_surfaces(problem, options, backend, solutions);
  }
  solved.seconds.evaluate += stopwatch.lap();
  for (Solution& solution : solutions) solution.seconds = solved.seconds;
  return solutions;
}

Solution solve(const FlowProblem& problem, const FlowOptions& options, Backend& backend) {
  return std::move(solve(problem, {&problem.stream, 1}, options, backend).front());
}

std::string_view to_string(Formulation formulation) {
  switch (formulation) {
    case Formulation::green:
      return "green";
    case Formulation::source:
      return "source";
    case Formulation::doublet:
      return "doublet";
  }
  return "unknown";
}

}  // namespace rankine::bem
