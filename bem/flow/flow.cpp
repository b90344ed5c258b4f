#include "rankine/bem/flow/flow.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rankine/bem/krylov/refinement.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

void check(const FlowProblem& problem, std::span<const Vec3d> velocities,
           const SolveOptions& options) {
  const std::size_t n = problem.panels.size();
  if (n == 0) throw InputError("the problem has no panels; give a mesh with surface elements");
  if (velocities.empty()) throw InputError("no stream velocity is given; give one or more");
  const auto check_size = [](std::size_t size, std::size_t wanted, const std::string& what,
                             const char* per) {
    if (size != 0 && size != wanted) {
      throw InputError(what + " has " + std::to_string(size) + " values where " +
                       std::to_string(wanted) + " are needed; give one per " + per);
    }
  };
  check_size(problem.normal_velocity.size(), n, "normal_velocity", "panel");
  check_size(options.initial_guess.size(), velocities.size() * n, "initial_guess",
             "panel, for every stream");
  for (const double w : problem.normal_velocity) {
    if (!std::isfinite(w))
      throw InputError("normal_velocity holds a value that is not finite; give metres per second");
  }
  for (const Vec3d& u : velocities) {
    if (!std::isfinite(u.x) || !std::isfinite(u.y) || !std::isfinite(u.z)) {
      throw InputError(
          "the stream velocity is not finite; give three numbers in metres per second");
    }
  }
  if (!(problem.density > 0.0) || !std::isfinite(problem.density)) {
    throw InputError("the density is " + std::to_string(problem.density) +
                     "; give a positive number in kg/m^3");
  }
}

/// Relative error asked of the far field in float that serves mixed precision and relaxation.
constexpr double inner_tolerance = 1e-4;

fmm::Options far_options(const SolveOptions& options, int streams) {
  fmm::Options far = options.fmm;
  far.dipoles = options.formulation == Formulation::green;
  far.gradient = options.formulation == Formulation::source;
  far.rhs = streams;
  return far;
}

fmm::Options inner_far_options(const SolveOptions& options, int streams) {
  fmm::Options far = far_options(options, streams);
  far.precision = fmm::Precision::float32;
  far.tolerance = std::max(inner_tolerance, far.tolerance);
  far.order = far.leaf_capacity = 0;
  return far;
}

/// Few enough that the direct sums stay well below the cost of a solve.
int sample_count(const SolveOptions& options, std::size_t sources) {
  const double affordable = 1e8 / static_cast<double>(sources);
  return static_cast<int>(std::min<double>(options.error_samples, std::max(16.0, affordable)));
}

/// Applies the system matrix with one of the two far fields.
using SystemMatrix = std::function<void(FarField far, const double* in, double* out, int count)>;

std::vector<GmresResult> solve_system(const SolveOptions& options, Backend& backend, std::size_t n,
                                      int streams, const SystemMatrix& system, const double* b,
                                      double* x) {
  FarField far = FarField::accurate;
  const LinearMap chosen = [&](const double* in, double* out, int count) {
    system(far, in, out, count);
  };
  if (options.mixed_precision) {
    const LinearMap inner = [&](const double* in, double* out, int count) {
      system(FarField::inner, in, out, count);
    };
    return refine(backend, n, streams, chosen, inner, 3.0 * inner_tolerance, b, x, options.gmres);
  }
  GmresOptions krylov = options.gmres;
  if (options.relaxation) {
    // Errors of several products add up: a fifth of what one alone may err.
    krylov.accuracy = [&](double sufficient) {
      far = 0.2 * sufficient >= inner_tolerance ? FarField::inner : FarField::accurate;
    };
  }
  return gmres(backend, n, streams, chosen, b, x, krylov);
}

/// Surface velocity and pressure from phi.
void evaluate_surface(const FlowProblem& problem, const Vec3d& stream,
                      const PanelNeighbourhood& neighbourhood, Solution& solution) {
  const Panels& panels = problem.panels;
  const SurfaceGradient surface = surface_gradient(neighbourhood, solution.phi);
  const double speed2 = dot(stream, stream);
  solution.velocity.resize(panels.size());
  solution.cp.resize(panels.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d& n = surface.normal[i];
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    solution.velocity[i] = stream - dot(stream, n) * n + surface.gradient[i] + w * n;
    const double u2 = dot(solution.velocity[i], solution.velocity[i]);
    solution.cp[i] = speed2 > 0.0 ? 1.0 - u2 / speed2 : 0.0;
  }
}

/// Frees what only the operators needed.
void drop_nodes(Discretization& discretization) {
  discretization.points = {};
  discretization.normals = {};
  discretization.weights = {};
}

std::vector<double> normal_derivative(const FlowProblem& problem, const Vec3d& stream) {
  const Panels& panels = problem.panels;
  std::vector<double> g(panels.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    g[i] = w - dot(stream, panels.normal[i]);
  }
  return g;
}

}  // namespace

std::vector<double> normal_derivative(const FlowProblem& problem) {
  return normal_derivative(problem, problem.velocity);
}

std::vector<Solution> solve(const FlowProblem& problem, std::span<const Vec3d> velocities,
                            const SolveOptions& options, Backend& backend) {
  check(problem, velocities, options);
  const Panels& panels = problem.panels;
  const std::size_t n = panels.size(), all = velocities.size() * n;
  const int streams = static_cast<int>(velocities.size());
  const bool green = options.formulation == Formulation::green;
  const Layer layer = green ? Layer::double_layer : Layer::adjoint_double_layer;
  const double jump = green ? 0.5 : -0.5;
  const double sign = green ? -1.0 : 1.0;

  Solution common;  // what the solutions of all streams share
  Stopwatch stopwatch;
  common.discretization = discretize(panels, options.quadrature);
  BoundaryOperator boundary(backend, panels, common.discretization, far_options(options, streams));
  if (options.mixed_precision || options.relaxation)
    boundary.add_inner_far_field(inner_far_options(options, streams));
  common.seconds.setup = stopwatch.lap();

  // Right-hand sides, stream after stream: -S g or g.
  Array g = backend.allocate(all), b = backend.allocate(all), x = backend.allocate(all);
  for (std::size_t k = 0; k < velocities.size(); ++k)
    backend.upload(normal_derivative(problem, velocities[k]), g.data() + k * n);
  if (green) {
    boundary.prepare(Layer::single_layer);
    common.seconds.near_field += stopwatch.lap();
    boundary.add(Layer::single_layer, -1.0, g.data(), b.data(), FarField::accurate, streams);
    boundary.release(Layer::single_layer);
  } else {
    backend.copy(all, g.data(), b.data());
  }
  common.seconds.right_hand_side = stopwatch.lap();
  g = {};
  boundary.prepare(layer);
  common.seconds.near_field += stopwatch.lap();

  int applications = 0;
  const auto system = [&](FarField far, const double* in, double* out, int count) {
    const std::size_t size = static_cast<std::size_t>(count) * n;
    backend.copy(size, in, out);
    backend.scale(size, jump, out);
    boundary.add(layer, sign, in, out, far, count);
    ++applications;
  };
  if (!options.initial_guess.empty()) backend.upload(options.initial_guess, x.data());
  std::vector<GmresResult> solved =
      solve_system(options, backend, n, streams, system, b.data(), x.data());
  common.seconds.solve = stopwatch.lap();
  common.seconds.matvec = applications > 0 ? common.seconds.solve / applications : 0.0;
  common.near_entries = boundary.near_entries(layer);
  common.near_bytes = boundary.near_bytes();
  common.fmm = boundary.far_info();
  common.mixed_precision = options.mixed_precision;

  std::vector<double> sampled_error(velocities.size(), 0.0);
  if (options.error_samples > 0) {
    const int samples = sample_count(options, common.discretization.points.size());
    for (std::size_t k = 0; k < velocities.size(); ++k)
      sampled_error[k] = boundary.sampled_error(layer, x.data() + k * n, samples);
  }
  boundary.release(layer);
  if (!green) {
    backend.scale(all, 0.0, b.data());
    boundary.add(Layer::single_layer, 1.0, x.data(), b.data(), FarField::accurate, streams);
  }
  drop_nodes(common.discretization);

  const PanelNeighbourhood neighbourhood(panels);
  std::vector<Solution> solutions(velocities.size() - 1, common);
  solutions.push_back(std::move(common));
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    Solution& solution = solutions[k];
    solution.gmres = std::move(solved[k]);
    solution.fmm_sampled_error = sampled_error[k];
    solution.phi.resize(n);
    backend.download((green ? x.data() : b.data()) + k * n, solution.phi);
    if (!green) {
      solution.sigma.resize(n);
      backend.download(x.data() + k * n, solution.sigma);
    }
    evaluate_surface(problem, velocities[k], neighbourhood, solution);
  }
  const double evaluate = stopwatch.lap();
  for (Solution& solution : solutions) solution.seconds.evaluate = evaluate;
  return solutions;
}

Solution solve(const FlowProblem& problem, const SolveOptions& options, Backend& backend) {
  return std::move(solve(problem, {&problem.velocity, 1}, options, backend).front());
}

std::string_view to_string(Formulation formulation) {
  return formulation == Formulation::green ? "green" : "source";
}

}  // namespace rankine::bem
