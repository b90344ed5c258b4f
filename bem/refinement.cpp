#include "bem/refinement.hpp"

#include <algorithm>
#include <cmath>

namespace rankine::bem {
namespace {

/// A round must reduce the true residual by at least this factor.
constexpr double least_progress = 0.5;

class Refinement {
 public:
  Refinement(Backend& backend, std::size_t n, const LinearMap& accurate, const LinearMap& inner,
             double inner_accuracy, const double* b, double* x, const GmresOptions& options)
      : backend_(backend),
        n_(n),
        accurate_(accurate),
        inner_(inner),
        inner_accuracy_(inner_accuracy),
        b_(b),
        x_(x),
        options_(options),
        residual_vector_(backend.allocate(n)),
        correction_(backend.allocate(n)) {}

  GmresResult run() {
    b_norm_ = backend_.norm(n_, b_);
    if (b_norm_ == 0.0) {
      backend_.scale(n_, 0.0, x_);
      result_.history = {0.0};
      return result_;
    }
    double residual = true_residual();
    result_.history.push_back(residual);
    while (true) {
      result_.true_residual = residual;
      if (!std::isfinite(residual)) return finish(GmresStatus::breakdown);
      if (residual <= options_.tolerance) return finish(GmresStatus::converged);
      if (result_.iterations >= options_.max_iterations) {
        return finish(GmresStatus::max_iterations);
      }
      const GmresStatus status = round(residual);
      const double before = residual;
      residual = true_residual();
      result_.true_residual = residual;
      if (residual <= options_.tolerance) return finish(GmresStatus::converged);
      if (status == GmresStatus::interrupted) return finish(status);
      if (!(residual < least_progress * before)) {
        return finish(status == GmresStatus::converged ? GmresStatus::stagnated : status);
      }
    }
  }

 private:
  GmresResult finish(GmresStatus status) {
    result_.status = status;
    return result_;
  }

  /// |b - A x| / |b|, leaving b - A x in residual_vector_; no product where x is zero.
  double true_residual() {
    double* r = residual_vector_.data();
    if (backend_.norm(n_, x_) == 0.0) {
      backend_.copy(n_, b_, r);
      return 1.0;
    }
    accurate_(x_, r);
    backend_.scale(n_, -1.0, r);
    backend_.axpy(n_, 1.0, b_, r);
    return backend_.norm(n_, r) / b_norm_;
  }

  /// Solves for the correction and adds it.
  GmresStatus round(double residual) {
    GmresOptions inner = options_;
    // Half of what is missing leaves room for the error of the cheap operator.
    inner.tolerance = std::clamp(0.5 * options_.tolerance / residual, inner_accuracy_, 0.5);
    inner.max_iterations = options_.max_iterations - result_.iterations;
    const int done = result_.iterations;
    if (options_.callback) {
      inner.callback = [&, done](const GmresIteration& at) {
        return options_.callback({done + at.iteration, residual * at.residual, at.seconds});
      };
    }
    backend_.scale(n_, 0.0, correction_.data());
    const GmresResult solved =
        gmres(backend_, n_, inner_, residual_vector_.data(), correction_.data(), inner);
    backend_.axpy(n_, 1.0, correction_.data(), x_);
    result_.iterations += solved.iterations;
    result_.residual = residual * solved.residual;
    for (std::size_t k = 1; k < solved.history.size(); ++k) {
      result_.history.push_back(residual * solved.history[k]);
    }
    return solved.status;
  }

  Backend& backend_;
  std::size_t n_;
  const LinearMap &accurate_, &inner_;
  double inner_accuracy_;
  const double* b_;
  double* x_;
  const GmresOptions& options_;
  Array residual_vector_, correction_;
  double b_norm_ = 0.0;
  GmresResult result_;
};

}  // namespace

GmresResult refine(Backend& backend, std::size_t n, const LinearMap& accurate,
                   const LinearMap& inner, double inner_accuracy, const double* b, double* x,
                   const GmresOptions& options) {
  return Refinement(backend, n, accurate, inner, inner_accuracy, b, x, options).run();
}

}  // namespace rankine::bem
