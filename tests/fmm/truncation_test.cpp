#include "rankine/fmm/truncation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {
namespace {

class TruncationOf : public ::testing::TestWithParam<std::string_view> {};

// Against the errors of the operator itself, source by source. A sample of a heavy-tailed mean square
// is good to about a factor two; a factor three in the error is one or two orders.
TEST_P(TruncationOf, IsWhatTheOperatorErrsBy) {
  constexpr std::size_t n = 700;
  constexpr int capacity = 12;
  const auto points = make_points(GetParam(), n, 1);
  for (const int order : {4, 8}) {
    Options options;
    options.order = order;
    options.leaf_capacity = capacity;
    options.direct_pairs = 0;
    options.gradient = true;
    const auto op = make_cpu_operator({points, points}, options);
    std::vector<double> q(n, 0.0), potential(n), gradient(3 * n);
    std::vector<double> error2(n, 0.0), sum2(n, 0.0), gradient_error2(n, 0.0), gradient2(n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      q[j] = 1.0;
      op->apply({.charges = q}, {.potential = potential, .gradient = gradient});
      q[j] = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == j) continue;
        const Vec3d r = points[i] - points[j];
        const double u = 1.0 / norm(r), e = potential[i] - u;
        error2[i] += e * e;
        sum2[i] += u * u;
        for (int axis = 0; axis < 3; ++axis) {
          const double g = gradient[3 * i + static_cast<std::size_t>(axis)] + r[axis] * u * u * u;
          gradient_error2[i] += g * g;
        }
        gradient2[i] += u * u * u * u;
      }
    }
    double potential_part = 0.0, gradient_part = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      potential_part += error2[i] / sum2[i] / n;
      gradient_part += gradient_error2[i] / gradient2[i] / n;
    }
    const double found = std::sqrt(std::max(potential_part, gradient_part));
    TreeBuilder host;
    const Plan plan = make_plan({points, points}, options, host);
    const TruncationSample sample(plan.tree, morton_points(plan.tree, {points, points}), options,
                                  plan.direct_threshold, order, order);
    EXPECT_FALSE(sample.empty());
    EXPECT_GT(sample.relative_error(order), found / 3.0) << order;
    EXPECT_LT(sample.relative_error(order), found * 3.0) << order;
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, TruncationOf,
                         ::testing::Values("cube", "sphere", "clusters", "lattice", "plummer"));

// A flat slab fills boxes to their corners wherever they are cut; a line hardly ever does.
TEST(Truncation, KnowsWorsePoints) {
  Options options;
  options.leaf_capacity = 30;
  options.direct_pairs = 0;
  options.tolerance = 1e-9;
  const auto order = [&](std::string_view name) {
    const auto points = make_points(name, 20000, 1);
    return make_plan({points, points}, options).orders.order;
  };
  EXPECT_GT(order("slab"), order("sphere"));
  EXPECT_LT(order("line"), order("cube"));
}

TEST(Truncation, DoesNotDependOnTheNumberOfThreads) {
  const auto points = make_points("clusters", 5000, 1);
  Options options;
  options.leaf_capacity = 30;
  options.direct_pairs = 0;
  const Plan plan = make_plan({points, points}, options);
  const auto estimate = [&](int threads) {
    const ThreadScope scope(threads);
    return TruncationSample(plan.tree, morton_points(plan.tree, {points, points}), options,
                            plan.direct_threshold, 12, 14)
        .relative_error(12);
  };
  EXPECT_EQ(estimate(1), estimate(3));
}

}  // namespace
}  // namespace rankine::fmm
