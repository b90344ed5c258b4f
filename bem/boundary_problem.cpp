#include "rankine/bem/boundary_problem.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "rankine/bem/krylov/refinement.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// Relative error asked of the far field in float that serves mixed precision and relaxation.
constexpr double inner_tolerance = 1e-4;

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

/// Few enough that the direct sums stay well below the cost of a solve.
int sample_count(const SolveOptions& options, std::size_t sources) {
  const double affordable = 1e8 / static_cast<double>(sources);
  return static_cast<int>(std::min<double>(options.error_samples, std::max(16.0, affordable)));
}

/// The system matrix as GMRES meets it: counts products, and takes the cheaper far field where it
/// was told that this suffices.
class SystemMatrix final : public LinearOperator {
 public:
  SystemMatrix(LinearOperator& accurate, LinearOperator* inner, int& products)
      : accurate_(accurate), inner_(inner), products_(products) {}

  std::size_t rows() const override { return accurate_.rows(); }
  std::size_t columns() const override { return accurate_.columns(); }
  void add(double alpha, const double* x, double* y, int rhs) override {
    ++products_;
    (relaxed_ ? *inner_ : accurate_).add(alpha, x, y, rhs);
  }
  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    accurate_.add_transposed(alpha, x, y, rhs);
  }

  /// Errors of several products add up: a fifth of what one alone may err.
  void suffices(double accuracy) { relaxed_ = inner_ && 0.2 * accuracy >= inner_tolerance; }

 private:
  LinearOperator& accurate_;
  LinearOperator* inner_;
  int& products_;
  bool relaxed_ = false;
};

std::vector<GmresResult> solve_system(const SolveOptions& options, Backend& backend, int rhs,
                                      LinearOperator& accurate, LinearOperator* inner,
                                      int& products, const double* b, double* x) {
  SystemMatrix matrix(accurate, inner, products);
  if (options.mixed_precision) {
    SystemMatrix cheap(*inner, nullptr, products);
    return refine(backend, rhs, matrix, cheap, 3.0 * inner_tolerance, b, x, options.gmres);
  }
  GmresOptions krylov = options.gmres;
  if (options.relaxation) krylov.accuracy = [&](double accuracy) { matrix.suffices(accuracy); };
  return gmres(backend, rhs, matrix, b, x, krylov);
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

/// What follows from the unknown x; `known_potential` is the part of the potential that comes from
/// the known values. Stopped, it leaves `solution` without a potential.
void evaluate(const BoundaryProblem& problem, const SolveOptions& options, BoundaryOperator& system,
              FarField& far, const Array& x, Array& known_potential, BoundarySolution& solution) {
  const BoundaryFormulation& f = problem.formulation;
  LayerSet& layers = far.layers();
  const int samples = sample_count(options, layers.nodes());
  for (int k = 0; k < problem.rhs; ++k) {
    solution.sampled_error.push_back(
        system.sampled_error(x.data() + static_cast<std::size_t>(k) * layers.unknowns(), samples));
  }
  const std::vector<Layer> needed = layers_of({&f.potential});
  release_unless_in(layers, layers_of({&f.system}), needed);
  layers.assemble(needed);
  BoundaryOperator(far, f.potential).add(1.0, x.data(), known_potential.data(), problem.rhs);
  solution.charge = density(f.charge, solution.unknown, f.known_charge, problem.known);
  solution.doublet = density(f.doublet, solution.unknown, f.known_doublet, problem.known);
  solution.potential = downloaded(layers.backend(), known_potential, known_potential.size());
}

}  // namespace

std::stop_token SolveOptions::stop_token() const {
  return stop.stop_possible() ? stop : StopScope::current();
}

fmm::Options far_field_options(const SolveOptions& options, const BoundaryFormulation& formulation,
                               int rhs) {
  const std::vector<Layer> layers = layers_of({&formulation.system});
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
  LayerSet layers(backend, problem.discretization);
  layers.assemble(layers_of({&f.system, &f.data, &f.known_potential}));
  solution.seconds.near_field = stopwatch.lap();

  const auto per_rhs = static_cast<std::size_t>(rhs);
  const std::size_t all_rows = per_rhs * layers.rows();
  Array b = backend.allocate(all_rows), potential = backend.allocate(all_rows),
        known = uploaded(backend, problem.known);
  BoundaryOperator(layers, f.data).add_near(1.0, known.data(), b.data(), rhs);
  BoundaryOperator(layers, f.known_potential).add_near(1.0, known.data(), potential.data(), rhs);
  release_unless_in(layers, of_data, of_system);
  solution.seconds.right_hand_side = stopwatch.lap();

  options.begin("far field");
  FarField far(layers, far_field_options(options, f, rhs));
  std::optional<FarField> inner_far;
  if (options.mixed_precision || options.relaxation)
    inner_far.emplace(layers, inner_field_options(options, f, rhs));
  solution.seconds.setup = stopwatch.lap();

  options.begin("right-hand side");
  BoundaryOperator(far, f.data).add_far(1.0, known.data(), b.data(), rhs);
  BoundaryOperator(far, f.known_potential).add_far(1.0, known.data(), potential.data(), rhs);
  known = {};
  solution.seconds.right_hand_side += stopwatch.lap();

  options.begin("GMRES");
  BoundaryOperator system(far, f.system);
  std::optional<BoundaryOperator> inner_system;
  if (inner_far) inner_system.emplace(*inner_far, f.system);
  Array x = backend.allocate(per_rhs * layers.unknowns());
  if (!options.initial_guess.empty()) backend.upload(options.initial_guess, x.data());
  int products = 0;
  solution.gmres =
      solve_system(options, backend, rhs, system, inner_system ? &*inner_system : nullptr, products,
                   b.data(), x.data());
  solution.unknown = downloaded(backend, x, x.size());
  solution.seconds.solve = stopwatch.lap();
  solution.seconds.matvec = products > 0 ? solution.seconds.solve / products : 0.0;
  solution.near_entries = system.near_entries();
  solution.near_bytes = system.near_bytes();
  solution.far_field = far.info();

  try {
    throw_if_stopped();
    options.begin("potential");
    evaluate(problem, options, system, far, x, potential, solution);
  } catch (const Stopped&) {  // with what there is
  }
  solution.seconds.evaluate = stopwatch.lap();
  return solution;
}

}  // namespace rankine::bem
