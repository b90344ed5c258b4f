#include "rankine/bem/krylov/late_preconditioner.hpp"

#include <cmath>

#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {

/// The first iterations tell little of the rate. To wait for so many costs no more than this share.
constexpr double share_of_cost = 0.1;

bool LatePreconditioner::observe(const GmresIteration& at) {
  if (is_made()) return false;
  digits_.resize(static_cast<std::size_t>(at.iteration), 0.0);
  digits_.push_back(-std::log10(at.residual));
  if (at.iteration < share_of_cost * cost_) return false;
  const int half = at.iteration / 2;
  const double gained = digits_.back() - digits_[static_cast<std::size_t>(half)],
               left = -std::log10(tolerance_) - digits_.back();
  if (left * (at.iteration - half) <= cost_ * gained) return false;
  const Stopwatch stopwatch;
  made_ = make_();
  seconds_ = stopwatch.seconds();
  return true;
}

void LatePreconditioner::add(double alpha, const double* x, double* y, int rhs) {
  if (is_made()) return made_->add(alpha, x, y, rhs);
  backend_.axpy(size_ * static_cast<std::size_t>(rhs), alpha, x, y);
}

void LatePreconditioner::add_transposed(double alpha, const double* x, double* y, int rhs) {
  if (is_made()) return made_->add_transposed(alpha, x, y, rhs);
  backend_.axpy(size_ * static_cast<std::size_t>(rhs), alpha, x, y);
}

}  // namespace rankine::bem
