#include "rankine/bem/krylov/late_preconditioner.hpp"

#include <algorithm>
#include <cmath>

#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {

/// The first iterations say little about the rate of convergence. Waiting for more of them costs at
/// most this share of the cost of the preconditioner.
constexpr double share_of_cost = 0.25;

bool LatePreconditioner::observe(const GmresIteration& at) {
  if (is_made()) return false;
  histories_.resize(std::max(histories_.size(), static_cast<std::size_t>(at.rhs) + 1));
  std::vector<double>& digits = histories_[static_cast<std::size_t>(at.rhs)];
  const double now = -std::log10(at.residual);
  // Within a cycle of GMRES no estimate rises.
  if (!digits.empty() && now < digits.back()) digits.clear();
  digits.push_back(now);
  if (static_cast<double>(digits.size()) < share_of_cost * cost_) return false;
  const std::size_t half = digits.size() / 2;
  const double gained = now - digits[half], left = -std::log10(tolerance_) - now;
  if (left * static_cast<double>(digits.size() - 1 - half) <= cost_ * gained) return false;
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
