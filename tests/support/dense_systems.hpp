// Dense linear systems for tests of iterative solvers.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "rankine/bem/cpu_backend.hpp"
#include "tests/support/function_operator.hpp"

namespace rankine::testing {

inline constexpr int unknowns = 80;

/// Entries between -1 and 1 that follow from the seed.
inline Eigen::MatrixXd random_columns(int seed, int count, int rows = unknowns) {
  std::srand(static_cast<unsigned>(seed));
  return Eigen::MatrixXd::Random(rows, count);
}

/// A matrix without symmetry; the smaller the `spread`, the fewer iterations of GMRES.
inline Eigen::MatrixXd well_conditioned(double spread, int n = unknowns, int seed = 1) {
  return Eigen::MatrixXd::Identity(n, n) +
         spread / std::sqrt(static_cast<double>(n)) * random_columns(seed, n, n);
}

/// Products with the matrix, which must live as long. After each one `then(y)` is called.
template <class Then>
FunctionOperator dense(const Eigen::MatrixXd& a, Then then) {
  return {static_cast<std::size_t>(a.rows()), [&a, then](const double* x, double* y, int count) {
            Eigen::MatrixXd::Map(y, a.rows(), count) = a * Eigen::MatrixXd::Map(x, a.cols(), count);
            then(y);
          }};
}
inline FunctionOperator dense(const Eigen::MatrixXd& a) {
  return dense(a, [](double*) {});
}

/// A system with several right-hand sides that GMRES solves in a few iterations.
template <int columns>
struct DenseSystem {
  const Eigen::MatrixXd a = well_conditioned(0.6), b = random_columns(2, columns);
  const std::unique_ptr<bem::Backend> backend = bem::make_cpu_backend();

  double residual(const Eigen::MatrixXd& x, int k) const {
    return (b.col(k) - a * x.col(k)).norm() / b.col(k).norm();
  }
};

}  // namespace rankine::testing
