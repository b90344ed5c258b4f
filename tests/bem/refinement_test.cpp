// Refinement and relaxation: cheap products must not cost accuracy.
#include "rankine/bem/krylov/refinement.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/dense_systems.hpp"

namespace rankine::bem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using rankine::testing::FunctionOperator;

using rankine::testing::dense;

using rankine::testing::unknowns;
using rankine::testing::well_conditioned;

struct Refined : ::testing::Test {
  const MatrixXd a = well_conditioned(0.5);
  const VectorXd b = testing::random_columns(2, 1), exact = a.partialPivLu().solve(b);
  const std::unique_ptr<Backend> backend = make_cpu_backend();
  VectorXd x = VectorXd::Zero(unknowns);

  GmresResult run(double error, const GmresOptions& options) {
    const MatrixXd cheap =
        a + error / std::sqrt(double{unknowns}) * testing::random_columns(3, unknowns);
    FunctionOperator accurate = dense(a), inner = dense(cheap);
    return refine(*backend, accurate, inner, error, b.data(), x.data(), options);
  }
};

TEST_F(Refined, ReachesFarBelowTheErrorOfTheCheapOperator) {
  const GmresResult result = run(1e-4, {.tolerance = 1e-12});
  EXPECT_EQ(result.status, GmresStatus::converged);
  EXPECT_NEAR(result.true_residual, (b - a * x).norm() / b.norm(), 1e-14);
  EXPECT_LE((x - exact).norm(), 1e-11 * exact.norm());
}

TEST_F(Refined, CountsInnerIterationsAndReportsResidualsOfTheWholeSystem) {
  int calls = 0;
  GmresOptions options{.tolerance = 1e-10};
  options.callback = [&](const GmresIteration& at) {
    EXPECT_EQ(at.iteration, ++calls);
    return true;
  };
  const GmresResult result = run(1e-3, options);
  EXPECT_EQ(result.iterations, calls);
  ASSERT_EQ(result.history.size(), static_cast<std::size_t>(calls) + 1);
  EXPECT_EQ(result.history.front(), 1.0);
  EXPECT_LE(result.history.back(), 1e-8);
}

TEST_F(Refined, LeavesRoomForTheCheapOperatorsError) {
  // An inner solve goes to half of what is missing: one round suffices where the operators agree,
  // however slowly the iterations converge and wherever they end.
  const MatrixXd slow = well_conditioned(0.95);
  for (int k = 0; k < 20; ++k) {
    const VectorXd right = testing::random_columns(4, 20).col(k);
    int products = 0;
    FunctionOperator inner = dense(slow), accurate(unknowns, [&](const double*in, double*out, int) {
      ++products;
      VectorXd::Map(out, unknowns) = slow * VectorXd::Map(in, unknowns);
    });
    x.setZero();
    const GmresResult result = refine(*backend, accurate, inner, 1e-6, right.data(), x.data(),
                                      {.tolerance = 1e-4, .restart = unknowns});
    EXPECT_EQ(result.status, GmresStatus::converged);
    EXPECT_EQ(products, 1) << "right-hand side " << k;
  }
}

TEST_F(Refined, SaysWhenTheCheapOperatorIsOfNoUse) {
  const GmresResult result = run(30.0, {.tolerance = 1e-10});
  EXPECT_NE(result.status, GmresStatus::converged);
  EXPECT_GT(result.true_residual, 1e-10);
}

TEST_F(Refined, StopsAtTheIterationsAllowedAndWhenAsked) {
  const GmresResult few = run(1e-4, {.tolerance = 1e-12, .max_iterations = 5});
  EXPECT_EQ(few.status, GmresStatus::max_iterations);
  EXPECT_EQ(few.iterations, 5);
  for (int allowed = 1; allowed <= 12; ++allowed) {  // whatever share the inner solves take
    x.setZero();
    EXPECT_LE(run(1e-4, {.tolerance = 1e-15, .max_iterations = allowed}).iterations, allowed);
  }
  x.setZero();
  GmresOptions options{.tolerance = 1e-12};
  options.callback = [](const GmresIteration& at) { return at.iteration < 3; };
  const GmresResult stopped = run(1e-4, options);
  EXPECT_EQ(stopped.status, GmresStatus::interrupted);
  EXPECT_EQ(stopped.iterations, 3);
}

TEST_F(Refined, ProductsMayErrByWhatGmresAllows) {
  // Every product is spoilt by a random vector of the size that the hook allows.
  const double tolerance = 1e-9;
  double allowed = 0.0;
  int perturbed = 0;
  FunctionOperator spoilt(unknowns, [&](const double* in, double* out, int) {
    VectorXd::Map(out, unknowns) = a * VectorXd::Map(in, unknowns);
    if (allowed == 0.0) return;
    const VectorXd noise = VectorXd::Random(unknowns).normalized();
    VectorXd::Map(out, unknowns) += 0.1 * allowed * VectorXd::Map(in, unknowns).norm() * noise;
    ++perturbed;
  });
  GmresOptions options{.tolerance = tolerance,
                       .product_error = std::numeric_limits<double>::infinity()};
  std::vector<double> asked;
  options.before_product = [&](std::span<const ProductRequest> vectors) {
    const double sufficient = least_accuracy(vectors);
    allowed = std::min(sufficient, 1.0);
    asked.push_back(sufficient);
  };
  const GmresResult result = gmres(*backend, spoilt, b.data(), x.data(), options);
  EXPECT_EQ(result.status, GmresStatus::converged);
  EXPECT_LE((b - a * x).norm(), tolerance * b.norm());
  EXPECT_EQ(perturbed, result.iterations);
  EXPECT_EQ(asked.back(), 0.0) << "the last product is the true residual";
  EXPECT_GT(*std::max_element(asked.begin(), asked.end()), 0.1) << "late products may be coarse";
}

class FlowPrecision : public ::testing::TestWithParam<Formulation> {};

TEST_P(FlowPrecision, MixedAndRelaxedSolvesReachTheDoubleSolution) {
  const FlowProblem problem{.panels = make_panels(meshes::make_ellipsoid(1280, {2.0, 1.0, 1.5})),
                            .stream = {1.0, 0.0, 0.0}};
  FlowOptions options{{}, GetParam()};
  options.gmres.tolerance = 1e-8;
  options.fmm.tolerance = 1e-9;
  options.error_samples = 0;
  const auto backend = make_cpu_backend();
  const Solution reference = solve(problem, options, *backend);

  FlowOptions mixed = options, relaxed = options;
  mixed.mixed_precision = true;
  relaxed.relaxation = Relaxation::on;
  for (const FlowOptions& each : {mixed, relaxed}) {
    const Solution solution = solve(problem, each, *backend);
    EXPECT_TRUE(solution.converged());
    EXPECT_LE(solution.gmres.true_residual, 1e-8);
    // Both residuals are below 1e-8; the operators' condition is below ten.
    EXPECT_LE(rankine::relative_error(solution.phi, reference.phi), 1e-7);
  }
  EXPECT_TRUE(solve(problem, mixed, *backend).mixed_precision);
  // Cheaper products where they suffice cost no iterations.
  relaxed.fmm.direct_pairs = 0;
  EXPECT_LE(solve(problem, relaxed, *backend).gmres.iterations, reference.gmres.iterations);
}

INSTANTIATE_TEST_SUITE_P(Formulations, FlowPrecision,
                         ::testing::Values(Formulation::green, Formulation::source));

}  // namespace
}  // namespace rankine::bem
