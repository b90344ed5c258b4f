#include "rankine/bem/repeated_problem.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "rankine/bem/layers/local_inverse.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

LocalInverseOptions local_options(Preconditioner preconditioner) {
  LocalInverseOptions options;
  if (preconditioner == Preconditioner::two_level) options.coarse = most_coarse_clusters;
  return options;
}

}  // namespace

RepeatedProblem::RepeatedProblem(const Discretization& discretization,
                                 BoundaryFormulation formulation, const SolveOptions& options,
                                 Backend& backend)
    : backend_(backend),
      formulation_(std::move(formulation)),
      options_(options),
      layers_(backend, discretization),
      sums_(far_field_options(options, formulation_, 1)),
      chosen_(chosen_preconditioner(options, formulation_, discretization)),
      known_(backend.allocate(discretization.points().size())),
      b_(backend.allocate(discretization.points().size())),
      x_(backend.allocate(discretization.unknowns())) {
  const ThreadScope threads(backend.threads());
  std::vector<Layer> layers;
  for (const Equation* each : {&formulation_.system, &formulation_.data, &formulation_.potential}) {
    for (const Term& term : each->terms) {
      if (!term.left.is_zero() && !term.right.is_zero()) layers.push_back(term.layer);
    }
  }
  layers_.assemble(layers);
  if (chosen_ != Preconditioner::none)
    preconditioner_ = local_inverse(layers_, formulation_.system, local_options(chosen_));
  far_ = std::make_unique<FarField>(layers_,
                                    first_options(sums_, options.error_samples, layers_.rows()));
  system_ = std::make_unique<BoundaryOperator>(*far_, formulation_.system);
  data_ = std::make_unique<BoundaryOperator>(*far_, formulation_.data);
}

GmresResult RepeatedProblem::run(const Array& known) {
  backend_.fill(b_.size(), 0.0, b_.data());
  data_->add(1.0, known.data(), b_.data());
  return gmres(backend_, *system_, b_.data(), x_.data(), options_.gmres, preconditioner_.get());
}

/// Builds better sums as long as the solution's errors ask for them.
void RepeatedProblem::measure(const Array& known, GmresResult& result) {
  FarFieldCheck check(*far_, sums_, options_.error_samples);
  while (check.raise_is_due(SolveVector::solution, check.errors_of(*system_, x_.data(), 1))) {
    check.raise();
    const int before = result.iterations;
    result = run(known);
    result.iterations += before;
  }
  accuracy_ = check.accuracy();
}

GmresResult RepeatedProblem::solve(const Array& known) {
  const ThreadScope threads(backend_.threads());
  if (!std::isfinite(backend_.norm(known_.size(), known.data())))
    throw InputError("the boundary data holds a value that is not finite; check what made it");
  backend_.copy(known_.size(), known.data(), known_.data());
  GmresResult result = run(known);
  if (!std::exchange(measured_, true)) measure(known, result);
  return result;
}

void RepeatedProblem::start_from(std::span<const double> unknown) {
  if (unknown.size() != x_.size()) {
    throw InputError("the solution to start from has " + std::to_string(unknown.size()) +
                     " values where " + std::to_string(x_.size()) +
                     " are needed; give one per panel");
  }
  backend_.upload(unknown, x_.data());
}

std::vector<double> RepeatedProblem::unknown() const { return downloaded(backend_, x_, x_.size()); }

std::vector<double> RepeatedProblem::potential() {
  const ThreadScope threads(backend_.threads());
  Array phi = backend_.allocate(b_.size());
  BoundaryOperator(*far_, formulation_.potential).add(1.0, x_.data(), phi.data());
  return downloaded(backend_, phi, phi.size());
}

/// The factors times x and what is known; empty where both are zero.
std::vector<double> RepeatedProblem::density(const Diagonal& of_unknown,
                                             const Diagonal& of_known) const {
  if (of_unknown.is_zero() && of_known.is_zero()) return {};
  Array values = backend_.allocate(x_.size());
  backend_.axpy(values.size(), of_unknown.factor, x_.data(), values.data());
  backend_.axpy(values.size(), of_known.factor, known_.data(), values.data());
  return downloaded(backend_, values, values.size());
}

std::vector<double> RepeatedProblem::charge() const {
  return density(formulation_.charge, formulation_.known_charge);
}

std::vector<double> RepeatedProblem::doublet() const {
  return density(formulation_.doublet, formulation_.known_doublet);
}

}  // namespace rankine::bem
