#include "rankine/bem/flow/flow.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "rankine/bem/flow/rigid_motion.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// Its pressure would lack what is not steady, and look right.
void refuse_motion_without_stream(const FlowProblem& problem) {
  const std::optional<Vec3d> motion = common_motion(problem.panels, problem.normal_velocity);
  if (!motion) return;
  std::ostringstream text;
  text << "there is no stream, and normal_velocity is that of a body moving with (" << motion->x
       << ", " << motion->y << ", " << motion->z
       << ") m/s, whose flow is not steady in this frame; give the stream (" << -motion->x << ", "
       << -motion->y << ", " << -motion->z
       << ") and no normal_velocity: the same flow, in the frame of the body";
  throw InputError(text.str());
}

void check(const FlowProblem& problem, std::span<const Vec3d> streams) {
  const std::size_t n = problem.panels.size();
  if (n == 0) throw InputError("the problem has no panels; give a mesh with surface elements");
  if (streams.empty()) throw InputError("no stream velocity is given; give one or more");
  if (!problem.normal_velocity.empty() && problem.normal_velocity.size() != n) {
    throw InputError("normal_velocity has " + std::to_string(problem.normal_velocity.size()) +
                     " values where " + std::to_string(n) + " are needed; give one per panel");
  }
  for (const double w : problem.normal_velocity) {
    if (!std::isfinite(w))
      throw InputError("normal_velocity holds a value that is not finite; give metres per second");
  }
  for (const Vec3d& u : streams) {
    if (!std::isfinite(dot(u, u))) {
      throw InputError(
          "the stream velocity is not finite; give three numbers in metres per second");
    }
  }
  if (std::any_of(streams.begin(), streams.end(), [](const Vec3d& u) { return norm(u) == 0.0; }))
    refuse_motion_without_stream(problem);
  if (!(problem.density > 0.0) || !std::isfinite(problem.density)) {
    throw InputError("the density is " + std::to_string(problem.density) +
                     "; give a positive number in kg/m^3");
  }
}

/// Part k of `values`, which holds the same number for each of several streams.
std::vector<double> part(const std::vector<double>& values, std::size_t k, std::size_t streams) {
  const std::size_t n = values.size() / streams;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k * n);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

/// Surface velocity and pressure from phi.
void evaluate_surface(const FlowProblem& problem, const PanelNeighbourhood& neighbourhood,
                      Backend& backend, Solution& solution) {
  const std::size_t n = problem.panels.size();
  const SurfaceGradient surface = backend.gradient(neighbourhood, solution.phi);
  std::vector<Vec3d> velocity(n);
  std::vector<double> pressure(n);
  parallel_for(n, [&](std::size_t i) {
    const Vec3d& normal = surface.normal[i];
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    velocity[i] =
        solution.stream + (w - dot(solution.stream, normal)) * normal + surface.gradient[i];
    pressure[i] = steady_pressure(problem.density, solution.stream, velocity[i]);
  });
  solution.velocity = std::move(velocity);
  solution.pressure = std::move(pressure);
}

/// The same for all; those that there was no time for stay without.
void evaluate_surfaces(const FlowProblem& problem, Backend& backend,
                       std::span<Solution> solutions) {
  try {
    const PanelNeighbourhood neighbourhood(problem.panels);
    for (Solution& solution : solutions)
      evaluate_surface(problem, neighbourhood, backend, solution);
  } catch (const Stopped&) {
  }
}

}  // namespace

BoundaryFormulation formulate(Formulation formulation, const BoundaryConditions& conditions) {
  return formulation == Formulation::green ? green_formulation(conditions)
                                           : source_formulation(conditions);
}

std::vector<double> flux(const FlowProblem& problem, const Vec3d& stream) {
  const Panels& panels = problem.panels;
  std::vector<double> q(panels.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    q[i] = w - dot(stream, panels.vector_area[i]) / panels.area[i];
  }
  return q;
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
  const ThreadScope threads(backend.threads());
  const StopScope stop(options.stop_token());
  Stopwatch stopwatch;
  std::vector<double> known;
  for (const Vec3d& stream : streams) {
    const std::vector<double> q = flux(problem, stream);
    known.insert(known.end(), q.begin(), q.end());
  }
  BoundarySolution solved;
  {
    const CollocatedPanels discretization(problem.panels, options.quadrature);
    const double placed = stopwatch.lap();
    solved = solve({discretization, formulate(options.formulation), std::move(known),
                    static_cast<int>(streams.size())},
                   options, backend);
    solved.seconds.setup += placed;
  }
  stopwatch.lap();
  std::vector<Solution> solutions;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    Solution& solution = solutions.emplace_back();
    solution.stream = streams[k];
    solution.unknown = part(solved.unknown, k, streams.size());
    solution.phi = part(solved.potential, k, streams.size());
    solution.charge = part(solved.charge, k, streams.size());
    solution.doublet = part(solved.doublet, k, streams.size());
    solution.gmres = std::move(solved.gmres[k]);
    solution.fmm = solved.far_field;
    solution.mixed_precision = options.mixed_precision;
    if (solved.complete()) solution.fmm_sampled_error = solved.sampled_error[k];
    solution.accuracy = solved.accuracy;
    solution.near_entries = solved.near_entries;
    solution.near_bytes = solved.near_bytes;
  }
  if (solved.complete()) {
    options.begin("surface velocity");
    evaluate_surfaces(problem, backend, solutions);
  }
  solved.seconds.evaluate += stopwatch.lap();
  for (Solution& solution : solutions) solution.seconds = solved.seconds;
  return solutions;
}

Solution solve(const FlowProblem& problem, const FlowOptions& options, Backend& backend) {
  return std::move(solve(problem, {&problem.stream, 1}, options, backend).front());
}

std::string_view to_string(Formulation formulation) {
  return formulation == Formulation::green ? "green" : "source";
}

}  // namespace rankine::bem
