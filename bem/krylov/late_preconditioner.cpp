#include "rankine/bem/krylov/late_preconditioner.hpp"

#include <cmath>

#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {

bool LatePreconditioner::observe(const GmresIteration& at) {
  constexpr int first_ones = 10;
  if (is_made() || at.iteration < first_ones) return false;
  const double decades = -std::log10(at.residual), wanted = -std::log10(tolerance_);
  if (decades * (cost_ + at.iteration) >= wanted * at.iteration) return false;
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
