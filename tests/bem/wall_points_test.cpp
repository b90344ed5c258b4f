// Points next to walls of long panels: closest points by pieces, stations that are trusted.
#include "rankine/bem/fields/wall_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rankine/bem/panels/panel_balls.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

TEST(PanelBalls, CoverPanelsAndTheirReach) {
  // Points of panels, moved by less than the reach in any direction, are in one of the panel's balls; those of
  // long panels together are much smaller than one around it would be.
  std::mt19937 generator(3);
  for (const auto& mesh : {testing::wing_of_spans(200), meshes::make_sphere(320)}) {
    const Panels panels = make_panels(mesh, PanelGeometry::flat);
    std::vector<double> reach;
    for (const double area : panels.area) reach.push_back(0.5 * std::sqrt(area));
    const NearBalls balls = balls_around(panels, reach);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (std::size_t j = 0; j < panels.size(); ++j) {
      const Vec3d* c = panels.shape[j].corner;
      for (int k = 0; k < 20; ++k) {
        const double u = uniform(generator), v = (1.0 - u) * uniform(generator);
        Vec3d x = c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]);
        x += (0.999 * reach[j]) * normalized(testing::random_point(generator, 1.0));
        bool covered = false;
        for (auto b = static_cast<std::size_t>(balls.first[j]);
             b < static_cast<std::size_t>(balls.first[j + 1]); ++b)
          covered = covered || norm(x - balls.centre[b]) < balls.radius[b];
        EXPECT_TRUE(covered) << j;
      }
    }
  }
  const Panels wing = make_panels(testing::wing_of_spans(200), PanelGeometry::flat);
  const NearBalls balls = balls_around(wing, std::vector<double>(wing.size(), 0.0));
  EXPECT_GE(balls.first[1], 16) << "a triangle of the side, a hundred times as long as wide";
  EXPECT_LE(balls.radius[0], 0.1 * wing.radius[0]);
}

TEST(ClosestPoint, OfLongPanelsIsThatOfAll) {
  const Panels panels = make_panels(testing::wing_of_spans(120), PanelGeometry::flat);
  std::mt19937 generator(8);
  std::vector<Vec3d> points;
  for (int k = 0; k < 300; ++k) {
    const auto j = static_cast<std::size_t>(k) % panels.size();
    points.push_back(panels.centroid[j] + testing::random_point(generator, 0.02));
  }
  const std::vector<ClosestPoint> found =
      ClosestPoints(panels, std::vector<double>(panels.size(), 0.05)).of(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double least = 1e300;
    for (const PanelShape<double>& shape : panels.shape)
      least = std::min(least, norm(points[i] - closest_on_triangle(shape.corner[0], shape.corner[1],
                                                                   shape.corner[2], points[i])));
    ASSERT_GE(found[i].panel, 0);
    EXPECT_NEAR(found[i].distance, least, 1e-9);
  }
}

TEST(WallFinder, TrustsStationsNextToLongPanels) {
  // By the length of panels that span the wing no station would be trusted; by the distance over which
  // their steps are felt all of those over the middle of the wing are, and what is nearer is not.
  const FlowProblem problem{.panels = make_panels(testing::wing_of_spans(500)),
                            .stream = {1.0, 0.0, 0.0}};
  const PanelNeighbourhood neighbourhood(problem.panels);
  const WallFinder finder(problem.region(), neighbourhood);
  std::vector<Vec3d> points;
  for (std::size_t j = 200; j < 300; ++j)
    points.push_back(problem.panels.centroid[j] + 1e-4 * problem.panels.normal[j]);
  const WallPoints wall = finder.find(points);
  ASSERT_EQ(wall.stations_at.size(), stations.size() * points.size());
  for (const std::uint8_t trusted_there : finder.trusts(wall.stations_at))
    EXPECT_EQ(trusted_there, 1);
  std::vector<Vec3d> too_near;
  for (const WallPoint& point : wall.points) {
    EXPECT_LE(point.spacing, 0.35)
        << "the geometric mean of 1.2 and 0.1, sizes by length and by area";
    too_near.push_back(point.foot.point + 0.1 * point.spacing * point.direction);
  }
  for (const std::uint8_t trusted_there : finder.trusts(too_near)) EXPECT_EQ(trusted_there, 0);
}

}  // namespace
}  // namespace rankine::bem
