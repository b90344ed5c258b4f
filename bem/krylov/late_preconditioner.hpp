// A preconditioner that is made when iterations without it would cost more. Until then it is the
// identity. Flexible GMRES allows the change.
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

  /// `cost`: of making it, in iterations. `tolerance`: of GMRES.
  LatePreconditioner(Backend& backend, std::size_t size, double cost, double tolerance, Make make)
      : backend_(backend),
        size_(size),
        cost_(cost),
        tolerance_(tolerance),
        make_(std::move(make)) {}

  /// Makes it if a right-hand side needs more than `cost` further iterations at the rate of the
  /// last half of those since GMRES began or began again: a few slow modes show late. Returns
  /// whether it was made now.
  bool observe(const GmresIteration& at);
  bool is_made() const { return made_ != nullptr; }
  /// How long it took, if it was made since the last call.
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
