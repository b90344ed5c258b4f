// Near pairs against brute force on graded, flat and degenerate clouds.
#include "rankine/bem/panels/near_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "rankine/fmm/core/execution.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

SparsityPattern brute_force(const std::vector<Vec3d>& targets, const std::vector<Vec3d>& sources,
                            const std::vector<double>& radii) {
  SparsityPattern pairs;
  for (const Vec3d& x : targets) {
    for (std::size_t j = 0; j < sources.size(); ++j) {
      const Vec3d r = x - sources[j];
      if (dot(r, r) < radii[j] * radii[j] || dot(r, r) == 0.0) {
        pairs.columns.push_back(static_cast<std::int32_t>(j));
      }
    }
    pairs.offsets.push_back(static_cast<std::int64_t>(pairs.columns.size()));
  }
  return pairs;
}

/// Rows compared as sets: their order is the search's own affair.
void expect_equal(SparsityPattern a, const SparsityPattern& b) {
  ASSERT_EQ(a.offsets, b.offsets);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    std::sort(a.columns.begin() + a.offsets[i], a.columns.begin() + a.offsets[i + 1]);
  }
  EXPECT_EQ(a.columns, b.columns);
}

TEST(Neighbours, MatchBruteForce) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> exponent(-4.0, 0.0);
  for (const double thickness : {1.0, 1e-3, 0.0}) {  // a cube, a slab, a plane
    std::vector<Vec3d> sources, targets;
    std::vector<double> radii;
    for (int k = 0; k < 1500; ++k) {
      Vec3d p = testing::random_point(generator, 1.0), q = testing::random_point(generator, 1.5);
      p.z *= thickness;
      q.z *= thickness;
      sources.push_back(p);
      targets.push_back(k % 3 == 0 ? p : q);
      radii.push_back(std::pow(10.0, exponent(generator)));  // four decades of sizes
    }
    expect_equal(find_near_pairs(targets, sources, radii), brute_force(targets, sources, radii));
  }
}

TEST(Neighbours, HandleCoincidentPointsZeroRadiiAndEmptySets) {
  const std::vector<Vec3d> same(5, Vec3d{1, 2, 3});
  const std::vector<double> zero(5, 0.0);
  EXPECT_EQ(find_near_pairs(same, same, zero).columns.size(), 25u);
  EXPECT_EQ(find_near_pairs({}, same, zero).rows(), 0u);
  EXPECT_EQ(find_near_pairs(same, {}, {}).columns.size(), 0u);
}

TEST(Neighbours, StayCheapForATinyRadiusInAHugeBox) {
  // 1e12 cells wide: cells grow with the box instead of overflowing their keys.
  const std::vector<Vec3d> points{{0, 0, 0}, {1e-7, 0, 0}, {1e6, 1e6, 1e6}};
  const std::vector<double> radii{2e-7, 2e-7, 2e-7};
  expect_equal(find_near_pairs(points, points, radii), brute_force(points, points, radii));
}

TEST(Neighbours, SeeTargetsOutsideTheGrid) {
  // On both sides of its border and so far away that no cell has a number.
  const std::vector<Vec3d> sources{{0, 0, 0}, {1, 1, 1}, {1, 0, 1e-200}};
  const std::vector<double> radii{0.5, 1.9, 0.0};
  std::vector<Vec3d> targets;
  for (const double s : {-1e300, -1.05, -0.49, 0.0, 0.3, 1.0, 2.0, 2.9, 1e300}) {
    for (int axis = 0; axis < 3; ++axis) {
      targets.push_back({1, 0, 0});
      targets.back()[axis] = s;
    }
  }
  expect_equal(find_near_pairs(targets, sources, radii), brute_force(targets, sources, radii));
}

TEST(Neighbours, AreTheSameForAnyNumberOfThreads) {
  const Panels panels = make_panels(testing::graded_sphere(10000));
  std::vector<double> radii(panels.radius.begin(), panels.radius.end());
  for (double& r : radii) r *= 4.0;
  const auto find = [&](int threads) {
    return Execution{.threads = threads}.run(
        [&] { return find_near_pairs(panels.centroid, panels.centroid, radii); });
  };
  const SparsityPattern serial = find(1), parallel = find(4);
  EXPECT_EQ(serial.offsets, parallel.offsets);
  EXPECT_EQ(serial.columns, parallel.columns);
}

}  // namespace
}  // namespace rankine::bem
