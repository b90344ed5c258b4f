// A preconditioner that is computed during the solve, once the remaining iterations without it
// would take longer. Until then it is the identity. Flexible GMRES allows the change.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "rankine/bem/krylov/gmres.hpp"

namespace rankine::bem {

class LatePreconditioner final : public LinearOperator {
 public:
  using Make = std::function<std::unique_ptr<LinearOperator>()>;

  /// `cost`: the time to make the preconditioner, in iterations. `tolerance`: that of GMRES.
  LatePreconditioner(Backend& backend, std::size_t size, double cost, double tolerance, Make make)
      : backend_(backend),
        size_(size),
        cost_(cost),
        tolerance_(tolerance),
        make_(std::move(make)) {}

  /// Makes the preconditioner if a right-hand side is expected to need more than `cost` further
  /// iterations. The expected rate is that of the last half of the iterations since GMRES started
  /// or restarted, because a few slow modes appear late. Returns whether this call made it.
  bool observe(const GmresIteration& at);
  bool is_made() const { return made_ != nullptr; }
  /// Seconds spent making it; 0 if it was not made since the last call.
  double take_seconds() { return std::exchange(seconds_, 0.0); }

  std::size_t rows() const override { return size_; }
  std::size_t columns() const override { return size_; }
  void add(double alpha, const double* x, double* y, int rhs) override;
  void add_transposed(double alpha, const double* x, double* y, int rhs) override;

 private:
  Backend& backend_;
  std::size_t size_;
  double cost_, tolerance_;
  Make make_;
  std::vector<std::vector<double>> histories_;  ///< -log10 of the residuals of each right-hand side
  std::unique_ptr<LinearOperator> made_;
  double seconds_ = 0.0;
};

}  // namespace rankine::bem
