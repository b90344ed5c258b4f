// Solves that are asked to stop: what was under way is left, what GMRES has found is kept.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/krylov/refinement.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "tests/support/dense_systems.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using rankine::testing::FunctionOperator;

using rankine::testing::random_columns;
using rankine::testing::unknowns;

struct StoppedGmres : ::testing::Test, testing::DenseSystem<2> {
  std::stop_source stop;
  int calls = 0, stop_in = 0;

  /// Asks to stop in the middle of product `stop_in`, in which it sees that itself where `sees`.
  FunctionOperator stopping(bool sees) {
    return testing::dense(a, [this, sees](double*) {
      if (++calls == stop_in) stop.request_stop();
      if (sees) throw_if_stopped();
    });
  }
  FunctionOperator patient() { return testing::dense(a); }
  void ask_in_product(int k) {
    stop = {};
    calls = 0;
    stop_in = k;
  }
  template <class Work>
  auto asked(Work&& work) const {
    return Execution{.stop = stop.get_token()}.run(work);
  }
};

TEST_F(StoppedGmres, KeepsTheIterateOfTheIterationsDone) {
  for (const bool sees : {true, false}) {  // in the product, or in the vector operations after it
    for (const int product : {2, 3, 5, 9}) {
      ask_in_product(product);
      MatrixXd x = MatrixXd::Zero(unknowns, 2), expected = x;
      FunctionOperator matrix = stopping(sees), undisturbed = patient();
      const auto results = asked(
          [&] { return gmres(*backend, 2, matrix, b.data(), x.data(), {.tolerance = 1e-13}); });
      EXPECT_EQ(calls, product) << "no product follows";
      gmres(*backend, 2, undisturbed, b.data(), expected.data(),
            {.tolerance = 1e-13, .max_iterations = product - 1});
      EXPECT_EQ(x, expected);
      for (int k = 0; k < 2; ++k) {
        const GmresResult& each = results[static_cast<std::size_t>(k)];
        EXPECT_EQ(each.status, GmresStatus::interrupted);
        EXPECT_EQ(each.iterations, product - 1);
        EXPECT_EQ(each.true_residual, each.residual);
        EXPECT_NEAR(each.residual, residual(x, k), 1e-12);
      }
    }
  }
}

TEST_F(StoppedGmres, KeepsTheIterateOfARestart) {
  // Cycles of three iterations: the fourth product is the true residual of the third iterate.
  for (const int product : {4, 5, 8}) {
    ask_in_product(product);
    MatrixXd x = MatrixXd::Zero(unknowns, 2);
    FunctionOperator matrix = stopping(true);
    const auto results = asked([&] {
      return gmres(*backend, 2, matrix, b.data(), x.data(), {.tolerance = 1e-13, .restart = 3});
    });
    EXPECT_EQ(calls, product);
    for (int k = 0; k < 2; ++k) {
      const GmresResult& each = results[static_cast<std::size_t>(k)];
      EXPECT_EQ(each.status, GmresStatus::interrupted);
      EXPECT_EQ(each.iterations, product == 4 ? 3 : product == 5 ? 3 : 6);
      EXPECT_NEAR(each.true_residual, residual(x, k), 1e-12);
    }
  }
}

TEST_F(StoppedGmres, ThrowsBeforeThereIsAnIterate) {
  for (const bool sees : {true, false}) {
    for (const bool guess : {true, false}) {
      ask_in_product(1);
      FunctionOperator matrix = stopping(sees);
      MatrixXd x = guess ? random_columns(3, 2) : MatrixXd::Zero(unknowns, 2);
      const auto run = [&] {
        asked([&] { return gmres(*backend, 2, matrix, b.data(), x.data(), {}); });
      };
      EXPECT_THROW(run(), Stopped);
      EXPECT_EQ(calls, 1);
      x.setZero();
      EXPECT_THROW(run(), Stopped);
      EXPECT_EQ(calls, 1) << "asked before it began";
    }
  }
}

TEST_F(StoppedGmres, LeavesWhatHasConverged) {
  // The second right-hand side is solved by its guess.
  ask_in_product(6);
  MatrixXd x = MatrixXd::Zero(unknowns, 2);
  x.col(1) = a.partialPivLu().solve(b.col(1));
  FunctionOperator matrix = stopping(true);
  const auto results =
      asked([&] { return gmres(*backend, 2, matrix, b.data(), x.data(), {.tolerance = 1e-12}); });
  EXPECT_EQ(results[0].status, GmresStatus::interrupted);
  EXPECT_EQ(results[1].status, GmresStatus::converged);
  EXPECT_LE(residual(x, 1), 1e-12);
}

TEST_F(StoppedGmres, RefinementKeepsWhatItsRoundsHaveDone) {
  FunctionOperator accurate = patient();
  MatrixXd x = MatrixXd::Zero(unknowns, 2);
  const auto run = [&] {
    FunctionOperator inner = stopping(true);
    x.setZero();
    return asked([&] {
      return refine(*backend, 2, accurate, inner, 1e-3, b.data(), x.data(), {.tolerance = 1e-12});
    });
  };
  ask_in_product(0);
  run();
  const int all = calls;
  ask_in_product(1);
  EXPECT_THROW(run(), Stopped);
  double before = 1.0;
  for (int product = 2; product <= all; ++product) {
    SCOPED_TRACE(product);
    ask_in_product(product);
    const auto results = run();
    EXPECT_EQ(calls, product);
    for (int k = 0; k < 2; ++k) {
      const GmresResult& each = results[static_cast<std::size_t>(k)];
      if (each.status == GmresStatus::converged) continue;
      EXPECT_EQ(each.status, GmresStatus::interrupted);
      // Rounding of inner solves that go three digits down, and are themselves exact.
      EXPECT_NEAR(each.true_residual, residual(x, k), 1e-11);
    }
    EXPECT_LE(residual(x, 0), before * (1.0 + 1e-9)) << "an iteration more is no loss";
    before = residual(x, 0);
  }
}

TEST_F(StoppedGmres, RefinementKeepsWhatWasNotJudged) {
  FunctionOperator inner = patient();
  for (const int product : {1, 2}) {  // the true residual after the first round, after the second
    ask_in_product(product);
    FunctionOperator accurate = stopping(true);
    MatrixXd x = MatrixXd::Zero(unknowns, 2);
    const auto results = asked([&] {
      return refine(*backend, 2, accurate, inner, 1e-3, b.data(), x.data(), {.tolerance = 1e-12});
    });
    EXPECT_EQ(calls, product);
    for (int k = 0; k < 2; ++k) {
      const GmresResult& each = results[static_cast<std::size_t>(k)];
      EXPECT_EQ(each.status, GmresStatus::interrupted);
      EXPECT_NEAR(each.true_residual, residual(x, k), 1e-11);
      EXPECT_LE(residual(x, k), product == 1 ? 1e-3 : 1e-6);
    }
  }
}

class StoppedFlow : public ::testing::TestWithParam<Formulation> {
 protected:
  const FlowProblem problem{.panels = make_panels(meshes::make_ellipsoid(1280, {2.0, 1.0, 1.5})),
                            .stream = {1.0, 0.0, 0.0}};
  const std::vector<Vec3d> streams{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.5}};
  const std::unique_ptr<Backend> backend = make_cpu_backend();
  FlowOptions options{{}, GetParam()};
  std::stop_source stop;
  std::vector<std::string> stages;

  void SetUp() override {
    options.gmres.tolerance = 1e-8;
    options.error_samples = 16;
    options.stage = [this](std::string_view stage) { stages.emplace_back(stage); };
  }
  std::vector<Solution> solved() {
    return Execution{.stop = stop.get_token()}.run(
        [&] { return solve(problem, streams, options, *backend); });
  }
  void stop_at(std::string_view name) {
    stop = {};
    options.stage = [this, name](std::string_view stage) {
      if (stage == name) stop.request_stop();
    };
  }
};

TEST_P(StoppedFlow, NamesItsStages) {
  EXPECT_TRUE(solve(problem, options, *backend).complete());
  EXPECT_EQ(stages, (std::vector<std::string>{"near field", "far field", "right-hand side", "GMRES",
                                              "potential", "surface velocity"}));
}

TEST_P(StoppedFlow, ThrowsBeforeThereIsASolution) {
  for (const char* stage : {"near field", "far field", "right-hand side", "GMRES"}) {
    stop_at(stage);
    EXPECT_THROW(solved(), Stopped) << stage;
  }
  stages.clear();
  options.stage = [this](std::string_view stage) { stages.emplace_back(stage); };
  EXPECT_THROW(solved(), Stopped);  // asked before it began
  EXPECT_EQ(stages, std::vector<std::string>{});
}

TEST_P(StoppedFlow, KeepsAConvergedUnknown) {
  const std::vector<Solution> whole = solve(problem, streams, options, *backend);
  for (const char* stage : {"potential", "surface velocity"}) {
    stop_at(stage);
    const std::vector<Solution> solutions = solved();
    for (std::size_t k = 0; k < streams.size(); ++k) {
      EXPECT_TRUE(solutions[k].converged());
      EXPECT_FALSE(solutions[k].complete());
      EXPECT_EQ(solutions[k].unknown, whole[k].unknown);
      EXPECT_EQ(solutions[k].phi.empty(), stage == std::string("potential"));
      EXPECT_TRUE(solutions[k].velocity.empty() && solutions[k].pressure.empty());
    }
  }
}

TEST_P(StoppedFlow, GoesOnFromWhatItLeft) {
  const std::vector<Solution> whole = solve(problem, streams, options, *backend);
  for (const bool mixed : {false, true}) {
    stop = {};
    options.mixed_precision = mixed;
    options.initial_guess.clear();
    options.gmres.callback = [this](const GmresIteration& at) {
      if (at.iteration == 3) stop.request_stop();
      return true;
    };
    for (const Solution& each : solved()) {
      EXPECT_EQ(each.gmres.status, GmresStatus::interrupted);
      EXPECT_FALSE(each.complete());
      EXPECT_TRUE(each.phi.empty() && each.velocity.empty() && each.pressure.empty());
      EXPECT_LT(each.gmres.true_residual, 0.1);
      options.initial_guess.insert(options.initial_guess.end(), each.unknown.begin(),
                                   each.unknown.end());
    }
    options.gmres.callback = {};
    const std::vector<Solution> resumed = solve(problem, streams, options, *backend);
    for (std::size_t k = 0; k < streams.size(); ++k) {
      EXPECT_TRUE(resumed[k].converged());
      EXPECT_LT(resumed[k].gmres.iterations, whole[k].gmres.iterations);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, StoppedFlow,
                         ::testing::Values(Formulation::green, Formulation::source));

}  // namespace
}  // namespace rankine::bem
