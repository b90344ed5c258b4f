#include "rankine/fmm/far_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {
namespace {

Options softened(double softening, double tolerance) {
  Options options;
  options.kernel = Kernel::plummer;
  options.softening = softening;
  options.tolerance = tolerance;
  options.leaf_capacity = 8;
  options.direct_pairs = 0;
  options.gradient = true;
  return options;
}

/// From all pairs, where the estimate has a sample: the error of 1/r from `distance` on, for random
/// and for equal strengths, relative to the larger of the result and the random size; the larger of
/// the errors of potential and gradient.
double error_beyond(const std::vector<Vec3d>& points, double softening, double distance) {
  constexpr std::size_t stride = 53;  // clusters take turns
  struct Sums {
    double random[2] = {}, random_error[2] = {}, size[2] = {}, error[2] = {};
  };
  std::vector<Sums> of_target(points.size() / stride);
  parallel_for(of_target.size(), [&](std::size_t i) {
    Sums& sums = of_target[i];
    double potential = 0.0, potential_error = 0.0;
    Vec3d gradient, gradient_error;
    const Vec3d x = points[stride * i];
    for (const Vec3d& y : points) {
      const Vec3d r = x - y;
      const double d = norm(r);
      if (d == 0.0) continue;
      const double s = std::hypot(d, softening), e = d < distance ? 0.0 : 1.0 / d - 1.0 / s,
                   g = 1.0 / (s * s * s), f = d < distance ? 0.0 : 1.0 / (d * d * d) - g;
      potential += 1.0 / s;
      potential_error += e;
      gradient += r * g;
      gradient_error += r * f;
      sums.random[0] += 1.0 / (s * s);
      sums.random_error[0] += e * e;
      sums.random[1] += d * d * g * g;
      sums.random_error[1] += d * d * f * f;
    }
    sums.size[0] = potential * potential;
    sums.error[0] = potential_error * potential_error;
    sums.size[1] = dot(gradient, gradient);
    sums.error[1] = dot(gradient_error, gradient_error);
  });
  double worst = 0.0;
  for (int d = 0; d < 2; ++d) {
    double random = 0.0, random_error = 0.0, size = 0.0, error = 0.0;
    for (const Sums& each : of_target) {
      random += each.random[d];
      random_error += each.random_error[d];
      size += each.size[d];
      error += each.error[d];
    }
    worst = std::max(
        {worst, std::sqrt(random_error / random), std::sqrt(error / std::max(size, random))});
  }
  return worst;
}

// A sample of a sixth of the sources may miss the share of the tolerance by a quarter. The distance
// is also not so large that boxes are four times as large as necessary.
TEST(FarDistance, KeepsItsShareOfTheTolerance) {
  constexpr std::size_t n = 12000;
  for (const char* name : {"cube", "plummer", "ring", "clusters"}) {
    const auto points = make_points(name, n, 1);
    for (const double softening : {1e-3, 1e-2, 3e-2, 1e-1}) {
      const Options options = softened(softening, 2e-3);
      const double distance = far_distance({points, points}, options),
                   share = far_share * options.tolerance;
      EXPECT_LE(error_beyond(points, softening, distance), 1.25 * share)
          << name << " " << softening;
      if (distance == far_distance_of_pair(options)) continue;
      EXPECT_GT(error_beyond(points, softening, 0.25 * distance), share)
          << name << " " << softening;
    }
  }
}

TEST(FarDistance, IsNeverWorseThanWhatOnePairNeeds) {
  for (const char* name : {"cube", "plummer", "ray"}) {
    const auto points = make_points(name, 3000, 1);
    for (const double tolerance : {1e-2, 1e-6}) {
      Options options = softened(1e-3, tolerance);
      EXPECT_LE(far_distance({points, points}, options), far_distance_of_pair(options));
      // The smallest relative error of one pair's gradient, 3 eps^2 / (2 R^2), from the formula.
      const double r = far_distance_of_pair(options), s = std::hypot(r, options.softening);
      EXPECT_LE(1.0 - std::pow(r / s, 3), far_share * tolerance);
      EXPECT_GT(1.0 - std::pow(r / s, 3), 0.9 * far_share * tolerance);
    }
  }
  EXPECT_EQ(far_distance({}, Options{}), 0.0);
  const Options options = softened(1e-3, 1e-2);
  const auto points = make_points("cube", 10, 1);
  EXPECT_EQ(far_distance({points, {}}, options), far_distance_of_pair(options));
  EXPECT_EQ(far_distance({{}, points}, options), far_distance_of_pair(options));
}

// q(rho) and, for gradients, -slope/3 differ from one by no more than the share, but at a distance
// smaller by a fiftieth they differ by more.
TEST(FarDistance, OfVorticesIsWhereTheirCoresEnd) {
  const auto points = make_points("cube", 3, 1);
  const std::vector<double> radii = {0.1, 0.4, 0.2};
  for (const double tolerance : {1e-2, 1e-5, 1e-10}) {
    Options options = softened(0.0, tolerance);
    options.kernel = Kernel::vortex_exponential;
    const double share = far_share * tolerance;
    const auto velocity_error = [](double rho) { return std::exp(-std::pow(rho, 3)); };
    const auto gradient_error = [](double rho) {
      return (1.0 + std::pow(rho, 3)) * std::exp(-std::pow(rho, 3));
    };
    const double with_gradient = far_distance({points, points, {}, radii}, options) / 0.4;
    EXPECT_LE(gradient_error(with_gradient), share);
    EXPECT_GT(gradient_error(0.98 * with_gradient), share);
    options.gradient = false;
    const double without = far_distance({points, points, {}, radii}, options) / 0.4;
    EXPECT_LE(velocity_error(without), share);
    EXPECT_GT(velocity_error(0.98 * without), share);
  }
}

/// Between the closed cubes of two boxes, metres.
double gap(const Octree& tree, const Box& a, const Box& b) {
  const Vec3d apart = box_shift(a, b);
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double between = std::abs(apart[axis]) - 0.5 * (box_edge(a) + box_edge(b));
    sum += between > 0.0 ? between * between : 0.0;
  }
  return std::sqrt(sum) * tree.side;
}

TEST(FarDistance, ExpansionsServeNothingNearer) {
  for (const char* name : {"clusters", "plummer", "helix"}) {
    const auto from = make_points(name, 3000, 1), to = make_points(name, 2000, 2);
    for (const Method method : {Method::fmm, Method::treecode}) {
      Options options = softened(1e-3, 1e-3);
      options.method = method;
      const Plan plan = make_plan({from, to}, options);
      ASSERT_GT(plan.least_edge, 0.0);
      std::size_t served = 0;
      for (std::size_t b = 0; b < plan.tree.boxes.size(); ++b) {
        for (const BoxLists* lists : {&plan.lists.far, &plan.lists.multipole, &plan.lists.local}) {
          for (const std::int32_t c : lists->row(static_cast<std::int32_t>(b))) {
            EXPECT_GE(gap(plan.tree, plan.tree.boxes[b], plan.tree.boxes[c]),
                      plan.least_edge * (1.0 - 1e-12));
            ++served;
          }
        }
      }
      EXPECT_GT(served, 0u) << name;
    }
  }
}

// Trees are not built deeper than that, and other trees are not limited.
TEST(FarDistance, LimitsTheDepthOfTheTree) {
  const auto points = make_points("cube", 3000, 1);
  for (const double least_edge : {0.0, 0.05, 0.3, 5.0}) {
    const Octree tree = build_octree(points, points, 1, 0.0, least_edge);
    EXPECT_EQ(deepest_level(tree.side, least_edge), least_edge == 0.0 ? max_level : tree.depth());
    EXPECT_TRUE(tree.depth() == 0 || std::ldexp(tree.side, -tree.depth()) >= least_edge);
    if (least_edge > 0.0) {
      EXPECT_LT(std::ldexp(tree.side, -tree.depth() - 1), least_edge);
    }
  }
}

}  // namespace
}  // namespace rankine::fmm
