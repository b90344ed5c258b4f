// Two triangles: distances known, crossing or not.
#include "rankine/meshes/checks/triangle_pair.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rankine::meshes {
namespace {

const Triangle flat{Vec3d{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

Triangle moved(Triangle triangle, const Vec3d& by) {
  for (Vec3d& corner : triangle) corner += by;
  return triangle;
}

TEST(TrianglePair, NearestPointsOfFaceEdgeAndCorner) {
  EXPECT_EQ(nearest_point(flat, {0.25, 0.25, 2.0}), (Vec3d{0.25, 0.25, 0.0}));
  EXPECT_EQ(nearest_point(flat, {0.25, -1.0, 2.0}), (Vec3d{0.25, 0.0, 0.0}));
  EXPECT_EQ(nearest_point(flat, {1.0, 1.0, 0.0}), (Vec3d{0.5, 0.5, 0.0}));
  EXPECT_EQ(nearest_point(flat, {-1.0, -1.0, 5.0}), (Vec3d{0.0, 0.0, 0.0}));
  const Triangle needle{Vec3d{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  EXPECT_EQ(nearest_point(needle, {1.5, 1.0, 0.0}), (Vec3d{1.5, 0.0, 0.0}));
}

TEST(TrianglePair, DistancesOfFacesEdgesAndCorners) {
  EXPECT_DOUBLE_EQ(distance(flat, moved(flat, {0.1, 0.1, 0.5})), 0.5);
  EXPECT_DOUBLE_EQ(distance(flat, moved(flat, {3.0, 0.0, 0.0})), 2.0);
  const Triangle across{Vec3d{0.5, -1.0, -1.0}, {0.5, -1.0, 1.0}, {0.5, -2.0, 0.0}};
  EXPECT_DOUBLE_EQ(distance(flat, across), 1.0);  // edge to edge
  EXPECT_DOUBLE_EQ(distance(across, flat), 1.0);
}

TEST(TrianglePair, CrossingIsDeepOrNotAtAll) {
  const Triangle upright{Vec3d{0.2, 0.2, -0.3}, {0.3, 0.2, -0.3}, {0.25, 0.2, 0.1}};
  EXPECT_TRUE(cross_deeply(flat, upright, 0.05));
  EXPECT_TRUE(cross_deeply(upright, flat, 0.05));
  EXPECT_FALSE(cross_deeply(flat, upright, 0.15));
  EXPECT_EQ(distance(flat, upright), 0.0);
  EXPECT_FALSE(cross_deeply(flat, moved(upright, {0, 0, -0.1}), 1e-9));      // stands on it
  EXPECT_FALSE(cross_deeply(flat, moved(upright, {1, 0, 0}), 1e-9));         // beside it
  EXPECT_FALSE(cross_deeply(flat, moved(upright, {0.0, -0.2, 0.0}), 1e-9));  // through its rim
  EXPECT_FALSE(cross_deeply(flat, moved(flat, {0.1, 0.1, 0.0}), 1e-9));      // in its plane
}

}  // namespace
}  // namespace rankine::meshes
