#include "bem/flow.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <string>

#include "bem/boundary_operator.hpp"
#include "bem/refinement.hpp"
#include "bem/surface_gradient.hpp"
#include "fmm/error.hpp"

namespace rankine::bem {
namespace {

class Stopwatch {
 public:
  /// Seconds since construction or the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void check(const FlowProblem& problem, const SolveOptions& options) {
  const std::size_t n = problem.panels.size();
  if (n == 0) throw InputError("the problem has no panels; give a mesh with surface elements");
  const auto check_size = [n](std::size_t size, const char* what) {
    if (size != 0 && size != n) {
      throw InputError(std::string(what) + " has " + std::to_string(size) + " values for " +
                       std::to_string(n) + " panels; give one per panel");
    }
  };
  check_size(problem.normal_velocity.size(), "normal_velocity");
  check_size(options.initial_guess.size(), "initial_guess");
  for (const double w : problem.normal_velocity) {
    if (!std::isfinite(w))
      throw InputError("normal_velocity holds a value that is not finite; give metres per second");
  }
  const Vec3d& u = problem.velocity;
  if (!std::isfinite(u.x) || !std::isfinite(u.y) || !std::isfinite(u.z)) {
    throw InputError("the stream velocity is not finite; give three numbers in metres per second");
  }
  if (!(problem.density > 0.0) || !std::isfinite(problem.density)) {
    throw InputError("the density is " + std::to_string(problem.density) +
                     "; give a positive number in kg/m^3");
  }
}

/// Relative error asked of the far field in float that serves mixed precision and relaxation.
constexpr double inner_tolerance = 1e-4;

fmm::Options far_options(const SolveOptions& options) {
  fmm::Options far = options.fmm;
  if (far.precision == fmm::Precision::mixed) far.precision = fmm::Precision::float64;
  far.dipoles = options.formulation == Formulation::green;
  far.gradient = options.formulation == Formulation::source;
  return far;
}

fmm::Options inner_far_options(const SolveOptions& options) {
  fmm::Options far = far_options(options);
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
using SystemMatrix = std::function<void(FarField far, const double* in, double* out)>;

GmresResult solve_system(const SolveOptions& options, Backend& backend, std::size_t n,
                         const SystemMatrix& system, const double* b, double* x) {
  FarField far = FarField::accurate;
  const LinearMap chosen = [&](const double* in, double* out) { system(far, in, out); };
  if (options.fmm.precision == fmm::Precision::mixed) {
    const LinearMap inner = [&](const double* in, double* out) {
      system(FarField::inner, in, out);
    };
    return refine(backend, n, chosen, inner, 3.0 * inner_tolerance, b, x, options.gmres);
  }
  GmresOptions krylov = options.gmres;
  if (options.relaxation) {
    // Errors of several products add up: a fifth of what one alone may err.
    krylov.accuracy = [&](double sufficient) {
      far = 0.2 * sufficient >= inner_tolerance ? FarField::inner : FarField::accurate;
    };
  }
  return gmres(backend, n, chosen, b, x, krylov);
}

/// Surface velocity and pressure from phi.
void evaluate_surface(const FlowProblem& problem, Solution& solution) {
  const Panels& panels = problem.panels;
  const PanelNeighbourhood neighbourhood(panels);
  const SurfaceGradient surface = surface_gradient(neighbourhood, solution.phi);
  const double speed2 = dot(problem.velocity, problem.velocity);
  solution.velocity.resize(panels.size());
  solution.cp.resize(panels.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d& n = surface.normal[i];
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    const Vec3d& stream = problem.velocity;
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

}  // namespace

std::vector<double> normal_derivative(const FlowProblem& problem) {
  const Panels& panels = problem.panels;
  std::vector<double> g(panels.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
    g[i] = w - dot(problem.velocity, panels.normal[i]);
  }
  return g;
}

Solution solve(const FlowProblem& problem, const SolveOptions& options, Backend& backend) {
  check(problem, options);
  const Panels& panels = problem.panels;
  const std::size_t n = panels.size();
  const bool green = options.formulation == Formulation::green;
  const Layer layer = green ? Layer::double_layer : Layer::adjoint_double_layer;
  const double jump = green ? 0.5 : -0.5;
  const double sign = green ? -1.0 : 1.0;

  Solution solution;
  Stopwatch stopwatch;
  solution.discretization = discretize(panels, options.quadrature);
  BoundaryOperator boundary(backend, panels, solution.discretization, far_options(options));
  const bool mixed = options.fmm.precision == fmm::Precision::mixed;
  if (mixed || options.relaxation) boundary.add_inner_far_field(inner_far_options(options));
  solution.seconds.setup = stopwatch.lap();

  // Right-hand side: -S g or g.
  Array g = backend.allocate(n), b = backend.allocate(n), x = backend.allocate(n);
  backend.upload(normal_derivative(problem), g.data());
  if (green) {
    boundary.prepare(Layer::single_layer);
    solution.seconds.near_field += stopwatch.lap();
    boundary.add(Layer::single_layer, -1.0, g.data(), b.data());
    boundary.release(Layer::single_layer);
  } else {
    backend.copy(n, g.data(), b.data());
  }
  solution.seconds.right_hand_side = stopwatch.lap();
  boundary.prepare(layer);
  solution.seconds.near_field += stopwatch.lap();

  int applications = 0;
  const auto system = [&](FarField far, const double* in, double* out) {
    backend.copy(n, in, out);
    backend.scale(n, jump, out);
    boundary.add(layer, sign, in, out, far);
    ++applications;
  };
  if (!options.initial_guess.empty()) backend.upload(options.initial_guess, x.data());
  solution.gmres = solve_system(options, backend, n, system, b.data(), x.data());
  solution.seconds.solve = stopwatch.lap();
  solution.seconds.matvec = applications > 0 ? solution.seconds.solve / applications : 0.0;
  solution.near_entries = boundary.near_entries(layer);
  solution.near_bytes = boundary.near_bytes();
  solution.fmm = boundary.far_info();
  solution.fmm.precision = options.fmm.precision;
  if (options.error_samples > 0) {
    solution.fmm_sampled_error = boundary.sampled_error(
        layer, x.data(), sample_count(options, solution.discretization.points.size()));
  }

  solution.phi.resize(n);
  boundary.release(layer);
  if (!green) {
    solution.sigma.resize(n);
    backend.download(x.data(), solution.sigma);
    backend.scale(n, 0.0, b.data());
    boundary.add(Layer::single_layer, 1.0, x.data(), b.data());
  }
  backend.download(green ? x.data() : b.data(), solution.phi);
  drop_nodes(solution.discretization);
  evaluate_surface(problem, solution);
  solution.seconds.evaluate = stopwatch.lap();
  return solution;
}

std::string_view to_string(Formulation formulation) {
  return formulation == Formulation::green ? "green" : "source";
}

}  // namespace rankine::bem
