// Several right-hand sides at once, by GMRES and by refinement: each must end as if it were alone,
// and products must be shared.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/krylov/refinement.hpp"
#include "tests/support/dense_systems.hpp"

namespace rankine::bem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using rankine::testing::FunctionOperator;

using rankine::testing::random_columns;
using rankine::testing::unknowns;

constexpr int shift_size = 20;

/// Products one column after the other, so that a column's bits do not depend on its neighbours.
FunctionOperator column_by_column(const MatrixXd& a, int& calls) {
  return {unknowns, [&a, &calls](const double* x, double* y, int count) {
            ++calls;
            for (std::ptrdiff_t k = 0; k < count; ++k)
              VectorXd::Map(y + k * unknowns, unknowns) =
                  a * VectorXd::Map(x + k * unknowns, unknowns);
          }};
}

MatrixXd well_conditioned() { return testing::well_conditioned(0.7); }

void expect_same(const GmresResult& found, const GmresResult& expected) {
  EXPECT_EQ(found.status, expected.status);
  EXPECT_EQ(found.iterations, expected.iterations);
  EXPECT_EQ(found.history, expected.history);
  EXPECT_EQ(found.residual, expected.residual);
  EXPECT_EQ(found.true_residual, expected.true_residual);
}

struct Together : ::testing::Test {
  const std::unique_ptr<Backend> backend = make_cpu_backend();
  int calls = 0;

  /// All columns of b at once, from the guesses in x; then one by one. Expects the same bits, and
  /// as many products as the slowest takes. Returns the results of all.
  std::vector<GmresResult> compare(const MatrixXd& a, const MatrixXd& b, MatrixXd& x,
                                   const GmresOptions& options,
                                   LinearOperator* preconditioner = nullptr) {
    const MatrixXd guess = x;
    const int rhs = static_cast<int>(b.cols());
    FunctionOperator map = column_by_column(a, calls);
    calls = 0;
    auto results = gmres(*backend, rhs, map, b.data(), x.data(), options, preconditioner);
    const int together = calls;
    int most = 0;
    for (int k = 0; k < rhs; ++k) {
      SCOPED_TRACE("right-hand side " + std::to_string(k));
      VectorXd alone = guess.col(k);
      calls = 0;
      expect_same(results[static_cast<std::size_t>(k)],
                  gmres(*backend, map, b.col(k).data(), alone.data(), options, preconditioner));
      EXPECT_EQ(x.col(k), alone);
      most = std::max(most, calls);
    }
    EXPECT_EQ(together, most);
    return results;
  }
};

TEST_F(Together, EachIsSolvedAsIfAlone) {
  const MatrixXd a = well_conditioned(), b = random_columns(2, 5);
  for (const int restart : {4, 50}) {
    MatrixXd x = MatrixXd::Zero(unknowns, 5);
    const auto results = compare(a, b, x, {.tolerance = 1e-11, .restart = restart});
    for (const GmresResult& each : results) EXPECT_EQ(each.status, GmresStatus::converged);
    const MatrixXd exact = a.partialPivLu().solve(b);
    EXPECT_LE((x - exact).norm(), 1e-9 * exact.norm());
  }
}

TEST_F(Together, EachEndsInItsOwnWay) {
  // A cyclic shift, which restarts bring to a stop, beside a block that is easy to solve and one
  // direction that the matrix annihilates.
  MatrixXd a = well_conditioned();
  a.leftCols(shift_size).setZero();
  a.topRows(shift_size).setZero();
  for (int i = 0; i < shift_size; ++i) a((i + 1) % shift_size, i) = 1.0;
  a.row(unknowns - 1).setZero();
  a.col(unknowns - 1).setZero();
  MatrixXd b = MatrixXd::Zero(unknowns, 6), x = MatrixXd::Zero(unknowns, 6);
  b.col(0).segment(shift_size, unknowns - shift_size - 1) =
      VectorXd::Random(unknowns - shift_size - 1);  // ordinary
  b(0, 1) = 1.0;                                    // in the shift: stagnates
  x.col(2).setOnes();                               // zero, with a guess that is not
  b(unknowns - 1, 3) = 1.0;                         // out of the range of A: breaks down
  x.col(4) = random_columns(3, 1);
  x(unknowns - 1, 4) = 0.0;
  b.col(4) = a * x.col(4);  // solved by its guess
  x.col(5).segment(shift_size, 30).setRandom();
  b.col(5) = b.col(0);  // ordinary, out of step with the first
  const auto results = compare(a, b, x, {.tolerance = 1e-10, .restart = 15});
  std::vector<GmresStatus> statuses;
  for (const GmresResult& each : results) statuses.push_back(each.status);
  EXPECT_EQ(statuses,
            (std::vector{GmresStatus::converged, GmresStatus::stagnated, GmresStatus::converged,
                         GmresStatus::breakdown, GmresStatus::converged, GmresStatus::converged}));
  EXPECT_EQ(x.col(2).norm(), 0.0);
  EXPECT_EQ(results[4].iterations, 0);
  EXPECT_LE((b.col(0) - a * x.col(0)).norm(), 1e-10 * b.col(0).norm());
  EXPECT_LE((b.col(5) - a * x.col(5)).norm(), 1e-10 * b.col(5).norm());
}

TEST_F(Together, ThePreconditionerServesAll) {
  MatrixXd a = well_conditioned();
  for (int i = 0; i < unknowns; ++i) a.row(i) *= 1.0 + i;
  FunctionOperator jacobi(unknowns, [&](const double* in, double* out, int count) {
    ASSERT_EQ(count, 1);
    VectorXd::Map(out, unknowns) = VectorXd::Map(in, unknowns).cwiseQuotient(a.diagonal());
  });
  MatrixXd x = MatrixXd::Zero(unknowns, 3);
  for (const GmresResult& each :
       compare(a, random_columns(2, 3), x, {.tolerance = 1e-10, .restart = 12}, &jacobi))
    EXPECT_EQ(each.status, GmresStatus::converged);
}

TEST_F(Together, TheCallbackOfOneStopsAll) {
  const MatrixXd a = well_conditioned(), b = random_columns(2, 3);
  FunctionOperator map = column_by_column(a, calls);
  for (const int stopper : {0, 1, 2}) {
    MatrixXd x = MatrixXd::Zero(unknowns, 3);
    std::vector<int> told(3, 0);
    bool stopped = false;
    GmresOptions options{.tolerance = 1e-12};
    options.callback = [&](const GmresIteration& at) {
      EXPECT_FALSE(stopped) << "nobody is asked again";
      EXPECT_EQ(at.iteration, ++told[static_cast<std::size_t>(at.rhs)]);
      stopped = at.rhs == stopper && at.iteration == 4;
      return !stopped;
    };
    const auto results = gmres(*backend, 3, map, b.data(), x.data(), options);
    for (int k = 0; k < 3; ++k) {
      const GmresResult& each = results[static_cast<std::size_t>(k)];
      EXPECT_EQ(each.status, GmresStatus::interrupted);
      EXPECT_EQ(each.iterations, 4) << "the product of the fourth was shared";
      // x holds the fourth iterate.
      const double residual = (b.col(k) - a * x.col(k)).norm() / b.col(k).norm();
      EXPECT_NEAR(each.true_residual, residual, 1e-14);
      EXPECT_NEAR(each.residual, residual, 1e-10);
    }
  }
}

TEST_F(Together, ProductsAreAsAccurateAsTheStrictestWish) {
  // Every product is spoilt by as much as the hook allows; the first right-hand side converges from
  // a good guess, long before the others.
  const double tolerance = 1e-9;
  const MatrixXd a = well_conditioned(), b = random_columns(2, 3);
  MatrixXd x = MatrixXd::Zero(unknowns, 3);
  x.col(0) = a.partialPivLu().solve(b.col(0)) + 1e-6 * random_columns(4, 1);
  double allowed = 0.0;
  FunctionOperator spoilt(unknowns, [&](const double* in, double* out, int count) {
    MatrixXd::Map(out, unknowns, count) = a * MatrixXd::Map(in, unknowns, count);
    for (std::ptrdiff_t k = 0; k < count && allowed > 0.0; ++k) {
      VectorXd::Map(out + k * unknowns, unknowns) +=
          0.1 * allowed * VectorXd::Map(in + k * unknowns, unknowns).norm() *
          VectorXd::Random(unknowns).normalized();
    }
  });
  GmresOptions options{.tolerance = tolerance,
                       .product_error = std::numeric_limits<double>::infinity()};
  options.before_product = [&](std::span<const ProductRequest> vectors) {
    allowed = std::min(least_accuracy(vectors), 1.0);
  };
  for (const GmresResult& each : gmres(*backend, 3, spoilt, b.data(), x.data(), options))
    EXPECT_EQ(each.status, GmresStatus::converged);
  for (int k = 0; k < 3; ++k)
    EXPECT_LE((b.col(k) - a * x.col(k)).norm(), tolerance * b.col(k).norm());
}

TEST_F(Together, RefinementTreatsEachAsIfAlone) {
  const MatrixXd a = well_conditioned(), cheap = a + 1e-5 * random_columns(5, unknowns);
  MatrixXd b = random_columns(2, 4);
  b.col(1).setZero();
  MatrixXd x = MatrixXd::Zero(unknowns, 4);
  x.col(3) = a.partialPivLu().solve(b.col(3)) + 1e-7 * random_columns(6, 1);  // needs fewer rounds
  const MatrixXd guess = x;
  int accurate_calls = 0, inner_calls = 0;
  FunctionOperator accurate = column_by_column(a, accurate_calls),
                   inner = column_by_column(cheap, inner_calls);
  const GmresOptions options{.tolerance = 1e-12};
  const auto results = refine(*backend, 4, accurate, inner, 1e-4, b.data(), x.data(), options);
  const int together = accurate_calls;
  int most = 0;
  for (int k = 0; k < 4; ++k) {
    SCOPED_TRACE("right-hand side " + std::to_string(k));
    VectorXd alone = guess.col(k);
    accurate_calls = 0;
    expect_same(results[static_cast<std::size_t>(k)],
                refine(*backend, accurate, inner, 1e-4, b.col(k).data(), alone.data(), options));
    EXPECT_EQ(x.col(k), alone);
    EXPECT_EQ(results[static_cast<std::size_t>(k)].status, GmresStatus::converged);
    most = std::max(most, accurate_calls);
  }
  // Rounds begin together; the guess costs one more residual, at the very beginning.
  EXPECT_LE(together, most + 1);
}

TEST_F(Together, RefinementStopsAllWhenAsked) {
  const MatrixXd a = well_conditioned(), b = random_columns(2, 2);
  MatrixXd x = MatrixXd::Zero(unknowns, 2);
  GmresOptions options{.tolerance = 1e-12};
  options.callback = [](const GmresIteration& at) { return at.rhs != 1 || at.iteration < 3; };
  FunctionOperator map = column_by_column(a, calls);
  for (const GmresResult& each : refine(*backend, 2, map, map, 1e-4, b.data(), x.data(), options)) {
    EXPECT_EQ(each.status, GmresStatus::interrupted);
    EXPECT_EQ(each.iterations, 3);
  }
}

}  // namespace
}  // namespace rankine::bem
