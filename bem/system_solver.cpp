#include "rankine/bem/system_solver.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/krylov/refinement.hpp"

namespace rankine::bem {
namespace {

/// Appends `rest`, the continuation of `before`, unless `before` is empty.
void append(GmresResult& before, const GmresResult& rest) {
  if (before.history.empty()) {
    before = rest;
    return;
  }
  before.status = rest.status;
  before.iterations += rest.iterations;
  before.residual = rest.residual;
  before.true_residual = rest.true_residual;
  before.history.insert(before.history.end(), rest.history.begin() + 1, rest.history.end());
}

/// Counts products.
class Counted final : public LinearOperator {
 public:
  Counted(LinearOperator& op, int& products) : op_(op), products_(products) {}

  std::size_t rows() const override { return op_.rows(); }
  std::size_t columns() const override { return op_.columns(); }
  void add(double alpha, const double* x, double* y, int rhs) override {
    ++products_;
    op_.add(alpha, x, y, rhs);
  }
  void add_transposed(double alpha, const double* x, double* y, int rhs) override {
    op_.add_transposed(alpha, x, y, rhs);
  }

 private:
  LinearOperator& op_;
  int& products_;
};

}  // namespace

SystemMatrix::SystemMatrix(BoundaryOperator& accurate, BoundaryOperator* inner,
                           FarFieldCheck& check, const double* x, int rhs)
    : accurate_(accurate),
      inner_(inner),
      check_(check),
      iterates_(x),
      sampled_(static_cast<std::size_t>(rhs)) {}

void SystemMatrix::add(double alpha, const double* x, double* y, int rhs) {
  const bool first = products_++ == 0;
  const double accuracy = least_accuracy(requests_);
  const bool directions = accuracy > 0.0, first_directions = directions && !direction_measured_;
  direction_measured_ = direction_measured_ || directions;
  // Errors of several products accumulate, so each may have a fifth of the sufficient accuracy.
  if (inner_ && 0.2 * accuracy >= fitted::inner_tolerance) {
    inner_->add(alpha, x, y, rhs);
    return;
  }
  const SolveVector vector = directions ? SolveVector::krylov_vector : SolveVector::solution;
  const std::size_t refinements = check_.accuracy().refinements.size();
  std::vector<SampledValues> found = first || first_directions
                                         ? check_.add_far(accurate_, vector, alpha, x, y, rhs)
                                         : check_.sampled_add_far(accurate_, alpha, x, y, rhs);
  accurate_.add_near(alpha, x, y, rhs);
  const bool refined = check_.accuracy().refinements.size() > refinements;
  has_old_residuals_ = directions && (has_old_residuals_ || (refined && !first));
  for (std::size_t k = 0; k < found.size(); ++k) {
    Sampled& sampled = sampled_[static_cast<std::size_t>(requests_[k].rhs)];
    if (requests_[k].is_iterate()) {
      sampled = {std::move(found[k]), {}};
    } else {
      sampled.directions.push_back(std::move(found[k]));
    }
  }
}

void SystemMatrix::add_transposed(double alpha, const double* x, double* y, int rhs) {
  accurate_.add_transposed(alpha, x, y, rhs);
}

void SystemMatrix::expect(std::span<const ProductRequest> requests) {
  requests_.assign(requests.begin(), requests.end());
}

void SystemMatrix::update(int rhs, std::span<const double> weights) {
  Sampled& sampled = sampled_[static_cast<std::size_t>(rhs)];
  const std::size_t count = std::min(weights.size(), sampled.directions.size());
  for (std::size_t k = 0; k < count; ++k) sampled.iterate.add(weights[k], sampled.directions[k]);
  sampled.directions.clear();
}

std::vector<SampledError> SystemMatrix::solution_errors() {
  std::vector<SampledValues> found;
  for (const Sampled& each : sampled_) found.push_back(each.iterate);
  return check_.errors_of(accurate_, iterates_, found);
}

SystemSolver::SystemSolver(const SolveOptions& options, Backend& backend,
                           BoundaryOperator& accurate, BoundaryOperator* inner,
                           LinearOperator* preconditioner, FarFieldCheck& check, double* x, int rhs)
    : options_(options),
      backend_(backend),
      inner_(inner),
      preconditioner_(preconditioner),
      x_(x),
      matrix_(accurate, inner, check, x, rhs),
      results_(static_cast<std::size_t>(rhs)) {}

void SystemSolver::solve(const double* b) {
  do {
    const std::vector<GmresResult> rest = run(b, options_of_the_rest());
    for (std::size_t k = 0; k < rest.size(); ++k) append(results_[k], rest[k]);
  } while (matrix_.has_old_residuals() && !interrupted());
}

void SystemSolver::interrupt() {
  for (GmresResult& each : results_) each.status = GmresStatus::interrupted;
}

bool SystemSolver::interrupted() const {
  return std::any_of(results_.begin(), results_.end(), [](const GmresResult& each) {
    return each.status == GmresStatus::interrupted;
  });
}

GmresOptions SystemSolver::options_of_the_rest() {
  GmresOptions rest = options_.gmres;
  std::vector<int> done;
  for (const GmresResult& each : results_) done.push_back(each.iterations);
  rest.max_iterations -= *std::max_element(done.begin(), done.end());
  if (options_.gmres.callback) {
    rest.callback = [this, done](const GmresIteration& at) {
      return options_.gmres.callback({done[static_cast<std::size_t>(at.rhs)] + at.iteration,
                                      at.residual, watch_.seconds(), at.rhs});
    };
  }
  return rest;
}

std::vector<GmresResult> SystemSolver::run(const double* b, GmresOptions krylov) {
  const int rhs = static_cast<int>(results_.size());
  krylov.before_product = [&, given = krylov.before_product](auto requests) {
    matrix_.expect(requests);
    if (given) given(requests);
  };
  krylov.after_update = [&](int which, std::span<const double> weights) {
    matrix_.update(which, weights);
  };
  if (options_.mixed_precision || options_.fmm.precision == fmm::Precision::float32)
    krylov.product_error =
        std::max(krylov.product_error, 16.0 * std::numeric_limits<float>::epsilon());
  if (inner_ && !options_.mixed_precision)
    krylov.product_error = std::numeric_limits<double>::infinity();
  if (!options_.mixed_precision)
    return gmres(backend_, rhs, matrix_, b, x_, krylov, preconditioner_);
  Counted cheap(*inner_, inner_products_);
  return refine(backend_, rhs, matrix_, cheap, 3.0 * fitted::inner_tolerance, b, x_, krylov,
                preconditioner_);
}

}  // namespace rankine::bem
