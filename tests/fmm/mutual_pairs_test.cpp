// Pairs that are summed once for both points (fmm/leaf_groups.hpp) against sums for every target:
// if targets have another order than the sources, they are not recognised as the same points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/leaf_groups.hpp"
#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {
namespace {

constexpr std::size_t n = 1300;  // three groups, so that there are halos

struct Sums {
  std::vector<double> potential, gradient, alone;  ///< `alone`: the potential without gradients
};

Sums sums(const std::vector<Vec3d>& sources, const std::vector<Vec3d>& targets,
          const std::vector<double>& q, Options options) {
  options.direct_pairs = 0;
  const auto op = make_cpu_operator({sources, targets}, options);
  Sums result{std::vector<double>(n), std::vector<double>(3 * n), std::vector<double>(n)};
  op->apply({q}, {result.potential, result.gradient});
  op->apply({q}, {result.alone});
  return result;
}

/// The rounding error of the sums: of n terms, of their additions, and of positions relative to
/// boxes, whose rounding at the points' extent gives 1/r a relative error of that over r.
struct Rounding {
  std::vector<double> potential, gradient;

  Rounding(const std::vector<Vec3d>& points, const std::vector<double>& q, double epsilon)
      : potential(n), gradient(n) {
    BoundingBox box;
    for (const Vec3d& p : points) box.add(p);
    const Vec3d size = box.upper - box.lower;
    const double extent = 2.0 * std::max({size.x, size.y, size.z});
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double r = norm(points[i] - points[j]);
        if (r == 0.0) continue;
        const double each = epsilon * (static_cast<double>(n) + 16.0 * (1.0 + extent / r));
        potential[i] += each * std::abs(q[j]) / r;
        gradient[i] += each * std::abs(q[j]) / (r * r);
      }
    }
  }
};

class MutualPairs : public ::testing::TestWithParam<std::string_view> {};

TEST_P(MutualPairs, GiveWhatEveryTargetsOwnSumsGive) {
  const auto points = make_points(GetParam(), n, 1);
  const std::vector<Vec3d> reversed(points.rbegin(), points.rend());
  const auto q = make_strengths(n, 2);
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    const bool single = precision == Precision::float32;
    const Rounding rounding(
        points, q,
        single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon());
    for (const Method method : {Method::fmm, Method::treecode}) {
      for (const int capacity : {1, 7, 40, 400}) {
        const Options options{.method = method,
                              .precision = precision,
                              .tolerance = single ? 1e-4 : 1e-8,  // precise roots
                              .order = 4,
                              .leaf_capacity = capacity,
                              .gradient = true};
        const Sums both = sums(points, points, q, options),
                   own = sums(points, reversed, q, options);
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t j = n - 1 - i;
          ASSERT_NEAR(both.potential[i], own.potential[j], rounding.potential[i])
              << to_string(method) << ", leaves of " << capacity << ", point " << i;
          ASSERT_NEAR(both.alone[i], own.alone[j], rounding.potential[i]);
          for (std::size_t axis = 0; axis < 3; ++axis) {
            ASSERT_NEAR(both.gradient[3 * i + axis], own.gradient[3 * j + axis],
                        rounding.gradient[i])
                << to_string(method) << ", leaves of " << capacity << ", point " << i;
          }
        }
      }
    }
  }
}

TEST_P(MutualPairs, HaveTheSameBitsOnAnyNumberOfThreads) {
  const auto points = make_points(GetParam(), n, 1);
  const auto q = make_strengths(n, 2);
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    Options options{
        .precision = precision, .tolerance = 1e-4, .leaf_capacity = 20, .gradient = true};
    options.execution.threads = 1;
    const Sums one = sums(points, points, q, options);
    options.execution.threads = 3;
    const Sums three = sums(points, points, q, options);
    EXPECT_EQ(one.potential, three.potential);
    EXPECT_EQ(one.gradient, three.gradient);
    EXPECT_EQ(one.alone, three.alone);
  }
}

// Of two leaves that list each other one sums the pairs. If only one lists the other, it sums its
// own.
TEST_P(MutualPairs, AreInOneListOfTheTwo) {
  const auto points = make_points(GetParam(), n, 1);
  for (const Method method : {Method::fmm, Method::treecode}) {
    for (const int capacity : {1, 20, 400}) {
      Options options{.method = method, .order = 4, .leaf_capacity = capacity, .direct_pairs = 0};
      const Plan plan = make_plan({points, points}, options);
      const BoxLists& near = plan.lists.near;
      const LeafGroups groups = leaf_groups(plan.tree, plan.leaves, near);
      const auto place = [&](std::int32_t leaf, std::int32_t other) {
        const auto row = near.row(leaf);
        const auto at = std::find(row.begin(), row.end(), other);
        EXPECT_NE(at, row.end());
        return groups.place[near.begin[leaf] + (at - row.begin())];
      };
      for (const std::int32_t leaf : plan.leaves) {
        for (const std::int32_t other : near.row(leaf)) {
          const auto back = near.row(other);
          const bool listed = std::find(back.begin(), back.end(), leaf) != back.end();
          const std::int32_t here = place(leaf, other);
          if (leaf == other || !listed) {
            EXPECT_EQ(here, LeafGroups::one_way);
          } else {
            EXPECT_NE(here, LeafGroups::one_way);
            EXPECT_NE(here == LeafGroups::summed, place(other, leaf) == LeafGroups::summed);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, MutualPairs,
                         ::testing::Values("cube", "sphere", "line", "clusters", "lattice",
                                           "coincident", "plummer"),
                         [](const auto& instance) { return std::string(instance.param); });

// Softened gravity uses the same loops with another root.
TEST(SoftenedMutualPairs, GiveWhatEveryTargetsOwnSumsGive) {
  const auto points = make_points("plummer", n, 1);
  const std::vector<Vec3d> reversed(points.rbegin(), points.rend());
  const auto q = make_strengths(n, 2);
  const Rounding rounding(points, q, std::numeric_limits<double>::epsilon());
  const Options options{.kernel = Kernel::plummer,
                        .softening = 1e-5,
                        .tolerance = 1e-8,
                        .order = 4,
                        .leaf_capacity = 20,
                        .gradient = true};
  const Sums both = sums(points, points, q, options), own = sums(points, reversed, q, options);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = n - 1 - i;
    ASSERT_NEAR(both.potential[i], own.potential[j], rounding.potential[i]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      ASSERT_NEAR(both.gradient[3 * i + axis], own.gradient[3 * j + axis], rounding.gradient[i]);
  }
}

}  // namespace
}  // namespace rankine::fmm
