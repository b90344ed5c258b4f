#include "rankine/bem/krylov/krylov_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rankine/fmm/core/execution.hpp"

namespace rankine::bem {
namespace {

/// A cycle has at most as many iterations as are allowed in total, and as the dimension of the
/// space.
int cycle_length(std::size_t n, const GmresOptions& options) {
  const int longest = std::max(1, std::min(options.restart, options.max_iterations));
  return static_cast<int>(std::clamp<std::size_t>(n, 1, static_cast<std::size_t>(longest)));
}

}  // namespace

KrylovSolver::KrylovSolver(Backend& backend, std::size_t n, const double* b, double* x,
                           GmresOptions options, int rhs, LinearOperator* preconditioner)
    : backend_(backend),
      n_(n),
      own_(backend.own_rows(n)),
      system_(backend, n, b, x),
      options_(std::move(options)),
      rhs_(rhs),
      preconditioner_(preconditioner),
      cycle_length_(cycle_length(n, options_)),
      v_(backend, n, cycle_length_ + 1),
      z_(backend, n, cycle_length_) {
  if (own_.size() < n)
    for (Array& each : work_) each = backend.allocate(n);
  want_residual();
  if (system_.solved_by_zero()) {
    result_.history = {0.0};
    finish(GmresStatus::converged);
  } else if (system_.residual_is_b(wanted_.y)) {
    keep(wanted_.y, v_.column(0));
    judge(1.0);
  }
}

ProductRequest KrylovSolver::request() const {
  return {rhs_, stage_ == Stage::direction ? options_.tolerance / result_.residual : 0.0};
}

void KrylovSolver::receive() {
  if (stage_ == Stage::residual) {
    const double residual = system_.residual(wanted_.y);
    keep(wanted_.y, v_.column(0));
    judge(residual);
  } else if (stage_ == Stage::direction) {
    extend();
  }
}

void KrylovSolver::interrupt() {
  interrupted_ = true;
  if (stage_ == Stage::direction) end_cycle();
}

void KrylovSolver::abandon() {
  if (finished()) return;
  if (stage_ == Stage::direction) end_cycle();
  result_.true_residual = result_.residual;
  finish(GmresStatus::interrupted);
}

double* KrylovSolver::whole(int work, double* own) {
  return own_.size() == n_ ? own : work_[static_cast<std::size_t>(work)].data();
}

void KrylovSolver::keep(const double* values, double* own) {
  if (values != own) backend_.copy(own_.size(), values + own_.begin, own);
}

void KrylovSolver::want_residual() {
  stage_ = Stage::residual;
  wanted_ = {system_.x(), whole(0, v_.column(0))};
}

void KrylovSolver::want_direction() {
  stage_ = Stage::direction;
  const int k = hessenberg_.columns();
  double *const w = v_.column(k + 1), *const own_v = v_.column(k), *const v = whole(0, own_v);
  if (v != own_v) {
    backend_.copy(own_.size(), own_v, v + own_.begin);
    backend_.complete(n_, v);
  }
  wanted_ = {v, whole(1, w)};
  if (preconditioner_) {
    double* const z = whole(1, z_.column(k));
    backend_.fill(n_, 0.0, z);
    preconditioner_->add(1.0, v, z);
    keep(z, z_.column(k));
    wanted_ = {z, whole(0, w)};  // v is not needed any more
  }
}

void KrylovSolver::judge(double residual) {
  const bool initial = result_.history.empty();
  if (!std::isfinite(residual)) {  // the product is not finite: x is, and its residual is the
                                   // estimate
    result_.true_residual = initial ? residual : result_.residual;
    finish(GmresStatus::breakdown);
    return;
  }
  const double before = result_.true_residual;
  result_.true_residual = residual;
  if (initial) {
    result_.residual = residual;
    result_.history.push_back(residual);
  }
  if (residual <= options_.tolerance) {
    finish(GmresStatus::converged);
  } else if (interrupted_) {
    finish(GmresStatus::interrupted);
  } else if (exhausted_) {
    finish(GmresStatus::breakdown);
  } else if (result_.iterations >= options_.max_iterations) {
    finish(GmresStatus::max_iterations);
  } else if (!initial && residual > (1.0 - 1e-3) * before) {
    finish(GmresStatus::stagnated);
  } else {
    begin_cycle(residual);
  }
}

void KrylovSolver::begin_cycle(double residual) {
  result_.residual = residual;
  backend_.scale(own_.size(), 1.0 / (residual * system_.b_norm()), v_.column(0));
  hessenberg_.start(residual);
  want_direction();
}

void KrylovSolver::extend() {
  const int k = hessenberg_.columns();
  double* w = v_.column(k + 1);
  keep(wanted_.y, w);
  double length = 0.0;
  const std::vector<double> h = orthogonalise(k, w, length);
  const double next = h.back();
  if (!std::isfinite(length)) {
    exhausted_ = true;  // the cycle ends without this column
    end_cycle();
    return;
  }
  result_.residual = hessenberg_.append(h);
  ++result_.iterations;
  result_.history.push_back(result_.residual);
  // If only rounding errors of w remain after projection, the space is invariant.
  exhausted_ = !(next > 1e-14 * length);
  if (!exhausted_) backend_.scale(own_.size(), 1.0 / next, w);
  interrupted_ = options_.callback &&
                 !options_.callback({result_.iterations, result_.residual, watch_.seconds(), rhs_});

  const bool end = exhausted_ || interrupted_ || result_.residual <= options_.tolerance ||
                   result_.iterations >= options_.max_iterations || k + 1 == cycle_length_;
  if (!end) {
    want_direction();
  } else if (result_.residual + end_cycle() <= options_.tolerance && !exhausted_) {
    judge(result_.residual);
  }
}

/// A stop request cannot interrupt the change of x.
double KrylovSolver::end_cycle() {
  want_residual();
  if (hessenberg_.columns() == 0) return 0.0;
  std::vector<double> y = hessenberg_.solve();
  const double rounding = options_.product_error * hessenberg_.sum_of_norms(y);
  for (double& value : y) value *= system_.b_norm();
  if (options_.after_update) options_.after_update(rhs_, y);
  for (double& value : y) value = -value;
  Execution::uninterrupted().run([&] {
    backend_.subtract(own_.size(), hessenberg_.columns(), preconditioner_ ? z_.data() : v_.data(),
                      y.data(), system_.x() + own_.begin);
    backend_.complete(n_, system_.x());
  });
  return rounding;
}

/// Since w is column k + 1 of the basis, the products with the basis include w^T w. From it |w|^2
/// after the second projection follows by Pythagoras' theorem.
std::vector<double> KrylovSolver::orthogonalise(int k, double* w, double& length) {
  const auto columns = static_cast<std::size_t>(k) + 1;
  std::vector<double> h(columns + 1, 0.0), products(columns + 1);
  double square = 0.0;
  for (int pass = 0; pass < 2; ++pass) {
    backend_.project(own_.size(), k + 2, v_.data(), w, products.data());
    backend_.subtract(own_.size(), k + 1, v_.data(), products.data(), w);
    square = products[columns];
    if (pass == 0) length = std::sqrt(square);
    for (std::size_t i = 0; i < columns; ++i) {
      h[i] += products[i];
      square -= products[i] * products[i];
    }
  }
  h[columns] = std::sqrt(std::max(0.0, square));
  return h;
}

void KrylovSolver::finish(GmresStatus status) {
  result_.status = status;
  stage_ = Stage::finished;
  wanted_ = {};
}

}  // namespace rankine::bem
