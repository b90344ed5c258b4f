#include "rankine/bem/layers/far_field_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numeric>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/order.hpp"

namespace rankine::bem {
namespace {

constexpr std::size_t most_refinements = 3;

}  // namespace

fmm::Options first_options(const fmm::Options& asked, int samples) {
  fmm::Options first = asked;
  if (samples == 0 || asked.order > 0) return first;
  if (asked.gradient)
    first.tolerance = std::max(fitted::first_of_gradients * asked.tolerance,
                               fmm::least_tolerance(asked.precision));
  return first;
}

SolveVector FarFieldAccuracy::worst() const {
  return static_cast<SolveVector>(std::max_element(errors.begin(), errors.end()) - errors.begin());
}

bool FarFieldAccuracy::kept() const { return error(worst()) <= fitted::kept_factor * asked; }

double CombinedErrors::largest(std::span<const double> errors) const {
  double most = 0.0;
  if (weights.empty() || weights.front().size() != errors.size()) {
    for (const double each : errors) most = std::max(most, each);
  } else {
    for (const std::vector<double>& row : weights)
      most = std::max(most, std::inner_product(row.begin(), row.end(), errors.begin(), 0.0));
  }
  return most;
}

FarFieldCheck::FarFieldCheck(FarField& far, const fmm::Options& options, int samples,
                             CombinedErrors combined)
    : far_(far),
      options_(options),
      samples_(static_cast<int>(
          std::min(far.layers().points(), static_cast<std::size_t>(std::max(0, samples))))),
      combined_(std::move(combined)) {
  accuracy_.asked = options.tolerance;
  accuracy_.tolerance = first_options(options, samples_).tolerance;
  accuracy_.samples = samples_;
}

SampledSums& FarFieldCheck::samples() {
  if (!sums_) sums_.emplace(far_.layers(), samples_, options_.rhs);
  return *sums_;
}

std::vector<SampledValues> FarFieldCheck::add_far(BoundaryOperator& op, SolveVector vector,
                                                  double alpha, const double* x, double* y,
                                                  int rhs) {
  if (!measures(op)) return sampled_add_far(op, alpha, x, y, rhs);
  Backend& backend = far_.layers().backend();
  const std::size_t size = op.rows() * static_cast<std::size_t>(rhs);
  const std::vector<SampledValues> exact = direct_sums(op, x, rhs);
  Array sums = backend.allocate(size);
  for (;;) {
    std::vector<SampledValues> found = sampled_add_far(op, alpha, x, sums.data(), rhs);
    if (!refinement_is_due(vector, errors(found, exact))) {
      backend.axpy(size, 1.0, sums.data(), y);
      return found;
    }
    refine();
    backend.fill(size, 0.0, sums.data());
  }
}

std::vector<SampledValues> FarFieldCheck::sampled_add_far(BoundaryOperator& op, double alpha,
                                                          const double* x, double* y, int rhs) {
  std::vector<SampledValues> found(static_cast<std::size_t>(rhs));
  if (!measures(op)) {
    op.add_far(alpha, x, y, rhs);
    return found;
  }
  op.add_far(alpha, x, y, rhs, [&](const fmm::Strengths&, const fmm::Results& results) {
    const Stopwatch watch;
    samples().take(results, found);
    seconds_ += watch.seconds();
  });
  return found;
}

std::vector<SampledValues> FarFieldCheck::direct_sums(BoundaryOperator& op, const double* x,
                                                      int rhs) {
  const Stopwatch watch;
  std::vector<SampledValues> exact(static_cast<std::size_t>(rhs));
  op.visit_strengths(x, rhs, [&](const fmm::Strengths& given, const fmm::Results& like) {
    samples().sum(given, like, exact);
  });
  seconds_ += watch.seconds();
  return exact;
}

std::vector<SampledError> FarFieldCheck::errors(std::span<const SampledValues> found,
                                                std::span<const SampledValues> exact) {
  std::vector<SampledError> all;
  for (std::size_t k = 0; k < found.size(); ++k) all.push_back(samples().error(found[k], exact[k]));
  return all;
}

std::vector<SampledError> FarFieldCheck::errors_of(BoundaryOperator& op, const double* x,
                                                   std::span<const SampledValues> found) {
  if (!measures(op)) return std::vector<SampledError>(found.size());
  return errors(found, direct_sums(op, x, static_cast<int>(found.size())));
}

bool FarFieldCheck::refinement_is_due(SolveVector vector, const std::vector<SampledError>& errors) {
  if (samples_ == 0) return false;
  std::vector<double> found, likely;
  for (const SampledError& each : errors) {
    found.push_back(each.relative());
    likely.push_back(each.likely_bound());
  }
  const double measured = combined_.largest(found), error = combined_.largest(likely);
  double& noted = accuracy_.errors[static_cast<std::size_t>(vector)];
  // The solution's error replaces that of earlier iterates. The potential is summed in two parts.
  noted = vector == SolveVector::solution ? measured : std::max(noted, measured);
  if (!std::isfinite(error) || error <= fitted::kept_factor * accuracy_.asked) return false;
  if (accuracy_.limit == RefinementLimit::none) accuracy_.limit = limit(vector, error);
  if (accuracy_.limit != RefinementLimit::none) return false;
  const fmm::OperatorInfo& sums = far_.info();
  due_ = {vector, error, sums.order,
          fmm::order_with_gain(sums.order, error / accuracy_.asked, sums.precision)};
  return true;
}

/// Why no refinement can follow.
RefinementLimit FarFieldCheck::limit(SolveVector vector, double error) const {
  if (options_.order > 0) return RefinementLimit::order_given;
  const fmm::OperatorInfo& sums = far_.info();
  if (sums.method == fmm::Method::direct || sums.order >= fmm::highest_order(sums.precision) ||
      accuracy_.tolerance <= fmm::least_tolerance(sums.precision))
    return RefinementLimit::precision;
  const std::vector<FarFieldRefinement>& refinements = accuracy_.refinements;
  // A single refinement without effect may be due to a different, less suitable octree.
  const auto in_vain = [&](const FarFieldRefinement& refinement, SolveVector next, double left) {
    return refinement.vector == next && left > fitted::least_gain * refinement.error;
  };
  const std::size_t n = refinements.size();
  if (n >= 2 && in_vain(refinements[n - 1], vector, error) &&
      in_vain(refinements[n - 2], refinements[n - 1].vector, refinements[n - 1].error))
    return RefinementLimit::no_gain;
  return n < most_refinements ? RefinementLimit::none : RefinementLimit::refined_enough;
}

void FarFieldCheck::refine() {
  const Stopwatch watch;
  try {
    far_.set_order(due_.order);
    accuracy_.refinements.push_back(due_);
    accuracy_.tolerance *= accuracy_.asked / due_.error;
  } catch (const std::bad_alloc&) {
    accuracy_.limit = RefinementLimit::memory;
  } catch (const DeviceMemoryError&) {
    accuracy_.limit = RefinementLimit::memory;
  }
  if (accuracy_.limit == RefinementLimit::memory) far_.set_order(due_.order_before);
  accuracy_.errors = {};
  refinement_seconds_ += watch.seconds();
}

std::string_view to_string(SolveVector vector) {
  constexpr std::array words{"right-hand side", "first Krylov vector", "solution", "potential"};
  return words[static_cast<std::size_t>(vector)];
}

}  // namespace rankine::bem
