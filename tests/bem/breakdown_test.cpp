// Products that are not finite: GMRES and refinement end with the last iterate that is, and know
// its residual.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <string>

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

constexpr int columns = 3;

enum class Spoilt { once, from_then_on };

class SpoiltProducts : public ::testing::TestWithParam<std::tuple<double, Spoilt>>,
                       protected testing::DenseSystem<columns> {
 protected:
  int calls = 0, first = 0;  ///< product that is spoilt

  /// A, one value of whose `first` product is not finite.
  FunctionOperator spoilt() {
    return testing::dense(a, [this](double* y) {
      const auto [value, how] = GetParam();
      ++calls;
      if (calls == first || (calls > first && how == Spoilt::from_then_on))
        y[unknowns / 2] = value;  // of the first column that is still multiplied
    });
  }
  void expect_kept(const GmresResult& found, const MatrixXd& x, int k, double rounding) const {
    ASSERT_TRUE(x.col(k).allFinite());
    EXPECT_NEAR(found.true_residual, residual(x, k), rounding);
    EXPECT_LE(found.true_residual, 1.0);
    for (const double each : found.history) EXPECT_TRUE(std::isfinite(each));
    EXPECT_EQ(found.history.size(), static_cast<std::size_t>(found.iterations) + 1);
  }
};

TEST_P(SpoiltProducts, LeaveGmresItsLastIterate) {
  for (const int restart : {3, 7, 50}) {
    const GmresOptions options{.tolerance = 1e-6, .restart = restart};
    calls = first = 0;
    first = 1 << 30;
    FunctionOperator matrix = spoilt();
    MatrixXd x = MatrixXd::Zero(unknowns, columns);
    gmres(*backend, columns, matrix, b.data(), x.data(), options);
    const int all = calls;
    double before = 1.0;
    for (int product = 1; product <= all; ++product) {
      SCOPED_TRACE(std::to_string(restart) + ", product " + std::to_string(product));
      calls = 0;
      first = product;
      x.setZero();
      const auto results = gmres(*backend, columns, matrix, b.data(), x.data(), options);
      bool broken = false;
      for (int k = 0; k < columns; ++k) {
        const GmresResult& each = results[static_cast<std::size_t>(k)];
        expect_kept(each, x, k, 1e-11);
        broken = broken || each.status == GmresStatus::breakdown;
        EXPECT_TRUE(each.status == GmresStatus::breakdown || each.status == GmresStatus::converged);
      }
      // One spoilt product hits one right-hand side; the last may come when there is no need.
      EXPECT_TRUE(broken);
      // No product less than the last time: GMRES' residuals never rise.
      if (std::get<Spoilt>(GetParam()) == Spoilt::from_then_on) {
        EXPECT_LE(residual(x, 0), before * (1.0 + 1e-9));
        before = residual(x, 0);
      }
    }
  }
}

TEST_P(SpoiltProducts, LeaveTheOthersAlone) {
  FunctionOperator matrix = spoilt();
  calls = 0;
  first = 4;
  MatrixXd x = MatrixXd::Zero(unknowns, columns);
  if (std::get<Spoilt>(GetParam()) == Spoilt::from_then_on) return;
  const auto results = gmres(*backend, columns, matrix, b.data(), x.data(), {.tolerance = 1e-10});
  EXPECT_EQ(results[0].status, GmresStatus::breakdown);
  EXPECT_EQ(results[0].iterations, 3);
  for (int k = 1; k < columns; ++k) {
    EXPECT_EQ(results[static_cast<std::size_t>(k)].status, GmresStatus::converged);
    EXPECT_LE(residual(x, k), 1e-10);
  }
}

TEST_P(SpoiltProducts, OfAGuessLeaveTheGuess) {
  FunctionOperator matrix = spoilt();
  calls = 0;
  first = 1;
  MatrixXd x = random_columns(7, columns);
  const MatrixXd guess = x;
  const auto results = gmres(*backend, columns, matrix, b.data(), x.data(), {});
  EXPECT_EQ(results[0].status, GmresStatus::breakdown);
  EXPECT_FALSE(std::isfinite(results[0].true_residual)) << "nobody knows it";
  EXPECT_EQ(x.col(0), guess.col(0));
}

TEST_P(SpoiltProducts, LeaveRefinementItsLastIterate) {
  for (const bool inner_is_spoilt : {true, false}) {
    FunctionOperator bad = spoilt(), good = testing::dense(a);
    LinearOperator &accurate = inner_is_spoilt ? good : bad, &inner = inner_is_spoilt ? bad : good;
    const auto run = [&](MatrixXd& x) {
      calls = 0;
      x.setZero();
      return refine(*backend, columns, accurate, inner, 1e-3, b.data(), x.data(),
                    {.tolerance = 1e-10});
    };
    MatrixXd x = MatrixXd::Zero(unknowns, columns);
    first = 1 << 30;
    run(x);
    const int all = calls;
    for (int product = 1; product <= all; ++product) {
      SCOPED_TRACE(std::to_string(inner_is_spoilt) + ", product " + std::to_string(product));
      first = product;
      const auto results = run(x);
      for (int k = 0; k < columns; ++k) {
        const GmresResult& each = results[static_cast<std::size_t>(k)];
        // Inner solves go three digits down, the matrices are the same: rounding.
        expect_kept(each, x, k, 1e-10);
        if (each.status == GmresStatus::converged) {
          EXPECT_LE(residual(x, k), 1.01e-10);
        }
      }
      const bool transient = std::get<Spoilt>(GetParam()) == Spoilt::once && inner_is_spoilt;
      // A last correction that is cut short may suffice.
      if (!transient && product < all - 2) {
        EXPECT_NE(results[0].status, GmresStatus::converged);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Values, SpoiltProducts,
    ::testing::Combine(::testing::Values(std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::infinity()),
                       ::testing::Values(Spoilt::once, Spoilt::from_then_on)));

}  // namespace
}  // namespace rankine::bem
