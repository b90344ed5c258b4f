// The estimated truncation error against the error that expansions really make.
#include "rankine/fmm/truncation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/plan.hpp"
#include "tests/support/reference_sum.hpp"

namespace rankine::fmm {
namespace {

using testing::Field;

int derivatives_of(const Options& options) {
  return options.hessian ? 2 : (options.gradient ? 1 : 0);
}

/// |phi|^2, |grad phi|^2 or the squared Frobenius norm of the second derivatives at a target.
double squared_size(const Field& field, std::size_t target, int derivative) {
  const std::vector<double>* const values[] = {&field.potential, &field.gradient, &field.hessian};
  constexpr std::size_t widths[] = {1, 3, 6};
  const std::size_t width = widths[derivative];
  double sum = 0.0;
  for (std::size_t c = 0; c < width; ++c) {
    const double value = (*values[derivative])[width * target + c];
    const bool off_diagonal = width == 6 && (c == 1 || c == 2 || c == 4);  // xx xy xz yy yz zz
    sum += (off_diagonal ? 2.0 : 1.0) * value * value;
  }
  return sum;
}

/// The root mean square over the targets of the relative error of the operator, found with one unit
/// strength after the other: the largest over the results and strengths that the options name.
/// Sources come in groups of `copies` equal points; one of each group is measured.
double error_made(const std::vector<Vec3d>& sources, const std::vector<Vec3d>& targets,
                  const Options& options, std::size_t copies = 1) {
  const int derivatives = derivatives_of(options);
  const auto op = make_cpu_operator({sources, targets}, options);
  const std::size_t n = targets.size();
  std::array<std::vector<double>, pair_kinds> error2, size2;
  for (auto* each : {&error2, &size2}) each->fill(std::vector<double>(n, 0.0));
  std::vector<double> charges(sources.size()), dipoles(3 * sources.size());
  for (std::size_t j = 0; j < sources.size(); j += copies) {
    for (std::size_t axis = 0; axis < (options.dipoles ? 4U : 1U); ++axis) {
      const bool charge = axis == 3 || !options.dipoles;
      double& unit = charge ? charges[j] : dipoles[3 * j + axis];
      unit = 1.0;
      Field found{std::vector<double>(n), std::vector<double>(derivatives > 0 ? 3 * n : 0),
                  std::vector<double>(derivatives > 1 ? 6 * n : 0)};
      op->apply(charge ? Strengths{.charges = charges} : Strengths{.dipoles = dipoles},
                {found.potential, found.gradient, found.hessian});
      unit = 0.0;
      std::vector<double> q(charge ? 1 : 0, 1.0), moment(charge ? 0 : 3, 0.0);
      if (!charge) moment[axis] = 1.0;
      const Field exact = testing::direct_sum({sources[j]}, targets, q, moment, derivatives);
      for (const auto values : {&Field::potential, &Field::gradient, &Field::hessian}) {
        for (std::size_t i = 0; i < (found.*values).size(); ++i)
          (found.*values)[i] -= (exact.*values)[i];
      }
      for (int d = 0; d <= derivatives; ++d) {
        const auto kind = static_cast<std::size_t>(pair_kind(d, charge ? 0 : 1));
        for (std::size_t i = 0; i < n; ++i) {
          error2[kind][i] += squared_size(found, i, d);
          size2[kind][i] += squared_size(exact, i, d);
        }
      }
    }
  }
  double worst = 0.0;
  for (std::size_t kind = 0; kind < pair_kinds; ++kind) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      sum += size2[kind][i] > 0.0 ? error2[kind][i] / size2[kind][i] : 0.0;
    worst = std::max(worst, sum / static_cast<double>(n));
  }
  return std::sqrt(worst);
}

TruncationSample sample_of(const std::vector<Vec3d>& sources, const std::vector<Vec3d>& targets,
                           const Options& options) {
  const Plan plan = make_plan({sources, targets}, options);
  return {plan.tree,     morton_points(plan.tree, {sources, targets}),
          options,       plan.direct_threshold,
          options.order, options.order};
}

Options options_of(Method method, int order, int derivatives, bool dipoles, int leaf_capacity) {
  return {.method = method,
          .order = order,
          .leaf_capacity = leaf_capacity,
          .gradient = derivatives > 0,
          .hessian = derivatives > 1,
          .dipoles = dipoles,
          .direct_pairs = 0};
}

class TruncationOf : public ::testing::TestWithParam<std::string_view> {};

// A sample of a heavy-tailed mean square is good to about a factor of two; a factor of three in the
// error is one or two orders.
TEST_P(TruncationOf, IsWhatTheOperatorErrsBy) {
  const auto points = make_points(GetParam(), 300, 1);
  for (const int order : {4, 8}) {
    const Options options = options_of(Method::fmm, order, 1, false, 12);
    const double found = error_made(points, points, options);
    const TruncationSample sample = sample_of(points, points, options);
    EXPECT_FALSE(sample.empty());
    EXPECT_GT(sample.relative_error(order), found / 3.0) << order;
    EXPECT_LT(sample.relative_error(order), found * 3.0) << order;
  }
}

// Points that are read from a device give the same sample as those on the host.
TEST(Truncation, IsTheSameForPointsThatAreRead) {
  const auto points = make_points("plummer", 4000, 1);
  const Options options = options_of(Method::fmm, 8, 1, true, 30);
  const Plan plan = make_plan({points, points}, options);
  const MortonPoints host = morton_points(plan.tree, {points, points});
  const OrderedPoints read{.read = [&](std::span<const std::int32_t> numbers) {
    AlignedVector<Vec3d> found;
    for (const std::int32_t each : numbers) found.push_back(host.sources[each]);
    return found;
  }};
  const auto sample = [&](const MortonPoints& from) {
    return TruncationSample(plan.tree, from, options, plan.direct_threshold, 8, 10);
  };
  EXPECT_EQ(sample({read, read}).relative_error(8), sample(host).relative_error(8));
}

INSTANTIATE_TEST_SUITE_P(Distributions, TruncationOf,
                         ::testing::Values("cube", "sphere", "clusters", "lattice", "plummer"));

/// Sources in one slab and targets in another, every point several times: all errors and most terms
/// are those of expansions, and a box holds many sources. `near`: one more source beside each
/// target, whose term is larger than all others together.
struct TwoSlabs {
  static constexpr int points = 12, copies = 20;
  std::vector<Vec3d> sources, targets;

  explicit TwoSlabs(std::uint64_t seed, bool near = false) {
    const auto add = [](std::vector<Vec3d>& to, const Vec3d& p) { to.insert(to.end(), copies, p); };
    for (const Vec3d& p : make_points("cube", points, seed)) add(sources, {0.25 * p.x, p.y, p.z});
    for (const Vec3d& p : make_points("cube", points, seed + 100)) {
      add(targets, {1.0 - 0.25 * p.x, p.y, p.z});
      if (near) add(sources, targets.back() + Vec3d{0.0, 1e-4, 0.0});
    }
  }
};

/// The error estimated over the error made, each the root mean square of six seeds.
double estimated_over_made(const Options& options, bool near) {
  double made = 0.0, estimated = 0.0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const TwoSlabs slabs(seed, near);
    made += std::pow(error_made(slabs.sources, slabs.targets, options, TwoSlabs::copies), 2);
    estimated +=
        std::pow(sample_of(slabs.sources, slabs.targets, options).relative_error(options.order), 2);
  }
  return std::sqrt(estimated / made);
}

class TruncationIn : public ::testing::TestWithParam<std::tuple<Method, int, bool>> {};

// There are so few different pairs of points that the 512 draws contain nearly all. Random are the
// directions and how often a pair is drawn. Over five seeds of every case, one draw had a variance
// of about 13 times its squared mean. So one sample has a relative standard error of
// (13 / 512)^(1/2) = 0.16, which is added to the mean square, and the mean of six one of 6 %, its
// root of 3 %. The limit is eight times that.
const double with_standard_error = std::sqrt(1.16);

TEST_P(TruncationIn, HasEveryResultWithItsSize) {
  const auto [method, derivatives, dipoles] = GetParam();
  const Options options = options_of(method, 4, derivatives, dipoles, TwoSlabs::copies);
  EXPECT_NEAR(estimated_over_made(options, false), with_standard_error, 0.25);
}

TEST(Truncation, HasTermsOfNearSourcesWithTheirSize) {
  const Options options = options_of(Method::fmm, 4, 0, false, TwoSlabs::copies);
  EXPECT_NEAR(estimated_over_made(options, true), with_standard_error, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Results, TruncationIn,
                         ::testing::Combine(::testing::Values(Method::fmm, Method::treecode),
                                            ::testing::Values(0, 1, 2), ::testing::Bool()),
                         [](const auto& instance) {
                           return std::string(to_string(std::get<0>(instance.param))) + "_" +
                                  std::to_string(std::get<1>(instance.param)) + "_derivatives_" +
                                  (std::get<2>(instance.param) ? "of_dipoles" : "of_charges");
                         });

// A few boxes of each level represent all of them. On a tree of thousands of boxes the estimate is
// the error for one draw of random signs at 1500 targets, to a factor of two as above.
TEST(Truncation, OfThousandsOfBoxesIsThatOfAFew) {
  constexpr int order = 6;
  const auto sources = make_points("cube", 15000, 1), targets = make_points("cube", 1500, 2);
  std::vector<double> q = make_strengths(sources.size(), 3);
  for (double& each : q) each = std::copysign(1.0, each);
  const Options options = options_of(Method::fmm, order, 0, false, 15);
  const auto op = make_cpu_operator({sources, targets}, options);
  ASSERT_GT(op->info().boxes, 2000);
  std::vector<double> found(targets.size());
  op->apply({.charges = q}, {.potential = found});
  const Field exact = testing::direct_sum(sources, targets, q, {}, 0),
              squares = testing::squared_terms(sources, targets, q, {}, 0);
  double made = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double error = found[i] - exact.potential[i];
    made += error * error / squares.potential[i] / static_cast<double>(targets.size());
  }
  const double estimated = sample_of(sources, targets, options).relative_error(order);
  EXPECT_GT(estimated, 0.5 * std::sqrt(made));
  EXPECT_LT(estimated, 2.0 * std::sqrt(made));
}

// Beyond order 10 the estimate falls no faster than the error of points that fill their boxes,
// whose mean squares are measured here with plain sampling: 60000 pairs give the quotient of two
// heavy-tailed errors to better than a factor of two.
TEST(Truncation, FallsNoFasterThanForFullBoxes) {
  constexpr std::size_t pairs = 60000;
  constexpr int low = 10, high = 20;
  const auto points = make_points("cube", 4 * pairs, 5);
  const Vec3d centre{0.5, 0.5, 0.5};
  PairSeries series(high, 2, 2);
  double low2[pair_kinds] = {}, high2[pair_kinds] = {};
  for (std::size_t i = 0; i < 4 * pairs; i += 4) {
    series.set_m2l({2.0, 0.0, 0.0}, points[i] - centre, points[i + 1] - centre,
                   normalized(points[i + 2] - centre), normalized(points[i + 3] - centre));
    for (int d = 0; d <= 2; ++d) {
      for (int s = 0; s <= 1; ++s) {
        series.errors(d, s, [&](int p, double error) {
          if (p == low) low2[pair_kind(d, s)] += error * error;
          if (p == high) high2[pair_kind(d, s)] += error * error;
        });
      }
    }
  }
  const TwoSlabs slabs(1);
  for (int d = 0; d <= 2; ++d) {
    for (int s = 0; s <= 1; ++s) {
      const double full = std::sqrt(high2[pair_kind(d, s)] / low2[pair_kind(d, s)]);
      const TruncationSample sample = sample_of(
          slabs.sources, slabs.targets, options_of(Method::fmm, high, d, s == 1, TwoSlabs::copies));
      const double falls = sample.relative_error(high) / sample.relative_error(low);
      EXPECT_GT(falls, full / 2.0) << d << " derivatives, strength " << s;
    }
  }
}

// At high orders the error is that of a few kinds of pairs, which depend on where targets are: far
// boxes use fewer terms, and those nearer than two edges need more.
class TruncationOfTargets : public ::testing::TestWithParam<std::tuple<Method, double>> {};

TEST_P(TruncationOfTargets, ApartIsWhatTheOperatorErrsBy) {
  const auto [method, height] = GetParam();
  std::vector<Vec3d> sources = make_points("cube", 400, 1), targets = make_points("cube", 400, 2);
  for (Vec3d& each : sources) each.z = 0.0;
  for (Vec3d& each : targets) each.z = height;
  for (const int order : {9, 18}) {
    const Options options = options_of(method, order, 1, false, 12);
    const double found = error_made(sources, targets, options),
                 estimated = sample_of(sources, targets, options).relative_error(order);
    EXPECT_GT(estimated, found / 3.0) << order;
    EXPECT_LT(estimated, found * 3.0) << order;
  }
}

INSTANTIATE_TEST_SUITE_P(Planes, TruncationOfTargets,
                         ::testing::Combine(::testing::Values(Method::fmm, Method::treecode),
                                            ::testing::Values(0.15, 0.3, 0.5)));

// A flat slab fills boxes to their corners wherever they are cut; a line hardly ever does.
TEST(Truncation, KnowsWorsePoints) {
  const auto order = [&](std::string_view name) {
    const auto points = make_points(name, 20000, 1);
    Options options = options_of(Method::fmm, 0, 0, false, 30);
    options.tolerance = 1e-9;
    return make_plan({points, points}, options).orders.order;
  };
  EXPECT_GT(order("slab"), order("sphere"));
  EXPECT_LT(order("line"), order("cube"));
}

// Points near corners need many more terms than the likely order that the search begins with.
TEST(Truncation, FindsOrdersFarAboveTheLikelyOne) {
  const auto points = make_points("corners", 3000, 1);
  Options options = options_of(Method::fmm, 0, 0, true, 20);
  const Plan plan = make_plan({points, points}, options);
  EXPECT_GT(plan.orders.order, likely_orders(options).order + 10);
  EXPECT_EQ(plan.kept_tolerance, options.tolerance);
}

TEST(Truncation, DoesNotDependOnTheNumberOfThreads) {
  const auto points = make_points("clusters", 5000, 1);
  const Options options = options_of(Method::fmm, 12, 0, false, 30);
  const auto estimate = [&](int threads) {
    return Execution{.threads = threads}.run(
        [&] { return sample_of(points, points, options).relative_error(12); });
  };
  EXPECT_EQ(estimate(1), estimate(3));
}

// The leaf capacity is chosen for the likely order, and its lists are kept if that order is right.
TEST(LikelyOrder, IsNearTheOneThatSamplesFind) {
  for (const auto& [name, spread] :
       {std::pair{"sphere", Spread::surface}, std::pair{"cube", Spread::volume}}) {
    const auto points = make_points(name, 20000, 7);
    for (const bool gradient : {false, true}) {
      for (const double tolerance : {1e-3, 1e-6, 1e-8}) {
        Options options;
        options.tolerance = tolerance;
        options.gradient = gradient;
        options.leaf_capacity = 60;
        options.direct_pairs = 0;
        const int found = make_plan({points, points}, options).orders.order;
        EXPECT_NEAR(likely_orders(options, spread).order, found, gradient ? 3 : 1)
            << name << ", tolerance " << tolerance;
      }
    }
  }
}

}  // namespace
}  // namespace rankine::fmm
