// Points next to walls: closest points, the flow's state and slopes, and polynomials through them.
#include "rankine/bem/fields/wall_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/panels/panel_balls.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

TEST(PanelBalls, CoverPanelsAndTheirReach) {
  // Points of panels, moved by less than the reach in any direction, are in one of the panel's
  // balls.
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
    for (const PanelShape<double>& shape : panels.shape.on_host())
      least = std::min(least, norm(points[i] - closest_on_triangle(shape.corner[0], shape.corner[1],
                                                                   shape.corner[2], points[i])));
    ASSERT_GE(found[i].panel, 0);
    EXPECT_NEAR(found[i].distance, least, 1e-9);
  }
}

TEST(WallFinder, TrustsStationsNextToLongPanels) {
  // Steps are felt over less than the length of panels that span the wing: interpolation nodes over
  // its middle are reliable, nearer ones are not.
  const FlowProblem problem{.panels = make_panels(testing::wing_of_spans(500)),
                            .stream = {1.0, 0.0, 0.0}};
  const PanelNeighbourhood neighbourhood(problem.panels);
  const WallFinder finder(problem.region(), neighbourhood);
  std::vector<Vec3d> points;
  for (std::size_t j = 200; j < 300; ++j)
    points.push_back(problem.panels.centroid[j] + 1e-4 * problem.panels.normal[j]);
  const WallPoints wall = finder.find(points);
  ASSERT_EQ(wall.nodes.size(), node_distances.size() * points.size());
  for (const std::uint8_t is_reliable : finder.reliable_at(wall.nodes)) EXPECT_EQ(is_reliable, 1);
  std::vector<Vec3d> too_near;
  for (const WallPoint& point : wall.points) {
    EXPECT_LE(point.spacing, 0.35)
        << "the geometric mean of 1.2 and 0.1, sizes by length and by area";
    too_near.push_back(point.nearest.point + 0.1 * point.spacing * point.direction);
  }
  for (const std::uint8_t is_reliable : finder.reliable_at(too_near)) EXPECT_EQ(is_reliable, 0);
}

/// Largest errors of phi, velocity and its slope in a slanting direction, relative to the stream.
std::array<double, 3> errors_on_sphere(std::int64_t count) {
  const SphereFlow exact{{0.6, 0.8, 0.0}};
  const Panels panels = make_panels(testing::jittered_sphere(count));
  std::vector<double> phi;
  std::vector<Vec3d> perturbation;
  for (const Vec3d& x : panels.centroid) {
    phi.push_back(exact.on_surface(x).phi);
    perturbation.push_back(exact.on_surface(x).velocity - exact.stream);
  }
  const PanelNeighbourhood neighbourhood(panels);
  PanelPatch patch(neighbourhood);
  std::array<double, 3> most{};
  for (std::size_t j = 0; j < panels.size(); j += 7) {
    const Vec3d n = normalized(0.8 * panels.centroid[j] + 0.2 * panels.shape[j].corner[0]);
    const Vec3d direction = normalized(n + 0.5 * panels.normal[(j + 1) % panels.size()]);
    const WallState wall = wall_state(panels, phi, perturbation, static_cast<std::int32_t>(j),
                                      {n, n}, direction, patch);
    EXPECT_TRUE(wall.has_slope);
    const double step = 1e-5;
    // The flow is harmonic across the sphere, too.
    const Vec3d slope =
        (exact.velocity(n + step * direction) - exact.velocity(n - step * direction)) /
        (2.0 * step);
    most[0] = std::max(most[0], std::abs(wall.state.phi - exact.potential(n)));
    most[1] = std::max(most[1], norm(wall.state.gradient + exact.stream - exact.velocity(n)));
    most[2] = std::max(most[2], norm(wall.slope - slope));
  }
  return most;
}

TEST(WallState, KnowsTheSlopeOfTheVelocityInEveryDirection) {
  // Cubic fits: values of fourth order, slopes of third; the largest velocity gradient is 3 U / a.
  const std::array<double, 3> coarse = errors_on_sphere(1000), fine = errors_on_sphere(4000);
  EXPECT_LE(fine[0], 2e-4);
  EXPECT_LE(fine[1], 2e-4);
  EXPECT_LE(fine[2], 0.02);
  EXPECT_GE(testing::order(coarse[1], fine[1]), 2.5);
  EXPECT_GE(testing::order(coarse[2], fine[2]), 1.5);
}

/// phi = Re of a complex polynomial in x + i y, times z and plus z: harmonic, of degree 3 in the
/// distance.
double potential(const Vec3d& x) { return x.x * x.x * x.x - 3.0 * x.x * x.y * x.y + x.x * x.z; }
Vec3d gradient(const Vec3d& x) {
  return {3.0 * x.x * x.x - 3.0 * x.y * x.y + x.z, -6.0 * x.x * x.y, x.x};
}
/// Of the gradient along d.
Vec3d slope(const Vec3d& x, const Vec3d& d) {
  return {6.0 * x.x * d.x - 6.0 * x.y * d.y + d.z, -6.0 * x.y * d.x - 6.0 * x.x * d.y, d.x};
}

TEST(RayPolynomial, IsExactForPolynomials) {
  // Two walls with slopes fix degree 5 of the potential, a wall and two points degree 3.
  const Vec3d from{0.3, -0.2, 0.5}, direction = normalized(Vec3d{0.4, 0.7, -0.2});
  const auto at = [&](double t) { return from + t * direction; };
  const auto state = [&](double t) { return PotentialState{potential(at(t)), gradient(at(t))}; };
  const auto wall = [&](double t) { return WallState{state(t), slope(at(t), direction), true}; };
  RayPolynomial between(direction, 0.0), outwards(direction, 0.0), all(direction, 0.0);
  between.add_wall(0.0, wall(0.0));
  between.add_wall(0.7, wall(0.7));
  outwards.add(0.4, state(0.4));
  outwards.add(0.8, state(0.8));
  outwards.add_wall(0.0, wall(0.0).state);
  all.add(0.2, state(0.2));
  all.add_wall(0.0, wall(0.0));
  all.add(0.4, state(0.4));
  all.add_wall(0.9, wall(0.9));
  for (const double t : {0.0, 0.1, 0.35, 0.65}) {
    for (const RayPolynomial* ray : {&between, &outwards, &all}) {
      EXPECT_NEAR(ray->at(t).phi, state(t).phi, 1e-13) << t;
      EXPECT_LE(norm(ray->at(t).gradient - state(t).gradient), 1e-13) << t;
    }
  }
}

TEST(RayPolynomial, StretchesDistancesByTheCurvature) {
  // Of s = t/(1 + k t): s^3 has value, slope and curvature of a cubic in s at both walls.
  const double k = 1.7;
  const auto s = [&](double t) { return t / (1.0 + k * t); };
  const auto wall = [&](double t) {
    const double x = s(t), along = 1.0 / ((1.0 + k * t) * (1.0 + k * t)),
                 bend = -2.0 * k * along / (1.0 + k * t);
    const double first = 3.0 * x * x * along, second = 6.0 * x * along * along + 3.0 * x * x * bend;
    return WallState{{x * x * x, {first, 0, 0}}, {second, 0, 0}, true};
  };
  RayPolynomial ray({1, 0, 0}, k);
  ray.add_wall(0.1, wall(0.1));
  ray.add_wall(0.8, wall(0.8));
  for (const double t : {0.0, 0.3, 0.6}) EXPECT_NEAR(ray.at(t).phi, std::pow(s(t), 3), 1e-13) << t;
}

}  // namespace
}  // namespace rankine::bem
