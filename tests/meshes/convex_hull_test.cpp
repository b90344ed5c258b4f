// Half-spaces of convex hulls contain all points, and have their planes where the hull is known.
#include "rankine/meshes/checks/convex_hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rankine/fmm/core/uniform.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::meshes {
namespace {

/// How far a point is outside the hull; negative inside.
double outside(const std::vector<HalfSpace>& hull, const Vec3d& x) {
  double most = -std::numeric_limits<double>::infinity();
  for (const HalfSpace& each : hull) most = std::max(most, each.above(x));
  return most;
}

/// Largest error of the distance from a plane: points move by a millionth of the diagonal, 8 or
/// less, along each axis, and so does the plane.
constexpr double shift = 2.0 * 1.7321 * 8e-6;

/// Points in a cube, in a plane, and on a line.
TEST(ConvexHull, ContainsAllPointsAndNoMoreThanThem) {
  Uniform uniform(1);
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    std::vector<Vec3d> points(3000);
    for (Vec3d& x : points) {
      x = uniform() * Vec3d{3.0, -1.0, 2.0};
      if (dimensions > 1) x += uniform() * Vec3d{1.0, 2.0, -0.5};
      if (dimensions > 2) x += uniform() * Vec3d{0.0, 1.0, 3.0};
    }
    const std::vector<HalfSpace> hull = convex_hull(points, 0.0);
    double farthest = -1.0;
    for (const Vec3d& x : points) farthest = std::max(farthest, outside(hull, x));
    EXPECT_LT(std::abs(farthest), shift) << dimensions;
    for (const HalfSpace& each : hull) EXPECT_NEAR(norm(each.normal), 1.0, 1e-12);
  }
}

/// The depth of points in a box is the distance from its nearest face.
TEST(ConvexHull, DepthsInABox) {
  const std::vector<HalfSpace> hull = convex_hull(make_box(600, {6.0, 4.0, 2.0}).nodes, 1e-3);
  for (const Vec3d& x : {Vec3d{}, Vec3d{2.5, 0.0, 0.0}, Vec3d{0.0, -1.8, 0.1}, Vec3d{1, 1, 0.9}}) {
    const double depth = std::min({3.0 - std::abs(x.x), 2.0 - std::abs(x.y), 1.0 - std::abs(x.z)});
    EXPECT_NEAR(outside(hull, x), -depth, shift);
  }
}

/// With fewer half-spaces, nodes of a sphere are beyond the hull by at most the given distance.
TEST(ConvexHull, LeavesOutWhatHardlyStandsOut) {
  const std::vector<Vec3d> nodes = make_sphere(20480).nodes;
  const std::vector<HalfSpace> hull = convex_hull(nodes, 0.01);
  EXPECT_LT(hull.size(), 2000u);
  for (const Vec3d& x : nodes) {
    EXPECT_GT(outside(hull, x), -shift);
    EXPECT_LT(outside(hull, x), 0.01 + shift);
  }
}

}  // namespace
}  // namespace rankine::meshes
