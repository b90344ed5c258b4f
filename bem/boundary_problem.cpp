#include "rankine/bem/boundary_problem.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/local_inverse.hpp"
#include "rankine/bem/system_solver.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

void check(const BoundaryProblem& problem, const SolveOptions& options) {
  const auto check_size = [&](const std::vector<double>& values, std::size_t per_rhs,
                              const std::string& what) {
    const std::size_t wanted = per_rhs * static_cast<std::size_t>(problem.rhs);
    if (values.size() != wanted) {
      throw InputError(what + " has " + std::to_string(values.size()) + " values where " +
                       std::to_string(wanted) + " are needed; give one per panel, for each of " +
                       std::to_string(problem.rhs) + " right-hand sides");
    }
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
      throw InputError(what + " holds a value that is not finite; check what made it");
  };
  if (problem.rhs < 1) {
    throw InputError("the problem has " + std::to_string(problem.rhs) +
                     " right-hand sides; give one or more");
  }
  check_size(problem.known, problem.discretization.points().size(), "the boundary data");
  if (!options.initial_guess.empty())
    check_size(options.initial_guess, problem.discretization.unknowns(), "initial_guess");
}

std::vector<Layer> layers_of(std::initializer_list<const Equation*> equations) {
  std::vector<Layer> layers;
  for (const Equation* equation : equations) {
    for (const Term& term : equation->terms) {
      if (!term.left.is_zero() && !term.right.is_zero()) layers.push_back(term.layer);
    }
  }
  return layers;
}

bool contains(const std::vector<Layer>& layers, Layer layer) {
  return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

/// Few enough that the direct sums cost a few hundredths of a solve. The more digits are asked for,
/// the dearer the solve, and the fewer points it is that make up the error.
int sample_count(const SolveOptions& options) {
  const double digits = -std::log10(options.fmm.tolerance);
  return static_cast<int>(
      std::min<double>(options.error_samples, std::max(64.0, 0.25 * digits * digits * digits)));
}

/// diag(of_unknown) x + diag(of_known) f; empty where both are zero.
std::vector<double> density(const Diagonal& of_unknown, const std::vector<double>& x,
                            const Diagonal& of_known, const std::vector<double>& f) {
  if (of_unknown.is_zero() && of_known.is_zero()) return {};
  std::vector<double> values(x.size(), 0.0);
  const auto add = [&](const Diagonal& diagonal, const std::vector<double>& from) {
    if (diagonal.is_zero()) return;
    const std::size_t n = diagonal.values.size();
    parallel_for(values.size(), [&](std::size_t i) {
      values[i] += diagonal.factor * (n == 0 ? 1.0 : diagonal.values[i % n]) * from[i];
    });
  };
  add(of_unknown, x);
  add(of_known, f);
  return values;
}

void release_unless_in(LayerSet& set, const std::vector<Layer>& released,
                       const std::vector<Layer>& needed) {
  for (const Layer layer : released) {
    if (!contains(needed, layer)) set.release(layer);
  }
}

bool is_dear_to_sum(const Discretization& discretization) {
  return has_many_nodes(discretization.nodes_per_point(), 1.0);
}

LocalInverseOptions local_options(Preconditioner preconditioner) {
  LocalInverseOptions options;
  if (preconditioner == Preconditioner::two_level) options.coarse = most_coarse_clusters;
  return options;
}

/// A solve, once its near corrections are there: what its stages share.
struct Solve {
  const BoundaryProblem& problem;
  const SolveOptions& options;
  LayerSet& layers;
  FarField& far;
  FarFieldCheck check;
  Array near_b, near_potential;  ///< what near corrections make of the known values
  Array b{}, potential{};        ///< A x = b; the potential, at first that of the known values

  const BoundaryFormulation& formulation() const { return problem.formulation; }

  /// b and the potential of the known values, by sums as they are now.
  void sum_known() {
    const Array known = uploaded(layers.backend(), problem.known);
    const auto sum = [&](const Equation& equation, SolveVector vector, const Array& near,
                         Array& whole) {
      BoundaryOperator op(far, equation);
      layers.backend().copy(near.size(), near.data(), whole.data());
      check.add_far(op, vector, 1.0, known.data(), whole.data(), problem.rhs);
    };
    sum(formulation().data, SolveVector::known_values, near_b, b);
    sum(formulation().known_potential, SolveVector::potential, near_potential, potential);
  }

  std::vector<double> solve_system(SystemSolver& solver);
  void evaluate(const Array& x, BoundarySolution& solution);
};

/// Solves, and goes on from there with better sums as long as the errors of the solution's exceed
/// what was asked. Returns these errors; nothing where it was asked to stop before they are known.
std::vector<double> Solve::solve_system(SystemSolver& solver) {
  solver.solve(b.data());
  bool goes_on = false;
  try {
    throw_if_stopped();
    std::vector<SampledError> errors = solver.solution_errors();
    while (check.raise_is_due(SolveVector::solution, errors) && !solver.interrupted()) {
      goes_on = true;
      options.begin("far field");
      check.raise();
      options.begin("right-hand side");
      sum_known();
      options.begin("GMRES");
      solver.solve(b.data());
      goes_on = false;
      errors = solver.solution_errors();
    }
    std::vector<double> relative;
    for (const SampledError& each : errors) relative.push_back(each.relative());
    return relative;
  } catch (const Stopped&) {  // with the iterate there is
    if (goes_on) solver.interrupt();
    return {};
  }
}

/// What follows from the unknown x. Stopped, it leaves `solution` without a potential.
void Solve::evaluate(const Array& x, BoundarySolution& solution) {
  const BoundaryFormulation& f = formulation();
  const std::vector<Layer> needed = layers_of({&f.potential, &f.flux});
  release_unless_in(layers, layers_of({&f.system}), needed);
  layers.assemble(needed);
  const auto add = [&](const Equation& equation, Array& to) {
    BoundaryOperator op(far, equation);
    check.add_far(op, SolveVector::potential, 1.0, x.data(), to.data(), problem.rhs);
    op.add_near(1.0, x.data(), to.data(), problem.rhs);
  };
  add(f.potential, potential);
  solution.flux = density(f.flux.jump, solution.unknown, f.known_flux, problem.known);
  if (!layers_of({&f.flux}).empty()) {
    Array flux = uploaded(layers.backend(), solution.flux);
    add({f.flux.terms}, flux);
    solution.flux = downloaded(layers.backend(), flux, flux.size());
  }
  solution.charge = density(f.charge, solution.unknown, f.known_charge, problem.known);
  solution.doublet = density(f.doublet, solution.unknown, f.known_doublet, problem.known);
  solution.potential = downloaded(layers.backend(), potential, potential.size());
}

}  // namespace

std::stop_token SolveOptions::stop_token() const {
  return stop.stop_possible() ? stop : StopScope::current();
}

fmm::Options far_field_options(const SolveOptions& options, const BoundaryFormulation& formulation,
                               int rhs) {
  const std::vector<Layer> layers =
      layers_of({&formulation.system, &formulation.potential, &formulation.flux});
  fmm::Options far = options.fmm;
  far.dipoles = contains(layers, Layer::double_layer) || contains(layers, Layer::hypersingular);
  far.gradient =
      contains(layers, Layer::adjoint_double_layer) || contains(layers, Layer::hypersingular);
  far.rhs = rhs;
  return far;
}

fmm::Options inner_field_options(const SolveOptions& options,
                                 const BoundaryFormulation& formulation, int rhs) {
  fmm::Options far = far_field_options(options, formulation, rhs);
  far.precision = fmm::Precision::float32;
  far.tolerance = std::max(inner_tolerance, far.tolerance);
  far.order = far.leaf_capacity = 0;
  return far;
}

Preconditioner chosen_preconditioner(const SolveOptions& options,
                                     const BoundaryFormulation& formulation,
                                     const Discretization& discretization) {
  if (options.preconditioner != Preconditioner::automatic) return options.preconditioner;
  if (formulation.system.jump.is_zero()) return Preconditioner::two_level;
  // Patches are made of near entries summed over nodes, of both of which long panels have so many that it takes
  // longer than the iterations which are saved.
  constexpr double many = 0.25;
  if (is_dear_to_sum(discretization)) return Preconditioner::none;
  return discretization.share_of_thin_walls() >= many ? Preconditioner::block
                                                      : Preconditioner::none;
}

BoundarySolution solve(const BoundaryProblem& problem, const SolveOptions& options,
                       Backend& backend) {
  check(problem, options);
  const ThreadScope threads(backend.threads());
  const StopScope stop(options.stop_token());
  const BoundaryFormulation& f = problem.formulation;
  const int rhs = problem.rhs;
  BoundarySolution solution;
  Stopwatch stopwatch;

  // Near corrections first, those of the right-hand side with those of the system, in one pass. The
  // former have done their work, and what integration needs is gone, before the sums are planned.
  const std::vector<Layer> of_system = layers_of({&f.system}),
                           of_data = layers_of({&f.data, &f.known_potential});
  options.begin("near field");
  auto held = backend.hold(problem.discretization.host_arrays()),
       held_near = backend.hold(problem.discretization.near_arrays());
  // What is found from the single layer, fluxes and charges, feels how strengths vary.
  LayerSet layers(backend, problem.discretization, contains(of_system, Layer::single_layer));
  layers.assemble(layers_of({&f.system, &f.data, &f.known_potential}));
  layers.strengths();  // where the host makes them, a device integrates meanwhile
  held_near.reset();
  solution.seconds.near_field = stopwatch.lap();

  const auto per_rhs = static_cast<std::size_t>(rhs);
  const std::size_t all_rows = per_rhs * layers.rows();
  Array near_b = backend.allocate(all_rows), near_potential = backend.allocate(all_rows);
  {
    const Array known = uploaded(backend, problem.known);
    BoundaryOperator(layers, f.data).add_near(1.0, known.data(), near_b.data(), rhs);
    BoundaryOperator(layers, f.known_potential)
        .add_near(1.0, known.data(), near_potential.data(), rhs);
  }
  release_unless_in(layers, of_data, of_system);
  solution.seconds.right_hand_side = stopwatch.lap();

  solution.preconditioner = chosen_preconditioner(options, f, problem.discretization);
  std::unique_ptr<LinearOperator> preconditioner;
  if (solution.preconditioner != Preconditioner::none) {
    options.begin("preconditioner");
    preconditioner = local_inverse(layers, f.system, local_options(solution.preconditioner));
  }
  solution.seconds.preconditioner = stopwatch.lap();

  options.begin("far field");
  const fmm::Options sums = far_field_options(options, f, rhs);
  const int samples = sample_count(options);
  FarField far(layers, first_options(sums, samples, layers.rows()));
  std::optional<FarField> inner_far;
  const bool relaxed = options.relaxation || (options.fmm.precision == fmm::Precision::float64 &&
                                              is_dear_to_sum(problem.discretization));
  if (options.mixed_precision || relaxed)
    inner_far.emplace(layers, inner_field_options(options, f, rhs));
  solution.seconds.setup = stopwatch.lap();

  options.begin("right-hand side");
  Solve stages{problem,
               options,
               layers,
               far,
               {far, sums, samples},
               std::move(near_b),
               std::move(near_potential),
               backend.allocate(all_rows),
               backend.allocate(all_rows)};
  FarFieldCheck& check = stages.check;
  stages.sum_known();
  held.reset();
  solution.seconds.right_hand_side += stopwatch.lap();

  options.begin("GMRES");
  BoundaryOperator system(far, f.system);
  std::optional<BoundaryOperator> inner_system;
  if (inner_far) inner_system.emplace(*inner_far, f.system);
  Array x = backend.allocate(per_rhs * layers.unknowns());
  if (!options.initial_guess.empty()) backend.upload(options.initial_guess, x.data());
  SystemSolver solver(options, backend, system, inner_system ? &*inner_system : nullptr,
                      preconditioner.get(), check, x.data(), rhs);
  const double checked = check.seconds() + check.raise_seconds();
  solution.sampled_error = stages.solve_system(solver);
  solution.gmres = solver.results();
  solution.unknown = downloaded(backend, x, x.size());
  solution.seconds.solve = stopwatch.lap();
  const double multiplied =
      solution.seconds.solve - (check.seconds() + check.raise_seconds() - checked);
  solution.seconds.matvec = solver.products() > 0 ? multiplied / solver.products() : 0.0;
  solution.near_entries = system.near_entries();
  solution.near_bytes = system.near_bytes();

  try {
    throw_if_stopped();
    options.begin("potential");
    stages.evaluate(x, solution);
  } catch (const Stopped&) {  // with what there is
  }
  solution.far_field = far.info();
  solution.accuracy = check.accuracy();
  solution.seconds.evaluate = stopwatch.lap();
  solution.seconds.check = check.seconds();
  solution.seconds.raise = check.raise_seconds();
  return solution;
}

}  // namespace rankine::bem
