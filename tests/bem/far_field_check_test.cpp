// A solve keeps the tolerance of its sums, or says that it does not: far fields that err by more
// than they were asked for.
#include "rankine/bem/layers/far_field_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/order.hpp"
#include "tests/support/erring_backend.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using rankine::testing::ErringBackend;
using rankine::testing::Errors;

constexpr double asked = 1e-7;
constexpr Errors none{};

TEST(Sample, IsOfAllPartsAndOfNoPattern) {
  const std::vector<std::size_t> chosen = sample(10007, 100);
  std::set<std::size_t> distances;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    EXPECT_GE(chosen[k], k * 10007 / 100);
    EXPECT_LT(chosen[k], (k + 1) * 10007 / 100);
    if (k > 0) distances.insert(chosen[k] - chosen[k - 1]);
  }
  EXPECT_GT(distances.size(), 50u);
  EXPECT_EQ(sample(10007, 100), chosen);
  EXPECT_EQ(sample(3, 3), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(sample(5, 0).empty());
}

TEST(SampledError, AllowsForPointsThatWereMissed) {
  SampledError error{.error = 4e-6, .total = 1.0, .variance = 0.0};
  EXPECT_DOUBLE_EQ(error.relative(), 2e-3);
  EXPECT_DOUBLE_EQ(error.likely_bound(), 2e-3);
  error.variance = 16e-12;  // one point has it all
  EXPECT_DOUBLE_EQ(error.likely_bound(), 4e-3);
  error.total = 0.0;
  EXPECT_DOUBLE_EQ(error.relative(), 2e-3);
}

TEST(FirstOptions, AskForMoreOfGradients) {
  fmm::Options sums{.tolerance = 1e-6, .dipoles = true};
  EXPECT_EQ(first_options(sums, 64).tolerance, sums.tolerance);
  EXPECT_EQ(first_options(sums, 0).tolerance, sums.tolerance) << "nothing is measured";
  sums.gradient = true;
  EXPECT_LT(first_options(sums, 64).tolerance, sums.tolerance);
  sums.order = 7;
  EXPECT_EQ(first_options(sums, 64).tolerance, sums.tolerance);
}

enum class Mode { plain, mixed, relaxed };

struct Solve : ::testing::Test {
  FlowProblem problem{.panels = make_panels(meshes::make_ellipsoid(1280, {2.0, 1.0, 1.5})),
                      .stream = {1.0, 0.5, -0.3}};
  FlowOptions options;

  Solve() {
    options.gmres.tolerance = 1e-8;
    options.fmm.tolerance = asked;
    options.fmm.direct_pairs = 0;
  }
  /// The tolerance of the sums that a solve begins with.
  double first() const {
    fmm::Options far = options.fmm;
    far.gradient = options.formulation == Formulation::source;
    return first_options(far, options.error_samples).tolerance;
  }
  void set(Mode mode) {
    options.mixed_precision = mode == Mode::mixed;
    options.relaxation = mode == Mode::relaxed ? Relaxation::on : Relaxation::automatic;
  }
  Solution with(const Errors& errors) {
    ErringBackend backend(errors);
    return solve(problem, options, backend);
  }
  /// Residuals of 1e-8 and sums within 1.1e-7 of each other's, times a condition below ten.
  static void expect_same(const Solution& found, const Solution& reference) {
    EXPECT_TRUE(found.converged());
    EXPECT_LE(rankine::relative_error(found.phi, reference.phi), 2e-6);
    EXPECT_TRUE(found.accuracy.kept());
    EXPECT_LE(found.fmm_sampled_error, 1.1 * asked);
    EXPECT_EQ(found.accuracy.error(SolveVector::solution), found.fmm_sampled_error);
    EXPECT_EQ(found.gmres.history.size(), static_cast<std::size_t>(found.gmres.iterations) + 1);
  }
};

TEST_F(Solve, OfSumsThatKeepTheirToleranceRaisesNothing) {
  ErringBackend backend(none);
  const Solution solution = solve(problem, options, backend);
  EXPECT_TRUE(solution.accuracy.kept());
  EXPECT_TRUE(solution.accuracy.refinements.empty());
  EXPECT_EQ(backend.tolerances, std::vector<double>{first()});
  EXPECT_EQ(solution.accuracy.asked, asked);
  EXPECT_EQ(solution.accuracy.tolerance, first());
  EXPECT_EQ(solution.accuracy.limit, RefinementLimit::none);
  for (const SolveVector each :
       {SolveVector::known_values, SolveVector::krylov_vector, SolveVector::solution})
    EXPECT_GT(solution.accuracy.error(each), 0.0) << to_string(each);
  EXPECT_GT(solution.seconds.check, 0.0);
  EXPECT_EQ(solution.seconds.refinement, 0.0);
}

// Sums are linear, so those of the solution follow from those of the Krylov vectors.
TEST_F(Solve, KnowsTheErrorOfItsSolutionWithoutMultiplyingIt) {
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    options.formulation = formulation;
    options.fmm.order = 8;
    ErringBackend with(none), without(none);
    options.gmres.product_error = std::numeric_limits<double>::infinity();
    const Solution multiplied = solve(problem, options, with);
    options.gmres.product_error = GmresOptions().product_error;
    const Solution found = solve(problem, options, without);
    EXPECT_EQ(without.applications, with.applications - 1);
    EXPECT_EQ(found.phi, multiplied.phi);
    EXPECT_NEAR(found.fmm_sampled_error, multiplied.fmm_sampled_error,
                1e-6 * multiplied.fmm_sampled_error);
    EXPECT_NEAR(found.gmres.true_residual, multiplied.gmres.true_residual, 1e-14);
  }
}

TEST_F(Solve, OfSumsThatErrFromTheStartRaisesThemAtOnce) {
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    for (const Mode mode : {Mode::plain, Mode::mixed, Mode::relaxed}) {
      SCOPED_TRACE(std::string(to_string(formulation)) + ' ' +
                   std::to_string(static_cast<int>(mode)));
      options.formulation = formulation;
      set(mode);
      ErringBackend backend({.size = 1e-3, .orders = 1});
      const Solution found = solve(problem, options, backend);
      expect_same(found, with(none));
      ASSERT_EQ(found.accuracy.refinements.size(), 1u);
      const FarFieldRefinement& refinement = found.accuracy.refinements.front();
      // The right-hand side of `source` needs no sums, and mixed precision multiplies only
      // iterates.
      EXPECT_EQ(refinement.vector, formulation == Formulation::green ? SolveVector::known_values
                                   : mode == Mode::mixed             ? SolveVector::solution
                                                                     : SolveVector::krylov_vector);
      EXPECT_NEAR(refinement.error, 1e-3, 2e-4);
      EXPECT_EQ(found.fmm.order, refinement.order);
      EXPECT_NEAR(found.accuracy.tolerance, first() * asked / refinement.error, 1e-18);
      EXPECT_EQ(backend.orders.given, (std::vector{refinement.order_before, refinement.order}));
      EXPECT_EQ(backend.tolerances, std::vector{first()}) << "trees and lists are as they were";
      const int nearest = fmm::offset_index(2, 0, 0);
      const auto digits = [&](int order) { return fmm::m2l_error_digits(nearest, order); };
      const double due = digits(refinement.order_before) + std::log10(refinement.error / asked);
      EXPECT_GE(digits(refinement.order), due);
      EXPECT_LT(digits(refinement.order - 1), due);
      EXPECT_GT(found.seconds.refinement, 0.0);
    }
  }
}

TEST_F(Solve, GoesOnFromItsIterateWhereTheSolutionErrs) {
  const Solution reference = with(none);
  std::vector<int> iterations;
  std::vector<std::string> stages;
  options.gmres.callback = [&](const GmresIteration& at) {
    iterations.push_back(at.iteration);
    return true;
  };
  options.stage = [&](std::string_view stage) { stages.emplace_back(stage); };
  // The right-hand side and the first Krylov vectors are well summed.
  ErringBackend backend({.size = 1e-3, .orders = 1, .from = 3});
  const Solution found = solve(problem, options, backend);
  expect_same(found, reference);
  ASSERT_EQ(found.accuracy.refinements.size(), 1u);
  EXPECT_EQ(found.accuracy.refinements.front().vector, SolveVector::solution);
  EXPECT_EQ(stages, (std::vector<std::string>{"near field", "far field", "right-hand side", "GMRES",
                                              "far field", "right-hand side", "GMRES", "potential",
                                              "surface velocity"}));
  EXPECT_EQ(backend.assembled, 1) << "near corrections are as they were";
  ASSERT_EQ(iterations.size(), static_cast<std::size_t>(found.gmres.iterations));
  for (std::size_t k = 0; k < iterations.size(); ++k)
    EXPECT_EQ(iterations[k], static_cast<int>(k) + 1);
  // The iterate is good to the error of the sums; from zero, residuals would begin at one again.
  const auto solved = std::find_if(found.gmres.history.begin(), found.gmres.history.end(),
                                   [](double residual) { return residual < 1e-6; });
  ASSERT_NE(solved, found.gmres.history.end());
  EXPECT_LE(*std::max_element(solved, found.gmres.history.end()), 1e-4);
}

TEST_F(Solve, ChecksAGuessThatSolvesTheSystem) {
  const Solution reference = with(none);
  options.initial_guess = reference.unknown;
  // The product with the guess is the second.
  const Solution found = with({.size = 1e-3, .orders = 1, .from = 1});
  expect_same(found, reference);
  EXPECT_EQ(found.accuracy.refinements.size(), 1u);
  EXPECT_LE(found.gmres.iterations, reference.gmres.iterations + 2);
}

TEST_F(Solve, KeepsToTheIterationsAllowed) {
  options.gmres.max_iterations = 4;
  const Solution found = with({.size = 1e-3, .orders = 1, .from = 4});
  EXPECT_EQ(found.gmres.status, GmresStatus::max_iterations);
  EXPECT_EQ(found.gmres.iterations, 4);
  EXPECT_TRUE(found.accuracy.kept());
}

TEST_F(Solve, LeavesAnOrderThatWasGiven) {
  options.fmm.order = 5;
  const Solution found = with(none);
  EXPECT_TRUE(found.converged());
  EXPECT_EQ(found.fmm.order, 5);
  EXPECT_TRUE(found.accuracy.refinements.empty());
  EXPECT_FALSE(found.accuracy.kept());
  EXPECT_EQ(found.accuracy.limit, RefinementLimit::order_given);
  EXPECT_GT(found.fmm_sampled_error, 1.1 * asked);
}

TEST_F(Solve, EndsRaisesThatBringNothing) {
  const Solution found = with({.size = 1e-5});
  EXPECT_TRUE(found.converged());
  EXPECT_FALSE(found.accuracy.kept());
  EXPECT_EQ(found.accuracy.limit, RefinementLimit::no_gain);
  EXPECT_EQ(found.accuracy.refinements.size(), 2u);
  EXPECT_NEAR(found.fmm_sampled_error, 1e-5, 2e-6);
  EXPECT_NEAR(found.accuracy.error(found.accuracy.worst()), 1e-5, 2e-6);
}

TEST_F(Solve, EndsRaisesAtTheFloorOfItsPrecision) {
  ErringBackend backend({.size = 0.5});
  const Solution found = solve(problem, options, backend);
  EXPECT_EQ(found.accuracy.limit, RefinementLimit::precision);
  EXPECT_EQ(backend.orders.given.back(), fmm::highest_order(fmm::Precision::float64));
  EXPECT_FALSE(found.accuracy.kept());
}

TEST_F(Solve, TakesTheSumsThatFitIntoMemory) {
  ErringBackend backend({.size = 1e-5});
  backend.orders.before_raising = [] { throw DeviceMemoryError("no memory"); };
  const Solution found = solve(problem, options, backend);
  EXPECT_TRUE(found.converged());
  EXPECT_EQ(found.accuracy.limit, RefinementLimit::memory);
  EXPECT_EQ(found.accuracy.tolerance, first());
  EXPECT_TRUE(found.accuracy.refinements.empty());
  EXPECT_FALSE(found.accuracy.kept());
}

TEST_F(Solve, EndsWithADeviceThatFails) {
  ErringBackend backend({.size = 1e-5});
  backend.orders.before_raising = [] { throw DeviceError("an illegal address"); };
  EXPECT_THROW(solve(problem, options, backend), DeviceError);
}

/// Two right-hand sides, of which errors are those of one, also in products of that alone.
struct SolveOfTwo : Solve {
  const std::vector<Vec3d> streams{{1.0, 0.5, -0.3}, {0.0, 1.0, 0.5}};

  std::vector<Solution> both_with(ErringBackend& backend) {
    options.gmres.before_product = [&](std::span<const ProductRequest> requests) {
      backend.columns.clear();
      for (const ProductRequest& each : requests) backend.columns.push_back(each.rhs);
    };
    return solve(problem, streams, options, backend);
  }
};

TEST_F(SolveOfTwo, ReportsTheWorstOfSeveralRightHandSides) {
  for (const int worst : {0, 1}) {
    ErringBackend backend({.size = 1e-4, .rhs = worst});
    const std::vector<Solution> found = both_with(backend);
    const auto erring = static_cast<std::size_t>(worst);
    EXPECT_NEAR(found[erring].fmm_sampled_error, 1e-4, 2e-5);
    EXPECT_LE(found[1 - erring].fmm_sampled_error, 1.1 * asked);
    for (const Solution& each : found) {
      EXPECT_EQ(each.accuracy.error(SolveVector::solution), found[erring].fmm_sampled_error);
      EXPECT_FALSE(each.accuracy.kept());
    }
  }
}

TEST_F(SolveOfTwo, RaisesForAnyOfSeveralRightHandSides) {
  ErringBackend honest(none), backend({.size = 1e-3, .orders = 1, .from = 2, .rhs = 1});
  const std::vector<Solution> reference = both_with(honest), found = both_with(backend);
  for (std::size_t k = 0; k < streams.size(); ++k) {
    EXPECT_TRUE(found[k].converged());
    EXPECT_LE(rankine::relative_error(found[k].phi, reference[k].phi), 2e-6);
    EXPECT_LE(found[k].fmm_sampled_error, 1.1 * asked);
    EXPECT_EQ(found[k].accuracy.refinements.size(), 1u);
  }
}

TEST_F(Solve, StoppedWhileItRaisesKeepsItsIterate) {
  const Solution reference = with(none);
  for (const std::string_view at : {"far field", "right-hand side", "GMRES"}) {
    std::stop_source stop;
    int seen = 0;
    options.stage = [&](std::string_view stage) {
      if (stage == at && ++seen == 2) stop.request_stop();
    };
    const Solution found = Execution{.stop = stop.get_token()}.run(
        [&] { return with({.size = 1e-3, .orders = 1, .from = 3}); });
    EXPECT_EQ(seen, 2);
    EXPECT_EQ(found.gmres.status, GmresStatus::interrupted);
    EXPECT_FALSE(found.complete());
    EXPECT_LE(rankine::relative_error(found.unknown, reference.unknown), 1e-4);
    EXPECT_GT(found.fmm.order, 0);
  }
}

TEST_F(Solve, ThatIsInterruptedRaisesNothing) {
  options.gmres.callback = [](const GmresIteration& at) { return at.iteration < 5; };
  const Solution found = with({.size = 1e-3, .orders = 1, .from = 3});
  EXPECT_EQ(found.gmres.status, GmresStatus::interrupted);
  EXPECT_EQ(found.gmres.iterations, 5);
  EXPECT_TRUE(found.complete());
  EXPECT_TRUE(found.accuracy.refinements.empty());
  EXPECT_FALSE(found.accuracy.kept());
}

TEST_F(Solve, WithoutSamplesMeasuresNothing) {
  options.error_samples = 0;
  ErringBackend backend({.size = 1e-3});
  const Solution found = solve(problem, options, backend);
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(backend.direct, 0);
  EXPECT_EQ(backend.tolerances.size(), 1u);
  EXPECT_EQ(found.fmm_sampled_error, 0.0);
}

// The built-in box, whose sums erred by up to twenty times what was asked.
TEST_F(Solve, OfABoxKeepsItsTolerance) {
  problem.panels = make_panels(meshes::make_box(3000, {1.0, 1.0, 1.0}));
  for (const double tolerance : {1e-4, 1e-7}) {
    options.fmm.tolerance = tolerance;
    const Solution found = with(none);
    EXPECT_TRUE(found.accuracy.kept());
    EXPECT_LE(found.fmm_sampled_error, 1.1 * tolerance);
  }
}

}  // namespace
}  // namespace rankine::bem
