// States and slopes of the flow at walls, and polynomials through them.
#include "rankine/bem/fields/wall_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rankine/bem/flow/exact.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

/// Largest errors of phi, velocity and its slope at points beside those of panels, relative to the stream; slopes
/// along a slanting direction, in parts of the stream a radius.
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
    EXPECT_TRUE(wall.knows_slope);
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
  // Cubic fits: values of fourth order, slopes of third, by half where points have no pattern. The largest
  // velocity gradient of this flow is 3 U / a.
  const std::array<double, 3> coarse = errors_on_sphere(1000), fine = errors_on_sphere(4000);
  EXPECT_LE(fine[0], 2e-4);
  EXPECT_LE(fine[1], 2e-4);
  EXPECT_LE(fine[2], 0.02);
  EXPECT_GE(testing::order(coarse[1], fine[1]), 2.5);
  EXPECT_GE(testing::order(coarse[2], fine[2]), 1.5);
}

/// phi = Re of a complex polynomial in x + i y, times z and plus z: harmonic, of degree 3 in the distance.
double potential(const Vec3d& x) { return x.x * x.x * x.x - 3.0 * x.x * x.y * x.y + x.x * x.z; }
Vec3d gradient(const Vec3d& x) {
  return {3.0 * x.x * x.x - 3.0 * x.y * x.y + x.z, -6.0 * x.x * x.y, x.x};
}
/// Of the gradient along d.
Vec3d slope(const Vec3d& x, const Vec3d& d) {
  return {6.0 * x.x * d.x - 6.0 * x.y * d.y + d.z, -6.0 * x.y * d.x - 6.0 * x.x * d.y, d.x};
}

TEST(WayPolynomial, IsExactForPolynomials) {
  // Two walls with slopes fix the potential to degree 5 and velocities to degree 3, those here are of degree
  // 3 and 2; a wall and two places fix just these.
  const Vec3d from{0.3, -0.2, 0.5}, direction = normalized(Vec3d{0.4, 0.7, -0.2});
  const auto at = [&](double t) { return from + t * direction; };
  const auto state = [&](double t) { return PotentialState{potential(at(t)), gradient(at(t))}; };
  const auto wall = [&](double t) { return WallState{state(t), slope(at(t), direction), true}; };
  WayPolynomial between(direction, 0.0), outwards(direction, 0.0), all(direction, 0.0);
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
    for (const WayPolynomial* way : {&between, &outwards, &all}) {
      EXPECT_NEAR(way->at(t).phi, state(t).phi, 1e-13) << t;
      EXPECT_LE(norm(way->at(t).gradient - state(t).gradient), 1e-13) << t;
    }
  }
}

TEST(WayPolynomial, StretchesDistancesByTheCurvature) {
  // Of s = t/(1 + k t): s^3 has value, slope and curvature of a cubic in s at both walls.
  const double k = 1.7;
  const auto s = [&](double t) { return t / (1.0 + k * t); };
  const auto wall = [&](double t) {
    const double x = s(t), along = 1.0 / ((1.0 + k * t) * (1.0 + k * t)),
                 bend = -2.0 * k * along / (1.0 + k * t);
    const double first = 3.0 * x * x * along, second = 6.0 * x * along * along + 3.0 * x * x * bend;
    return WallState{{x * x * x, {first, 0, 0}}, {second, 0, 0}, true};
  };
  WayPolynomial way({1, 0, 0}, k);
  way.add_wall(0.1, wall(0.1));
  way.add_wall(0.8, wall(0.8));
  for (const double t : {0.0, 0.3, 0.6}) EXPECT_NEAR(way.at(t).phi, std::pow(s(t), 3), 1e-13) << t;
}

}  // namespace
}  // namespace rankine::bem
