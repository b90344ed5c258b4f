// Cuts of surfaces by planes: closed lines of the right length, through nodes, along edges and in
// half models.
#include "rankine/meshes/plane_cut.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/shapes/sphere_meshes.hpp"
#include "rankine/meshes/shapes/torus.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/symmetric_bodies.hpp"

namespace rankine::meshes {
namespace {

constexpr double pi = std::numbers::pi;

double length_of(const SurfaceMesh& mesh, const CutLine& line) {
  double length = 0.0;
  for (std::size_t k = 1; k < line.points.size(); ++k)
    length += norm(position(mesh, line.points[k]) - position(mesh, line.points[k - 1]));
  return length;
}

/// Area inside a closed line, positive where it runs counter-clockwise about `normal`.
double area_of(const SurfaceMesh& mesh, const CutLine& line, const Vec3d& normal) {
  Vec3d area{};
  for (std::size_t k = 1; k < line.points.size(); ++k)
    area += 0.5 * cross(position(mesh, line.points[k - 1]), position(mesh, line.points[k]));
  return dot(area, normalized(normal));
}

/// Of every line: in the plane, no point twice, and every piece on the panel it says.
void expect_sound(const SurfaceMesh& mesh, const PlaneCut& cut, const Vec3d& origin,
                  const Vec3d& normal) {
  for (const CutLine& line : cut.lines) {
    ASSERT_GE(line.points.size(), 2u);
    for (std::size_t k = 0; k < line.points.size(); ++k) {
      const Vec3d x = position(mesh, line.points[k]);
      EXPECT_NEAR(dot(x - origin, normalized(normal)), 0.0, 1e-12);
      EXPECT_GE(line.points[k].share, 0.0);
      EXPECT_LE(line.points[k].share, 1.0);
      if (k == 0) continue;
      EXPECT_GT(norm(x - position(mesh, line.points[k - 1])), 0.0);
    }
    const bool meets =
        norm(position(mesh, line.points.front()) - position(mesh, line.points.back())) == 0.0;
    EXPECT_EQ(meets, line.closed);
  }
}

TEST(PlaneCut, OfASphereIsOneCircle) {
  // Through nodes and along edges (z = 0, x = y), and through neither.
  for (const SurfaceMesh& mesh : {make_jittered_sphere(5120), make_cubed_sphere(3456)}) {
    for (const Vec3d& normal : {Vec3d{0, 0, 1}, Vec3d{1, -1, 0}, Vec3d{0.3, -0.5, 2.0}}) {
      for (const double height : {0.0, 0.5, -0.8}) {
        const Vec3d origin = height * normalized(normal);
        const PlaneCut cut = cut_by_plane(mesh, origin, normal);
        ASSERT_EQ(cut.lines.size(), 1u);
        expect_sound(mesh, cut, origin, normal);
        EXPECT_TRUE(cut.lines[0].closed);
        const double radius = std::sqrt(1.0 - height * height);
        // Chords of panels of size h = 0.07 lie h^2/8 below the sphere, to which lines on slopes
        // add as much again.
        EXPECT_NEAR(length_of(mesh, cut.lines[0]), 2.0 * pi * radius, 0.01);
        EXPECT_NEAR(area_of(mesh, cut.lines[0], normal), pi * radius * radius, 0.01);
      }
    }
  }
}

TEST(PlaneCut, OfABoxIsExact) {
  const SurfaceMesh mesh = make_box(600, {1.0, 2.0, 3.0});
  // Along z = 0, where nodes are or are not, and across the corners of a rectangle.
  const auto check = [&](const Vec3d& origin, const Vec3d& normal, double length, double area) {
    const PlaneCut cut = cut_by_plane(mesh, origin, normal);
    ASSERT_EQ(cut.lines.size(), 1u);
    expect_sound(mesh, cut, origin, normal);
    EXPECT_NEAR(length_of(mesh, cut.lines[0]), length, 1e-12);
    EXPECT_NEAR(area_of(mesh, cut.lines[0], normal), area, 1e-12);
  };
  check({0.0, 0.0, 0.0}, {0.0, 0.0, 5.0}, 6.0, 2.0);
  check({0.0, 0.0, 0.123}, {0.0, 0.0, -1.0}, 6.0, 2.0);
  check({0.0, 0.0, 0.0}, {2.0, -1.0, 0.0}, 6.0 + 2.0 * std::sqrt(5.0), 3.0 * std::sqrt(5.0));
  // In a face: its rim, whichever way the normal looks.
  check({0.5, 0.0, 0.0}, {1.0, 0.0, 0.0}, 10.0, 6.0);
  check({0.5, 0.0, 0.0}, {-1.0, 0.0, 0.0}, 10.0, 6.0);
}

TEST(PlaneCut, FindsEveryLine) {
  const SurfaceMesh torus = make_torus(3200, 2.0, 0.5);
  const PlaneCut across = cut_by_plane(torus, {}, {0.0, 1.0, 0.0}),
                 along = cut_by_plane(torus, {0.0, 0.0, 0.1}, {0.0, 0.0, 1.0});
  ASSERT_EQ(across.lines.size(), 2u);
  ASSERT_EQ(along.lines.size(), 2u);
  for (const CutLine& line : across.lines) EXPECT_NEAR(length_of(torus, line), pi, 0.02);
  // Longest first; the inner one runs the other way about the normal.
  EXPECT_GT(area_of(torus, along.lines[0], {0, 0, 1}), 0.0);
  EXPECT_LT(area_of(torus, along.lines[1], {0, 0, 1}), 0.0);
  const double reach = std::sqrt(0.25 - 0.01);
  EXPECT_NEAR(length_of(torus, along.lines[0]), 2.0 * pi * (2.0 + reach), 0.05);
  EXPECT_NEAR(length_of(torus, along.lines[1]), 2.0 * pi * (2.0 - reach), 0.05);
}

TEST(PlaneCut, OfHalfAModelEndsAtItsPlane) {
  const SurfaceMesh half = testing::positive_part(make_cubed_sphere(3456), {2});
  const PlaneCut cut = cut_by_plane(half, {0.1, 0.0, 0.0}, {1.0, 0.2, 0.0});
  ASSERT_EQ(cut.lines.size(), 1u);
  EXPECT_FALSE(cut.lines[0].closed);
  EXPECT_NEAR(position(half, cut.lines[0].points.front()).z, 0.0, 1e-12);
  EXPECT_NEAR(position(half, cut.lines[0].points.back()).z, 0.0, 1e-12);
  EXPECT_NEAR(length_of(half, cut.lines[0]), pi * std::sqrt(1.0 - 0.01 / 1.04), 0.01);
  // The plane itself: the rim, from either side.
  for (const double up : {1.0, -1.0}) {
    const PlaneCut rim = cut_by_plane(half, {}, {0.0, 0.0, up});
    ASSERT_EQ(rim.lines.size(), 1u);
    EXPECT_TRUE(rim.lines[0].closed);
    EXPECT_NEAR(length_of(half, rim.lines[0]), 2.0 * pi, 0.01);
  }
}

TEST(PlaneCut, ThatMissesSaysByHowMuch) {
  const PlaneCut cut =
      cut_by_plane(make_box(54, {1.0, 2.0, 3.0}), {0.0, 4.0, 0.0}, {0.0, 3.0, 0.0});
  EXPECT_TRUE(cut.lines.empty());
  EXPECT_NEAR(cut.distance, 3.0, 1e-12);
}

}  // namespace
}  // namespace rankine::meshes
