// Polygons cut into triangles: whatever their shape, the triangles have its area and its sense.
#include "rankine/meshes/formats/polygon.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace rankine::meshes {
namespace {

/// Every triangle on the same side, n - 2 of them, none without area, their areas those of all.
void expect_covers(const std::vector<Vec3d>& corners) {
  const auto triangles = split_polygon(corners);
  ASSERT_EQ(triangles.size(), corners.size() - 2);
  Vec3d area;
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    area += cross(corners[k] - corners[0], corners[k + 1] - corners[0]);
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const double part =
        dot(cross(corners[b] - corners[a], corners[c] - corners[a]), normalized(area));
    EXPECT_GT(part, 1e-9 * norm(area));
    sum += part;
  }
  EXPECT_NEAR(sum, norm(area), 1e-12 * norm(area));
}

TEST(Polygon, ConvexOnesAreFans) {
  std::vector<Vec3d> corners;
  for (int k = 0; k < 7; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 7.0;
    corners.push_back({1.0, std::cos(angle), std::sin(angle)});
  }
  expect_covers(corners);
  for (const auto& triangle : split_polygon(corners)) EXPECT_EQ(triangle[0], 0u);
}

TEST(Polygon, CornersThatPointInwards) {
  expect_covers({{0, 0, 0}, {4, 0, 0}, {4, 3, 0}, {2, 1, 0}, {0, 3, 0}});
  expect_covers({{0, 3, 0}, {2, 1, 0}, {4, 3, 0}, {4, 0, 0}, {0, 0, 0}});  // from the other side
  expect_covers(
      {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 2, 0}, {3, 2, 0}, {3, 3, 0}, {0, 3, 0}});
  std::vector<Vec3d> star;
  for (int k = 0; k < 20; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 20.0, radius = k % 2 == 0 ? 1.0 : 0.2;
    star.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.1 * (k % 2)});
  }
  expect_covers(star);
}

/// Edges with nodes of a finer neighbour on them.
TEST(Polygon, CornersOnALine) {
  expect_covers({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}});
  expect_covers(
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}});
  expect_covers({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 3, 0}});
}

TEST(Polygon, WhatCannotBeSplit) {
  EXPECT_TRUE(split_polygon(std::vector<Vec3d>(5, Vec3d{1, 1, 1})).empty());
  EXPECT_TRUE(
      split_polygon(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}})
          .empty());
  std::vector<Vec3d> zigzag;
  for (std::size_t k = 0; k <= most_polygon_corners; ++k)
    zigzag.push_back({0.1 * static_cast<double>(k), static_cast<double>(k % 2), 0.0});
  EXPECT_TRUE(split_polygon(zigzag).empty());
}

}  // namespace
}  // namespace rankine::meshes
