#include "rankine/bem/krylov/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/krylov/lockstep.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// One right-hand side and its state.
struct Refined {
  LinearSystem system;
  double* residual_vector;  ///< b - A x
  double* correction;
  int rhs;
  bool finished = false;
  bool judged = false;                         ///< the true residual is that of the current x
  GmresStatus inner = GmresStatus::converged;  ///< how the last inner solve ended
  GmresResult result{};

  void finish(GmresStatus status) {
    result.status = status;
    finished = true;
  }

  /// Adds the record of an inner solve for the residual vector.
  void take(const GmresResult& solved) {
    const double scale = result.true_residual;
    judged = false;
    inner = solved.status;
    result.iterations += solved.iterations;
    result.residual = scale * solved.residual;
    for (std::size_t k = 1; k < solved.history.size(); ++k)
      result.history.push_back(scale * solved.history[k]);
  }

  /// Ends, depending on the true residual of the current x, unless another round is needed.
  void judge(double residual, bool stopped, const GmresOptions& options) {
    const bool initial = result.history.empty();
    if (!std::isfinite(residual)) {  // the product is not finite: x is, and its residual is the
                                     // estimate
      result.true_residual = initial ? residual : result.residual;
      finish(GmresStatus::breakdown);
      return;
    }
    const double before = result.true_residual;
    result.true_residual = residual;
    judged = true;
    if (initial) {
      result.residual = residual;
      result.history.push_back(residual);
    }
    if (residual <= options.tolerance) {
      finish(GmresStatus::converged);
    } else if (stopped) {
      finish(GmresStatus::interrupted);
    } else if (!initial && residual >= fitted::least_progress * before) {
      finish(inner == GmresStatus::converged ? GmresStatus::stagnated : inner);
    } else if (result.iterations >= options.max_iterations) {
      finish(GmresStatus::max_iterations);
    }
  }

  /// Ends with the current x. Its residual is the estimate if the true one was not computed.
  void abandon() {
    if (finished) return;
    if (!judged) result.true_residual = result.residual;
    finish(GmresStatus::interrupted);
  }
};

class Refinement {
 public:
  Refinement(Backend& backend, int rhs, LinearOperator& accurate, LinearOperator& inner,
             double inner_accuracy, const double* b, double* x, const GmresOptions& options,
             LinearOperator* preconditioner)
      : backend_(backend),
        n_(accurate.rows()),
        inner_(inner),
        inner_accuracy_(inner_accuracy),
        preconditioner_(preconditioner),
        options_(options),
        batch_(backend, accurate),
        residual_vectors_(backend.allocate(static_cast<std::size_t>(rhs) * n_)),
        corrections_(backend.allocate(static_cast<std::size_t>(rhs) * n_)) {
    for (int k = 0; k < rhs; ++k) {
      const std::size_t first = static_cast<std::size_t>(k) * n_;
      all_.push_back({LinearSystem(backend, n_, b + first, x + first),
                      residual_vectors_.data() + first, corrections_.data() + first, k});
    }
  }

  std::vector<GmresResult> run() {
    for (Refined& each : all_) {
      if (!each.system.solved_by_zero()) continue;
      each.result.history = {0.0};
      each.finish(GmresStatus::converged);
    }
    try {
      measure();
      while (std::any_of(all_.begin(), all_.end(), [](const Refined& e) { return !e.finished; })) {
        round();
        measure();
      }
    } catch (const Stopped&) {
      const auto has_iterate = [](const Refined& e) {
        return e.finished || e.result.iterations > 0;
      };
      if (!std::all_of(all_.begin(), all_.end(), has_iterate)) throw;
      for (Refined& each : all_) each.abandon();
    }
    std::vector<GmresResult> results;
    for (const Refined& each : all_) results.push_back(each.result);
    return results;
  }

 private:
  /// Computes the true residuals of all unfinished right-hand sides, in one product for those whose
  /// x is not zero.
  void measure() {
    std::vector<Product> wanted;
    std::vector<ProductRequest> requests;
    std::vector<Refined*> multiplied;
    for (Refined& each : all_) {
      if (each.finished) continue;
      if (each.system.residual_is_b(each.residual_vector)) {
        each.judge(1.0, stopped_, options_);
      } else {
        wanted.push_back({each.system.x(), each.residual_vector});
        requests.push_back({.rhs = each.rhs});
        multiplied.push_back(&each);
      }
    }
    if (options_.before_product && !wanted.empty()) options_.before_product(requests);
    batch_.apply(wanted);
    for (Refined* each : multiplied)
      each->judge(each->system.residual(each->residual_vector), stopped_, options_);
  }

  /// Solves for the corrections and adds them.
  void round() {
    Lockstep lockstep(backend_, inner_, options_.before_product, preconditioner_);
    std::vector<Refined*> solved;
    for (Refined& each : all_) {
      if (each.finished) continue;
      backend_.fill(n_, 0.0, each.correction);
      lockstep.add(each.residual_vector, each.correction, inner_options(each), each.rhs);
      solved.push_back(&each);
    }
    const std::vector<GmresResult> results = lockstep.run();
    Execution::uninterrupted().run([&] {  // so that either all right-hand sides or none are
                                          // corrected
      for (std::size_t k = 0; k < solved.size(); ++k) {
        backend_.axpy(n_, 1.0, solved[k]->correction, solved[k]->system.x());
        solved[k]->take(results[k]);
      }
    });
  }

  GmresOptions inner_options(const Refined& each) {
    const double residual = each.result.true_residual;
    const int done = each.result.iterations;
    GmresOptions inner = options_;
    // Half of the allowed residual; the other half is for the error of the cheap operator.
    inner.tolerance = std::min(std::max(0.5 * options_.tolerance / residual, inner_accuracy_), 0.5);
    inner.max_iterations = options_.max_iterations - done;
    inner.after_update = {};
    if (options_.callback) {
      inner.callback = [this, done, residual](const GmresIteration& at) {
        stopped_ = !options_.callback(
            {done + at.iteration, residual * at.residual, watch_.seconds(), at.rhs});
        return !stopped_;
      };
    }
    return inner;
  }

  Backend& backend_;
  std::size_t n_;
  LinearOperator& inner_;
  double inner_accuracy_;
  LinearOperator* preconditioner_;
  const GmresOptions& options_;
  ProductBatch batch_;
  Array residual_vectors_, corrections_;
  std::vector<Refined> all_;
  Stopwatch watch_;
  bool stopped_ = false;
};

}  // namespace

std::vector<GmresResult> refine(Backend& backend, int rhs, LinearOperator& accurate,
                                LinearOperator& inner, double inner_accuracy, const double* b,
                                double* x, const GmresOptions& options,
                                LinearOperator* preconditioner) {
  return Refinement(backend, rhs, accurate, inner, inner_accuracy, b, x, options, preconditioner)
      .run();
}

GmresResult refine(Backend& backend, LinearOperator& accurate, LinearOperator& inner,
                   double inner_accuracy, const double* b, double* x, const GmresOptions& options,
                   LinearOperator* preconditioner) {
  return refine(backend, 1, accurate, inner, inner_accuracy, b, x, options, preconditioner).front();
}

}  // namespace rankine::bem
