#include "rankine/bem/boundary_solver.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <string>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/layers/local_inverse.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

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

/// Whether sums over nodes take most of the time of a solve: panels have more nodes on average than
/// any panel without strips.
bool has_many_nodes(double nodes_per_point) {
  return nodes_per_point > far_nodes(FarRule::quartic, 4);
}

/// diag(of_unknown) x + diag(of_known) f; empty if both diagonals are zero. `values`: only zeros.
std::vector<double> density(const Diagonal& of_unknown, std::span<const double> x,
                            const Diagonal& of_known, std::span<const double> f,
                            std::vector<double> values) {
  if (of_unknown.is_zero() && of_known.is_zero()) return {};
  values.resize(x.size());
  const auto add = [&](const Diagonal& diagonal, std::span<const double> from) {
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

SparseRows inverse_of(const std::vector<double>& diagonal) {
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    pattern->columns.push_back(static_cast<std::int32_t>(i));
    pattern->offsets.push_back(static_cast<std::int64_t>(i + 1));
    values.push_back(1.0 / diagonal[i]);
  }
  return {diagonal.size(), std::move(pattern), std::move(values)};
}

void require_size(std::size_t found, std::size_t wanted, const std::string& what) {
  if (found == wanted) return;
  throw InputError(what + " has " + std::to_string(found) + " values where " +
                   std::to_string(wanted) +
                   " are needed; give one per panel, for each right-hand side");
}

}  // namespace

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
  far.tolerance = std::max(fitted::inner_tolerance, far.tolerance);
  far.order = far.leaf_capacity = 0;
  return far;
}

bool has_inner_field(const SolveOptions& options, double nodes_per_point, bool has_wakes) {
  const bool pays = options.fmm.precision == fmm::Precision::float64 &&
                    (has_wakes || has_many_nodes(nodes_per_point));
  return options.mixed_precision || options.relaxation == Relaxation::on ||
         (options.relaxation == Relaxation::automatic && pays);
}

Preconditioner chosen_preconditioner(const SolveOptions& options,
                                     const BoundaryFormulation& formulation,
                                     const Discretization& discretization) {
  if (options.preconditioner != Preconditioner::automatic) return options.preconditioner;
  if (discretization.is_variational()) return Preconditioner::none;
  if (formulation.system.jump.is_zero()) return Preconditioner::two_level;
  return Preconditioner::block;
}

BoundarySolver::BoundarySolver(const Discretization& discretization,
                               BoundaryFormulation formulation, int most_rhs,
                               const SolveOptions& options, Backend& backend, Uses uses)
    : backend_(backend),
      formulation_(std::move(formulation)),
      options_(options),
      most_rhs_(most_rhs),
      uses_(uses),
      layers_(backend, discretization),
      chosen_(chosen_preconditioner(options, formulation_, discretization)) {
  if (most_rhs < 1) {
    throw InputError("the problem has " + std::to_string(most_rhs) +
                     " right-hand sides; give one or more");
  }
  if (discretization.is_variational() && chosen_ != Preconditioner::none) {
    throw InputError(
        "an equation of walls without thickness is scaled by its diagonal; leave out the "
        "preconditioner");
  }
  x_ = backend.allocate(static_cast<std::size_t>(most_rhs) * layers_.unknowns());
}

void BoundarySolver::check(std::span<const double> known) const {
  if (rhs_ < 1 || rhs_ > most_rhs_ || known.size() != sized(layers_.rows()))
    require_size(known.size(), layers_.rows() * static_cast<std::size_t>(most_rhs_),
                 "the boundary data");
  if (parallel_any(known.size(), [&](std::size_t i) { return !std::isfinite(known[i]); }))
    throw InputError("the boundary data holds a value that is not finite; check what made it");
}

void BoundarySolver::start_from(std::span<const double> unknown) {
  if (unknown.empty()) {
    backend_.fill(x_.size(), 0.0, x_.data());
    return;
  }
  require_size(unknown.size(), x_.size(), "the solution to start from");
  if (!std::all_of(unknown.begin(), unknown.end(), [](double v) { return std::isfinite(v); }))
    throw InputError("the solution to start from holds a value that is not finite");
  backend_.upload(unknown, x_.data());
}

std::vector<double> BoundarySolver::start() const { return downloaded(backend_, x_, x_.size()); }

/// Integrates near corrections in one pass over the pairs.
void BoundarySolver::assemble() {
  const BoundaryFormulation& f = formulation_;
  options_.begin("near field");
  MirrorHold near(backend_.memory_space(), layers_.discretization().near_mirrors());
  layers_.assemble(uses_ == Uses::one ? layers_of({&f.system, &f.data, &f.known_potential})
                                      : layers_of({&f.system, &f.data, &f.known_potential,
                                                   &f.potential, &f.flux}));
  layers_.strengths();  // computed on the host while a device integrates
  near.drop();
}

void BoundarySolver::precondition() {
  const Discretization& discretization = layers_.discretization();
  const bool wakes = discretization.has_wakes();
  if (discretization.is_variational()) {
    preconditioner_ = backend_.make_sparse(inverse_of(discretization.diagonal()));
  } else if (chosen_ != Preconditioner::none) {
    const auto make = [this, wakes] {
      options_.begin("preconditioner");
      LocalInverseOptions patches = wakes ? patches_beside_wakes : LocalInverseOptions{};
      if (chosen_ == Preconditioner::two_level) patches.coarse = most_coarse_clusters;
      return local_inverse(layers_, formulation_.system, patches);
    };
    // Wakes and equations of the first kind always need it; bodies do where walls are thinner than
    // panels are wide or where both sides of a plane move against each other.
    const bool may_wait = options_.preconditioner == Preconditioner::automatic &&
                          chosen_ == Preconditioner::block && !wakes;
    const double cost = may_wait ? backend_.local_inverse_cost() : 0.0;
    if (cost == 0.0) {
      preconditioner_ = make();
      return;
    }
    auto late = std::make_unique<LatePreconditioner>(backend_, layers_.unknowns(), cost,
                                                     options_.gmres.tolerance, make);
    late_ = late.get();
    preconditioner_ = std::move(late);
    options_.gmres.callback = [this, given = std::move(options_.gmres.callback)](const auto& at) {
      if (late_->observe(at)) options_.begin("GMRES");
      return !given || given(at);
    };
  }
}

/// Computes b and the potential of the known values with the current sums.
void BoundarySolver::sum_known() {
  const Array known = uploaded(backend_, known_);
  const auto sum = [&](const Equation& equation, SolveVector vector, const Array& near,
                       Array& whole) {
    BoundaryOperator op(*far_, equation);
    backend_.copy(near.size(), near.data(), whole.data());
    check_->add_far(op, vector, 1.0, known.data(), whole.data(), rhs_);
  };
  sum(formulation_.data, SolveVector::known_values, near_b_, b_);
  sum(formulation_.known_potential, SolveVector::potential, near_potential_, potential_);
}

/// Solves, and continues with more accurate sums while their error for the solution exceeds the
/// tolerance. Returns this error for every right-hand side; empty if a stop was requested before.
std::vector<double> BoundarySolver::solve_system(SystemSolver& solver) {
  solver.solve(b_.data());
  bool goes_on = false;
  try {
    throw_if_stopped();
    std::vector<SampledError> errors = solver.solution_errors();
    while (check_->refinement_is_due(SolveVector::solution, errors) && !solver.interrupted()) {
      goes_on = true;
      options_.begin("far field");
      check_->refine();
      options_.begin("right-hand side");
      sum_known();
      options_.begin("GMRES");
      solver.solve(b_.data());
      goes_on = false;
      errors = solver.solution_errors();
    }
    std::vector<double> relative;
    for (const SampledError& each : errors) relative.push_back(each.relative());
    return relative;
  } catch (const Stopped&) {  // the current iterate is returned
    if (goes_on) solver.interrupt();
    return {};
  }
}

BoundarySolution BoundarySolver::solve(std::span<const double> known) {
  rhs_ = layers_.rows() == 0 ? 0 : static_cast<int>(known.size() / layers_.rows());
  check(known);
  const BoundaryFormulation& f = formulation_;
  const bool is_first = !far_;
  BoundarySolution solution;
  Stopwatch stopwatch;
  known_.resize(known.size());
  parallel_for(known.size(), [&](std::size_t i) { known_[i] = known[i]; });
  if (!options_.initial_guess.empty()) {
    require_size(options_.initial_guess.size(), sized(layers_.unknowns()), "initial_guess");
    start_from(std::exchange(options_.initial_guess, {}));
  }

  // Data of the integration, and near corrections that only the known values use, are freed before
  // the sums are planned.
  MirrorHold held(is_first ? backend_.memory_space() : MemorySpace::host,
                  layers_.discretization().mirrors());
  if (is_first) assemble();
  solution.seconds.near_field = stopwatch.lap();
  const std::size_t rows = sized(layers_.rows());
  if (b_.size() != rows) {
    for (Array* const each : {&near_b_, &near_potential_, &b_, &potential_})
      *each = backend_.allocate(rows);
  }
  {
    const Array values = uploaded(backend_, known_);
    const auto add_near = [&](const Equation& equation, Array& to) {
      backend_.fill(rows, 0.0, to.data());
      BoundaryOperator(layers_, equation).add_near(1.0, values.data(), to.data(), rhs_);
    };
    add_near(f.data, near_b_);
    add_near(f.known_potential, near_potential_);
  }
  if (uses_ == Uses::one)
    release_unless_in(layers_, layers_of({&f.data, &f.known_potential}), layers_of({&f.system}));
  solution.seconds.right_hand_side = stopwatch.lap();

  if (!is_first) {
    check_->finish();
  } else {
    precondition();
    solution.seconds.preconditioner = stopwatch.lap();
    options_.begin("far field");
    const Discretization& discretization = layers_.discretization();
    const int columns = most_rhs_ * discretization.components();
    const fmm::Options sums = far_field_options(options_, f, columns);
    const int samples =
        std::min(options_.error_samples, static_cast<int>(sample_count(options_.fmm.tolerance)));
    far_.emplace(layers_, first_options(sums, samples));
    if (has_inner_field(options_, discretization.nodes_per_point(), discretization.has_wakes()))
      inner_far_.emplace(layers_, inner_field_options(options_, f, columns));
    check_.emplace(*far_, sums, samples, options_.combined_errors);
    solution.seconds.setup = stopwatch.lap();
  }

  const double check_before = check_->seconds(), refinement_before = check_->refinement_seconds();
  options_.begin("right-hand side");
  sum_known();
  held.release();
  solution.seconds.right_hand_side += stopwatch.lap();

  // One thread takes as long to clear these vectors as a device takes for a product.
  std::future<void> cleared = std::async([this] {
    for (std::vector<double>* const each :
         {&zeros_.unknown, &zeros_.charge, &zeros_.doublet, &zeros_.flux})
      each->assign(sized(layers_.unknowns()), 0.0);
    zeros_.potential.assign(sized(layers_.rows()), 0.0);
  });
  options_.begin("GMRES");
  BoundaryOperator system(*far_, f.system);
  std::optional<BoundaryOperator> inner_system;
  if (inner_far_) inner_system.emplace(*inner_far_, f.system);
  SystemSolver solver(options_, backend_, system, inner_system ? &*inner_system : nullptr,
                      preconditioner_.get(), *check_, x_.data(), rhs_);
  const double checked = check_->seconds() + check_->refinement_seconds();
  solution.sampled_error = solve_system(solver);
  solution.gmres = solver.results();
  cleared.get();
  solution.unknown = std::move(zeros_.unknown);
  backend_.download(x_.data(), solution.unknown);
  solution.seconds.solve = stopwatch.lap();
  const double late = late_ != nullptr ? late_->take_seconds() : 0.0;
  solution.seconds.solve -= late;
  solution.seconds.preconditioner += late;
  const double multiplied =
      solution.seconds.solve - (check_->seconds() + check_->refinement_seconds() - checked);
  solution.seconds.matvec = solver.products() > 0 ? multiplied / solver.products() : 0.0;
  solution.near_entries = system.near_entries();
  solution.near_bytes = system.near_bytes();
  solution.preconditioner = late_ != nullptr && !late_->is_made() ? Preconditioner::none : chosen_;
  solution.far_field = far_->info();
  solution.accuracy = check_->accuracy();
  solution.seconds.check = check_->seconds() - check_before;
  solution.seconds.refinement = check_->refinement_seconds() - refinement_before;
  Execution::uninterrupted().run([&] {  // these are results of the current iterate
    solution.charge =
        density(f.charge, solution.unknown, f.known_charge, known_, std::move(zeros_.charge));
    solution.doublet =
        density(f.doublet, solution.unknown, f.known_doublet, known_, std::move(zeros_.doublet));
  });
  solution.seconds.evaluate = stopwatch.lap();
  return solution;
}

void BoundarySolver::evaluate(BoundarySolution& solution) try {
  const BoundaryFormulation& f = formulation_;
  const Stopwatch stopwatch;
  const double check_before = check_->seconds(), refinement_before = check_->refinement_seconds();
  throw_if_stopped();
  options_.begin("potential");
  const std::vector<Layer> needed = layers_of({&f.potential, &f.flux});
  if (uses_ == Uses::one) release_unless_in(layers_, layers_of({&f.system}), needed);
  layers_.assemble(needed);
  const Array x = uploaded(backend_, solution.unknown);
  const auto add = [&](const Equation& equation, Array& to) {
    BoundaryOperator op(*far_, equation);
    check_->add_far(op, SolveVector::potential, 1.0, x.data(), to.data(), rhs_);
    op.add_near(1.0, x.data(), to.data(), rhs_);
  };
  add(f.potential, potential_);
  solution.flux =
      density(f.flux.jump, solution.unknown, f.known_flux, known_, std::move(zeros_.flux));
  if (!layers_of({&f.flux}).empty()) {
    Array flux = uploaded(backend_, solution.flux);
    add({f.flux.terms}, flux);
    solution.flux = downloaded(backend_, flux, flux.size());
  }
  solution.potential = std::move(zeros_.potential);
  solution.potential.resize(potential_.size());
  backend_.download(potential_.data(), solution.potential);
  solution.far_field = far_->info();
  solution.accuracy = check_->accuracy();
  solution.seconds.evaluate += stopwatch.seconds();
  solution.seconds.check += check_->seconds() - check_before;
  solution.seconds.refinement += check_->refinement_seconds() - refinement_before;
} catch (const Stopped&) {  // the solution has no potential
}

BoundarySolution solve(const BoundaryProblem& problem, const SolveOptions& options,
                       Backend& backend) {
  BoundarySolver solver(problem.discretization, problem.formulation, problem.rhs, options, backend,
                        Uses::one);
  require_size(problem.known.size(),
               problem.discretization.rows() * static_cast<std::size_t>(problem.rhs),
               "the boundary data");
  BoundarySolution solution = solver.solve(problem.known);
  solver.evaluate(solution);
  return solution;
}

}  // namespace rankine::bem
