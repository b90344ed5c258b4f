// GMRES, our own and that of PETSc, against Eigen's LU on dense systems, and its ways to end.
#include "rankine/bem/krylov/gmres.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/krylov/krylov_basis.hpp"
#include "rankine/bem/petsc/petsc.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/dense_systems.hpp"
#include "tests/support/watched_backend.hpp"

namespace rankine::bem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using rankine::testing::FunctionOperator;

using rankine::testing::dense;

/// Well conditioned.
MatrixXd system(int n, double spread = 0.5) { return testing::well_conditioned(spread, n, 11); }

struct Outcome {
  GmresResult result;
  VectorXd x;
};

Outcome run(const MatrixXd& a, const VectorXd& b, const GmresOptions& options,
            LinearOperator* preconditioner = nullptr, VectorXd x = {}) {
  const auto backend = make_cpu_backend();
  if (x.size() == 0) x = VectorXd::Zero(b.size());
  auto matrix = dense(a);
  auto result = gmres(*backend, matrix, b.data(), x.data(), options, preconditioner);
  return {result, x};
}

/// What holds for both implementations; the parameter is the value of solver.krylov.
class KrylovMethods : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "own") return;
#ifdef RANKINE_PETSC_MODULE
    ::setenv("RANKINE_PETSC", RANKINE_PETSC_MODULE, 0);
    static const Petsc petsc(false);
    method_ = petsc.method();
#else
    GTEST_SKIP() << "this build has no module with PETSc";
#endif
  }

  Outcome run(const MatrixXd& a, const VectorXd& b, GmresOptions options,
              LinearOperator* preconditioner = nullptr, VectorXd x = {}) const {
    options.method = method_;
    return bem::run(a, b, options, preconditioner, std::move(x));
  }

 private:
  KrylovMethod method_;
};

INSTANTIATE_TEST_SUITE_P(, KrylovMethods, ::testing::Values("own", "petsc"),
                         [](const auto& each) { return each.param; });

TEST_P(KrylovMethods, MatchesLuAndReportsItsTrueResidual) {
  const MatrixXd a = system(120);
  const VectorXd b = VectorXd::Random(120), reference = a.partialPivLu().solve(b);
  const auto [result, x] = run(a, b, {.tolerance = 1e-12});
  EXPECT_EQ(result.status, GmresStatus::converged);
  EXPECT_LE((x - reference).norm(), 1e-10 * reference.norm());
  const double residual = (b - a * x).norm() / b.norm();
  EXPECT_NEAR(result.true_residual, residual, 1e-14);
  EXPECT_NEAR(result.residual, residual, 1e-10);
  EXPECT_EQ(result.history.size(), static_cast<std::size_t>(result.iterations) + 1);
  for (std::size_t k = 1; k < result.history.size(); ++k)
    EXPECT_LE(result.history[k], result.history[k - 1]);
}

TEST_P(KrylovMethods, EstimateAgreesWithTheResidualAtEveryIteration) {
  const MatrixXd a = system(60, 0.9);
  const VectorXd b = VectorXd::Random(60);
  for (int most = 1; most <= 20; ++most) {
    const auto [result, x] = run(a, b, {.tolerance = 1e-14, .max_iterations = most});
    EXPECT_NEAR(result.history.back(), (b - a * x).norm() / b.norm(), 1e-10);
    EXPECT_EQ(result.status, GmresStatus::max_iterations);
    EXPECT_EQ(result.iterations, most);
  }
}

TEST_P(KrylovMethods, Restarts) {
  const MatrixXd a = system(100, 0.9);
  const VectorXd b = VectorXd::Random(100), reference = a.partialPivLu().solve(b);
  const auto whole = run(a, b, {.tolerance = 1e-11, .restart = 100});
  const auto restarted = run(a, b, {.tolerance = 1e-11, .max_iterations = 1000, .restart = 5});
  EXPECT_EQ(restarted.result.status, GmresStatus::converged);
  EXPECT_GE(restarted.result.iterations, whole.result.iterations);
  EXPECT_LE((restarted.x - reference).norm(), 1e-9 * reference.norm());
}

TEST_P(KrylovMethods, EndsEarlyInAnInvariantSpace) {
  // b in the span of two eigenvectors: two iterations, then nothing is left to orthogonalise.
  MatrixXd a = MatrixXd::Identity(50, 50);
  a(1, 1) = 3.0;
  VectorXd b = VectorXd::Zero(50);
  b(0) = b(1) = 1.0;
  const auto [result, x] = run(a, b, {.tolerance = 1e-12});
  EXPECT_EQ(result.status, GmresStatus::converged);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_NEAR(x(1), 1.0 / 3.0, 1e-14);
}

TEST_P(KrylovMethods, ReportsABreakdownOfASingularSystem) {
  MatrixXd a = MatrixXd::Identity(10, 10);
  a(3, 3) = 0.0;
  const auto [result, x] = run(a, VectorXd::Unit(10, 3), {});
  // PETSc ends without an error, and the next solve makes no progress.
  EXPECT_EQ(result.status, GetParam() == "own" ? GmresStatus::breakdown : GmresStatus::stagnated);
  EXPECT_NEAR(result.true_residual, 1.0, 1e-14);
}

// x is the sum of the vectors that were multiplied, with the weights of GMRES, and its residual
// follows from their products.
TEST(Gmres, MultipliesTheSolutionOnlyWhereRoundingErrorsCouldMatter) {
  constexpr int n = 80;
  const MatrixXd a = system(n, 0.9);
  const VectorXd b = VectorXd::Random(n);
  const auto backend = make_cpu_backend();
  const auto products = [&](GmresOptions options) {
    int count = 0;
    std::vector<VectorXd> multiplied;
    VectorXd x = VectorXd::Zero(n), sum = VectorXd::Zero(n);
    FunctionOperator matrix(n, [&](const double* in, double* out, int) {
      ++count;
      multiplied.push_back(VectorXd::Map(in, n));
      VectorXd::Map(out, n) = a * multiplied.back();
    });
    options.after_update = [&](int, std::span<const double> weights) {
      for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * multiplied[k];
    };
    const GmresResult result = gmres(*backend, matrix, b.data(), x.data(), options);
    EXPECT_EQ(result.status, GmresStatus::converged);
    EXPECT_LE((sum - x).norm(), 1e-14 * x.norm());
    EXPECT_NEAR(result.true_residual, (b - a * x).norm() / b.norm(), 1e-14);
    return count - result.iterations;
  };
  EXPECT_EQ(products({.tolerance = 1e-9, .restart = n}), 0);
  EXPECT_EQ(products({.tolerance = 1e-9, .restart = n, .product_error = 1e-8}), 1);
}

TEST_P(KrylovMethods, TakeTheSameIterations) {
  for (const int restart : {4, 50}) {
    for (const double spread : {0.5, 0.9}) {
      const MatrixXd a = system(90, spread);
      const VectorXd b = VectorXd::Random(90);
      const GmresOptions options{.tolerance = 1e-9, .restart = restart};
      const Outcome found = run(a, b, options), own = bem::run(a, b, options);
      EXPECT_NEAR(found.result.iterations, own.result.iterations, 1);
      EXPECT_EQ(found.result.history.size(), static_cast<std::size_t>(found.result.iterations) + 1);
      for (int k = 0; k < found.result.iterations && k < own.result.iterations; ++k)
        EXPECT_NEAR(found.result.history[k], own.result.history[k], 1e-12);
    }
  }
}

TEST_P(KrylovMethods, KeepTheIterateOfAnAbandonedProduct) {
  const MatrixXd a = system(60, 0.9);
  const VectorXd b = VectorXd::Random(60);
  const auto stopped_at = [&](int product) {
    int products = 0;
    GmresOptions options{.tolerance = 1e-12};
    options.before_product = [&](auto) {
      if (products++ == product) throw Stopped("now");
    };
    return run(a, b, options);
  };
  const auto [result, x] = stopped_at(6);
  EXPECT_EQ(result.status, GmresStatus::interrupted);
  EXPECT_GE(result.iterations, 4);
  EXPECT_NEAR(result.residual, (b - a * x).norm() / b.norm(), 1e-12);
  EXPECT_THROW(stopped_at(0), Stopped);
}

TEST(Gmres, ReportsStagnation) {
  // A cyclic shift makes no progress before n iterations.
  MatrixXd a = MatrixXd::Zero(20, 20);
  for (int i = 0; i < 20; ++i) a((i + 1) % 20, i) = 1.0;
  const auto [result, x] = run(a, VectorXd::Unit(20, 0), {.restart = 5});
  EXPECT_EQ(result.status, GmresStatus::stagnated);
}

TEST_P(KrylovMethods, ReportsValuesThatAreNotFinite) {
  MatrixXd a = MatrixXd::Identity(4, 4);
  a(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run(a, VectorXd::Ones(4), {}).result.status, GmresStatus::breakdown);
}

TEST_P(KrylovMethods, UsesARightPreconditionerThatMayChange) {
  MatrixXd a = system(100, 0.3);
  for (int i = 0; i < 100; ++i) a.row(i) *= 1.0 + i * i;  // a wide diagonal
  const VectorXd b = VectorXd::Random(100), reference = a.partialPivLu().solve(b);
  int calls = 0;
  FunctionOperator jacobi(100, [&](const double* in, double* out, int) {
    ++calls;  // alternates its scale: only a flexible method may
    VectorXd::Map(out, 100) =
        (calls % 2 == 0 ? 2.0 : 1.0) * VectorXd::Map(in, 100).cwiseQuotient(a.diagonal());
  });
  const auto plain = run(a, b, {.tolerance = 1e-10, .max_iterations = 400, .restart = 400});
  const auto preconditioned =
      run(a, b, {.tolerance = 1e-10, .max_iterations = 400, .restart = 400}, &jacobi);
  EXPECT_EQ(preconditioned.result.status, GmresStatus::converged);
  EXPECT_LT(3 * preconditioned.result.iterations, plain.result.iterations);
  // Row scaling up to 1e4 separates error from residual by as much.
  EXPECT_LE((preconditioned.x - reference).norm(), 1e-6 * reference.norm());
}

TEST_P(KrylovMethods, StartsFromAGuess) {
  const MatrixXd a = system(40);
  const VectorXd b = VectorXd::Random(40), reference = a.partialPivLu().solve(b);
  const auto [result, x] = run(a, b, {.tolerance = 1e-10}, {}, reference);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.status, GmresStatus::converged);
}

TEST_P(KrylovMethods, AnswersAZeroRightHandSideWithZero) {
  const MatrixXd a = system(10);
  const auto [result, x] = run(a, VectorXd::Zero(10), {}, {}, VectorXd::Ones(10));
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(x.norm(), 0.0);
}

TEST_P(KrylovMethods, StopsWhenTheCallbackAsks) {
  const MatrixXd a = system(60, 0.9);
  const VectorXd b = VectorXd::Random(60);
  GmresOptions options{.tolerance = 1e-12};
  options.callback = [](const GmresIteration& at) { return at.iteration < 4; };
  const auto [result, x] = run(a, b, options);
  EXPECT_EQ(result.status, GmresStatus::interrupted);
  EXPECT_EQ(result.iterations, 4);
  EXPECT_NEAR(result.true_residual, (b - a * x).norm() / b.norm(),
              1e-14);  // x holds the fourth iterate
}

TEST(Gmres, KeepsItsBasisOrthogonalBesideALargeEigenvalue) {
  // Every product lies along the eigenvector of 1e8 but for 1e-8 of it: one Gram-Schmidt pass would
  // leave a basis that is orthogonal to 1e-8 only, and less with every vector.
  const int n = 60;
  VectorXd values(n);
  for (int i = 0; i < n; ++i) values(i) = i == 0 ? 1e8 : 1.0 + 4.0 * i / n;
  const MatrixXd a = values.asDiagonal();
  const VectorXd b = VectorXd::Ones(n);
  const auto [result, x] = run(a, b, {.tolerance = 1e-11, .max_iterations = 40, .restart = 40});
  EXPECT_EQ(result.status, GmresStatus::converged);
  EXPECT_LE((b - a * x).norm(), 1e-11 * b.norm());
}

/// Keeps account of the memory of Krylov bases.
class Accountant final : public rankine::testing::WatchedBackend {
 public:
  std::size_t largest = 0;
  Array allocate(std::size_t size) override {
    largest = std::max(largest, size);
    return WatchedBackend::allocate(size);
  }
};

TEST(Gmres, HoldsNoMoreVectorsThanItCanUse) {
  const int n = 300;
  const MatrixXd a = system(n, 0.9);
  const VectorXd b = VectorXd::Random(n);
  FunctionOperator matrix = dense(a);
  const auto columns = [&](const GmresOptions& options) {
    Accountant backend;
    VectorXd x = VectorXd::Zero(n);
    gmres(backend, matrix, b.data(), x.data(), options);
    return backend.largest / static_cast<std::size_t>(n);
  };
  // The basis of k iterations has k + 1 vectors; capacity doubles, up to the longest possible.
  EXPECT_EQ(columns({.tolerance = 1e-15, .max_iterations = 20, .restart = 50000}), 21u);
  EXPECT_EQ(columns({.tolerance = 1e-15, .max_iterations = 1000000, .restart = 20}), 21u);
  EXPECT_EQ(columns({.tolerance = 0.5, .max_iterations = 1000000, .restart = 1000000}), 8u);
}

TEST(Gmres, RefusesWrongOptions) {
  const MatrixXd a = system(4);
  const VectorXd b = VectorXd::Ones(4);
  EXPECT_THROW(run(a, b, {.tolerance = 0.0}), InputError);
  EXPECT_THROW(run(a, b, {.tolerance = -1e-6}), InputError);
  EXPECT_THROW(run(a, b, {.restart = 0}), InputError);
  EXPECT_THROW(run(a, b, {.max_iterations = -1}), InputError);
}

}  // namespace
}  // namespace rankine::bem
