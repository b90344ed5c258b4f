// <rankine/fmm.h> against the operator below it: the same bits, and a status and a message for
// every error.
#include <gtest/gtest.h>
#include <rankine/fmm.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "tests/gpu/c_problem.hpp"

/// Sizes of the structs as a C compiler sees them.
extern "C" const std::size_t c_sizes[5];

namespace rankine {
namespace {

using Plan = std::unique_ptr<rankine_fmm_plan, decltype(&rankine_fmm_destroy)>;
using testing::CProblem;
using testing::Sums;

rankine_fmm_options c_options(double tolerance = 1e-6) {
  rankine_fmm_options options;
  EXPECT_EQ(rankine_fmm_default_options(&options, sizeof options), RANKINE_OK);
  options.backend = RANKINE_CPU;
  options.tolerance = tolerance;
  options.derivatives = 2;
  options.dipoles = 1;
  options.rhs = 2;
  options.direct_pairs = 0;
  options.leaf_capacity = 30;
  return options;
}

fmm::Options cpp_options(double tolerance = 1e-6) {
  return {.tolerance = tolerance,
          .leaf_capacity = 30,
          .gradient = true,
          .hessian = true,
          .dipoles = true,
          .rhs = 2,
          .direct_pairs = 0};
}

Plan make_plan(const rankine_fmm_points& points, const rankine_fmm_options& options) {
  rankine_fmm_plan* plan = nullptr;
  EXPECT_EQ(rankine_fmm_create(&plan, &points, &options), RANKINE_OK) << rankine_message();
  return {plan, rankine_fmm_destroy};
}

Sums c_sums(rankine_fmm_plan* plan, const CProblem& problem) {
  Sums sums(problem);
  const rankine_fmm_strengths given = problem.c_strengths();
  const rankine_fmm_results wanted = sums.c_results();
  EXPECT_EQ(rankine_fmm_apply(plan, &given, &wanted, problem.rhs, RANKINE_HOST), RANKINE_OK)
      << rankine_message();
  return sums;
}

Sums cpp_sums(fmm::Operator& op, const CProblem& problem) {
  Sums sums(problem);
  op.apply(problem.strengths(), sums.results(), problem.rhs);
  return sums;
}

TEST(CInterface, SumsAreThoseOfTheOperatorBitForBit) {
  for (const bool own_targets : {false, true}) {
    const CProblem problem(1500, own_targets, 2);
    const Plan plan = make_plan(problem.c_points(), c_options());
    const auto op = fmm::make_cpu_operator(problem.points(), cpp_options());
    EXPECT_GT(op->info().m2l, 0);
    EXPECT_EQ(c_sums(plan.get(), problem), cpp_sums(*op, problem)) << own_targets;
  }
}

TEST(CInterface, PlansKeepCopiesOfTheirPoints) {
  CProblem problem(1500, true, 1);
  const Plan plan = make_plan(problem.c_points(), c_options());
  const Sums before = c_sums(plan.get(), problem);
  for (Vec3d& x : problem.sources) x.x = std::numeric_limits<double>::quiet_NaN();
  for (Vec3d& x : problem.targets) x.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(c_sums(plan.get(), problem), before);
}

TEST(CInterface, MovedPlansAreMovedOperators) {
  for (const bool own_targets : {false, true}) {
    CProblem problem(1500, own_targets, 1);
    const Plan plan = make_plan(problem.c_points(), c_options());
    const auto op = fmm::make_cpu_operator(problem.points(), cpp_options());
    const Sums before = c_sums(plan.get(), problem);
    problem.shift(0.3);
    const rankine_fmm_points points = problem.c_points();
    ASSERT_EQ(rankine_fmm_move(plan.get(), &points, RANKINE_HOST), RANKINE_OK) << rankine_message();
    op->move(problem.points());
    const Sums after = c_sums(plan.get(), problem);
    EXPECT_EQ(after, cpp_sums(*op, problem));
    EXPECT_NE(after, before);
  }
}

// For every kernel the caller gets the operator's sums, or its error.
TEST(CInterface, EveryKernelIsPassedThrough) {
  for (const int kernel :
       {RANKINE_LAPLACE, RANKINE_PLUMMER, RANKINE_VORTEX_EXPONENTIAL, RANKINE_VORTEX_GAUSSIAN}) {
    SCOPED_TRACE(kernel);
    const CProblem problem(600, false, 1, kernel >= RANKINE_VORTEX_EXPONENTIAL);
    rankine_fmm_options options = c_options();
    fmm::Options expected = cpp_options();
    options.kernel = kernel;
    options.softening = expected.softening = kernel == RANKINE_PLUMMER ? 0.02 : 0.0;
    options.derivatives = options.dipoles = 0;
    expected.gradient = expected.hessian = expected.dipoles = false;
    expected.kernel = static_cast<fmm::Kernel>(kernel);
    const CProblem given = kernel == RANKINE_LAPLACE ? problem : problem.of_kernel();
    const rankine_fmm_points points = given.c_points();
    rankine_fmm_plan* plan = nullptr;
    const int status = rankine_fmm_create(&plan, &points, &options);
    const Plan owned(plan, rankine_fmm_destroy);
    try {
      const auto op = fmm::make_cpu_operator(given.points(), expected);
      ASSERT_EQ(status, RANKINE_OK) << rankine_message();
      EXPECT_EQ(c_sums(plan, given), cpp_sums(*op, given));
    } catch (const InputError& error) {
      EXPECT_EQ(status, RANKINE_INPUT_ERROR);
      EXPECT_STREQ(rankine_message(), error.what());
    }
  }
}

TEST(CInterface, DefaultsAreThoseOfTheOperator) {
  rankine_fmm_options options;
  ASSERT_EQ(rankine_fmm_default_options(&options, sizeof options), RANKINE_OK);
  const fmm::Options expected;
  EXPECT_EQ(options.size, sizeof options);
  EXPECT_EQ(options.backend, RANKINE_AUTO);
  EXPECT_EQ(options.kernel, RANKINE_LAPLACE);
  EXPECT_EQ(options.method, RANKINE_FAST_MULTIPOLE);
  EXPECT_EQ(options.precision, RANKINE_FLOAT64);
  EXPECT_EQ(options.tolerance, expected.tolerance);
  EXPECT_EQ(options.direct_pairs, expected.direct_pairs);
  EXPECT_EQ(options.rhs, expected.rhs);
  EXPECT_EQ(options.order + options.leaf_capacity + options.threads, 0);
  EXPECT_EQ(options.derivatives + options.dipoles, 0);
  EXPECT_EQ(options.softening, 0.0);
}

TEST(CInterface, InfoIsThatOfTheOperator) {
  const CProblem problem(1500, true, 1);
  const Plan plan = make_plan(problem.c_points(), c_options(1e-4));
  const auto op = fmm::make_cpu_operator(problem.points(), cpp_options(1e-4));
  rankine_fmm_info info;
  ASSERT_EQ(rankine_fmm_get_info(plan.get(), &info, sizeof info), RANKINE_OK);
  const fmm::OperatorInfo& expected = op->info();
  EXPECT_EQ(info.backend, RANKINE_CPU);
  EXPECT_EQ(info.method, RANKINE_FAST_MULTIPOLE);
  EXPECT_EQ(info.stream, nullptr);
  EXPECT_EQ(info.sources, expected.sources);
  EXPECT_EQ(info.targets, expected.targets);
  EXPECT_EQ(info.boxes, expected.boxes);
  EXPECT_EQ(info.leaves, expected.leaves);
  EXPECT_EQ(info.near_pairs, expected.near_pairs);
  EXPECT_EQ(info.order, expected.order);
  EXPECT_EQ(info.depth, expected.depth);
  EXPECT_EQ(info.leaf_capacity, expected.leaf_capacity);
  EXPECT_EQ(info.tolerance, 1e-4);
  EXPECT_EQ(info.kept_tolerance, expected.kept_tolerance);
  EXPECT_GT(info.host_bytes, 0);
}

TEST(CInterface, StructsAreOfOneSizeInBothLanguages) {
  const std::vector<std::size_t> here = {sizeof(rankine_fmm_options), sizeof(rankine_fmm_points),
                                         sizeof(rankine_fmm_strengths), sizeof(rankine_fmm_results),
                                         sizeof(rankine_fmm_info)};
  EXPECT_EQ(std::vector<std::size_t>(c_sizes, c_sizes + 5), here);
}

TEST(CInterface, DifferentPlansServeDifferentThreads) {
  constexpr int threads = 4, rounds = 2;
  std::vector<CProblem> problems;
  std::vector<Sums> alone;
  rankine_fmm_options options = c_options(1e-3);
  options.threads = 2;
  for (int t = 0; t < threads; ++t) {
    problems.emplace_back(600 + 100 * t, t % 2 == 0, 1);
    alone.push_back(c_sums(make_plan(problems[t].c_points(), options).get(), problems[t]));
  }
  std::vector<int> wrong(threads, 0);
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t) {
    team.emplace_back([&, t] {
      for (int round = 0; round < rounds; ++round) {
        const Plan plan = make_plan(problems[t].c_points(), options);
        wrong[t] += c_sums(plan.get(), problems[t]) == alone[t] ? 0 : 1;
        // Every thread has its own message.
        wrong[t] +=
            rankine_fmm_apply(plan.get(), nullptr, nullptr, t, RANKINE_HOST) == RANKINE_INPUT_ERROR
                ? 0
                : 1;
        rankine_fmm_options unknown = options;
        unknown.kernel = 100 + t;
        rankine_fmm_plan* none = nullptr;
        const rankine_fmm_points points = problems[t].c_points();
        rankine_fmm_create(&none, &points, &unknown);
        std::this_thread::yield();
        const std::string number = std::to_string(100 + t);
        wrong[t] += std::string(rankine_message()).find(number) == std::string::npos ? 1 : 0;
      }
    });
  }
  for (std::thread& each : team) each.join();
  EXPECT_EQ(wrong, std::vector<int>(threads, 0));
}

/// A call must end with `status` and a message that contains `part`.
void expect_refusal(int found, int status, const std::string& part) {
  EXPECT_EQ(found, status) << rankine_message();
  EXPECT_NE(std::string(rankine_message()).find(part), std::string::npos)
      << "'" << rankine_message() << "' does not say '" << part << "'";
}

class CRefusals : public ::testing::Test {
 protected:
  /// Creation with changed points and options must fail and give no plan.
  void refuse_creation(const std::function<void(rankine_fmm_points&, rankine_fmm_options&)>& change,
                       const std::string& part, int status = RANKINE_INPUT_ERROR) {
    rankine_fmm_points points = problem_.c_points();
    rankine_fmm_options options = c_options();
    change(points, options);
    auto* plan = reinterpret_cast<rankine_fmm_plan*>(&points);
    expect_refusal(rankine_fmm_create(&plan, &points, &options), status, part);
    EXPECT_EQ(plan, nullptr);
  }
  int apply(const rankine_fmm_strengths& given, const rankine_fmm_results& wanted, int rhs = 1,
            int memory = RANKINE_HOST) {
    return rankine_fmm_apply(plan_.get(), &given, &wanted, rhs, memory);
  }

  CProblem problem_{200, true, 1};
  Plan plan_ = make_plan(problem_.c_points(), c_options());
};

TEST_F(CRefusals, OfPointsAndOptions) {
  using Points = rankine_fmm_points;
  using Options = rankine_fmm_options;
  refuse_creation([](Points& p, Options&) { p.sources = nullptr; }, "200 sources");
  refuse_creation([](Points& p, Options&) { p.targets = nullptr; },
                  "targets, but their array is NULL");
  refuse_creation([](Points& p, Options&) { p.source_count = -3; }, "-3");
  refuse_creation([](Points& p, Options&) { p.target_count = -4; }, "-4");
  refuse_creation([](Points&, Options& o) { o.tolerance = 0.5; }, "tolerance 0.5");
  refuse_creation([](Points&, Options& o) { o.tolerance = std::nan(""); }, "tolerance");
  refuse_creation([](Points&, Options& o) { o.kernel = 9; }, "kernel 9");
  refuse_creation([](Points&, Options& o) { o.method = -1; }, "method -1");
  refuse_creation([](Points&, Options& o) { o.precision = 2; }, "precision 2");
  refuse_creation([](Points&, Options& o) { o.backend = 3; }, "backend 3");
  refuse_creation([](Points&, Options& o) { o.derivatives = 3; }, "derivatives 3");
  refuse_creation([](Points&, Options& o) { o.threads = -2; }, "threads -2");
  refuse_creation([](Points&, Options& o) { o.rhs = 0; }, "right-hand sides 0");
  refuse_creation([](Points&, Options& o) { o.order = -1; }, "order -1");
  refuse_creation([](Points&, Options& o) { o.size = 8; }, "options of 8 bytes");
  refuse_creation([](Points&, Options& o) { o.size += 8; }, "compile with the header");
  problem_.sources[7].y = std::numeric_limits<double>::quiet_NaN();
  refuse_creation([](Points&, Options&) {}, "7");
}

TEST_F(CRefusals, OfNull) {
  const rankine_fmm_points points = problem_.c_points();
  const rankine_fmm_strengths given = problem_.c_strengths();
  Sums sums(problem_);
  const rankine_fmm_results wanted = sums.c_results();
  rankine_fmm_plan* plan = nullptr;
  rankine_fmm_info info;
  const auto refused = [](int status) { expect_refusal(status, RANKINE_INPUT_ERROR, "is NULL"); };
  refused(rankine_fmm_create(nullptr, &points, nullptr));
  refused(rankine_fmm_create(&plan, nullptr, nullptr));
  refused(rankine_fmm_move(nullptr, &points, RANKINE_HOST));
  refused(rankine_fmm_move(plan_.get(), nullptr, RANKINE_HOST));
  refused(rankine_fmm_apply(nullptr, &given, &wanted, 1, RANKINE_HOST));
  refused(rankine_fmm_apply(plan_.get(), nullptr, &wanted, 1, RANKINE_HOST));
  refused(rankine_fmm_apply(plan_.get(), &given, nullptr, 1, RANKINE_HOST));
  refused(rankine_fmm_synchronize(nullptr));
  refused(rankine_fmm_get_info(nullptr, &info, sizeof info));
  refused(rankine_fmm_get_info(plan_.get(), nullptr, sizeof info));
  refused(rankine_fmm_default_options(nullptr, sizeof(rankine_fmm_options)));
  rankine_fmm_destroy(nullptr);
  rankine_fmm_destroy(nullptr);
}

TEST_F(CRefusals, OfApply) {
  const rankine_fmm_strengths given = problem_.c_strengths();
  Sums sums(problem_);
  const rankine_fmm_results wanted = sums.c_results();
  const auto refused = [](int status, const char* part) {
    expect_refusal(status, RANKINE_INPUT_ERROR, part);
  };
  refused(apply({}, wanted), "no strengths");
  refused(apply(given, {}), "asked for nothing");
  refused(apply(given, wanted, 0), "0 right-hand sides");
  refused(apply(given, wanted, -1), "-1 right-hand sides");
  refused(apply(given, wanted, 1, RANKINE_DEVICE), "computes on the processor");
  refused(apply(given, wanted, 1, 2), "memory 2");
  rankine_fmm_points points = problem_.c_points();
  points.normals = nullptr;
  plan_ = make_plan(points, c_options());
  refused(apply(given, wanted), "without normals");
}

TEST_F(CRefusals, OfMoveLeaveThePlanAsItWas) {
  const Sums before = c_sums(plan_.get(), problem_);
  rankine_fmm_points points = problem_.c_points();
  const auto refused = [&](int memory, const char* part) {
    expect_refusal(rankine_fmm_move(plan_.get(), &points, memory), RANKINE_INPUT_ERROR, part);
    EXPECT_EQ(c_sums(plan_.get(), problem_), before);
  };
  refused(RANKINE_DEVICE, "from the host");
  refused(-1, "memory -1");
  points.normals = nullptr;
  refused(RANKINE_HOST, "normals");
  CProblem moved = problem_;
  moved.targets[3].z = std::numeric_limits<double>::infinity();
  points = moved.c_points();
  refused(RANKINE_HOST, "3");
}

TEST_F(CRefusals, OfInfoOfAnotherSize) {
  rankine_fmm_info info;
  expect_refusal(rankine_fmm_get_info(plan_.get(), &info, sizeof info + 8), RANKINE_INPUT_ERROR,
                 "compile with the header");
  expect_refusal(rankine_fmm_get_info(plan_.get(), &info, 16), RANKINE_INPUT_ERROR, "16 bytes");
}

TEST_F(CRefusals, OfADeviceThatIsNotThere) {
  if (gpu::available()) GTEST_SKIP() << "a device can be used";
  refuse_creation([](rankine_fmm_points&, rankine_fmm_options& o) { o.backend = RANKINE_CUDA; },
                  gpu::built_with_cuda() ? "" : "no CUDA code", RANKINE_DEVICE_ERROR);
}

TEST(CInterface, AutomaticPlansFindAPlace) {
  const CProblem problem(100, false, 1);
  rankine_fmm_options options = c_options();
  options.backend = RANKINE_AUTO;
  const Plan plan = make_plan(problem.c_points(), options);
  rankine_fmm_info info;
  ASSERT_EQ(rankine_fmm_get_info(plan.get(), &info, sizeof info), RANKINE_OK);
  EXPECT_EQ(info.backend, gpu::available() ? RANKINE_CUDA : RANKINE_CPU);
}

}  // namespace
}  // namespace rankine
