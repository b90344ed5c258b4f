// Estimated errors of forces that need not vanish, against true ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

struct Found {
  std::vector<Vec3d> forces;  ///< on every body, N
  double estimate;            ///< N
};

Found solved(const FlowProblem& problem, std::size_t bodies = 1) {
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, {}, *backend);
  const SurfaceFits fits = fit_surface(problem, solution);
  const std::vector<std::int32_t> all(problem.panels.size(), 0);
  Found found;
  const std::vector<Vec3d> about(bodies);
  for (const Loads& each :
       pressure_loads_by_body(fits, problem.motion.empty() ? all : problem.motion, about))
    found.forces.push_back(each.force);
  found.estimate =
      estimate_errors(problem, solution, fits, green_errors(problem, solution, *backend),
                      pressure_loads(fits).force)
          .figures.force;
  return found;
}

struct MovingBody {
  meshes::SurfaceMesh mesh;
  RigidMotion motion;
};

Found moving(const std::vector<MovingBody>& bodies) {
  meshes::SurfaceMesh all = bodies.front().mesh;
  for (std::size_t b = 1; b < bodies.size(); ++b) all = testing::joined(all, bodies[b].mesh);
  FlowProblem problem{.panels = make_panels(all)};
  const std::vector<Vec3d> moments = moments_of_area(problem.panels);
  for (const MovingBody& body : bodies) {
    for (std::size_t e = 0; e < body.mesh.elements.size(); ++e) {
      const std::size_t i = problem.motion.size();
      problem.motion.push_back(static_cast<std::int32_t>(problem.motions.size()));
      problem.normal_velocity.push_back(
          swept_volume(body.motion, problem.panels.vector_area[i], moments[i]) /
          problem.panels.area[i]);
    }
    problem.motions.push_back(body.motion);
  }
  return solved(problem, bodies.size());
}

/// The promise of docs/validation-estimates.md.
void expect_near(double estimate, double error) {
  EXPECT_GE(estimate, error / 3.0);
  EXPECT_LE(estimate, error * 10.0);
}

TEST(ForceEstimate, OfATurningEllipsoidIsThatOfKirchhoff) {
  // The impulse M V turns with the body: F = -Omega x M V [L32 sec. 124].
  const Vec3d axes{3, 2, 1}, velocity{0.5, -0.2, 0.3}, turning{0.4, 0.6, -0.5};
  const Vec3d k = EllipsoidFlow(axes, {}).added_mass();
  const double volume = 4.0 / 3.0 * std::numbers::pi * 6.0;
  const Vec3d impulse{k.x * velocity.x, k.y * velocity.y, k.z * velocity.z};
  const Vec3d exact = -volume * cross(turning, impulse);
  for (const std::int64_t count : {500, 1000, 4000}) {
    SCOPED_TRACE(count);
    const Found found = moving({{testing::stretched(testing::jittered_sphere(count), axes),
                                 {.velocity = velocity, .angular_velocity = turning}}});
    expect_near(found.estimate, norm(found.forces[0] - exact));
  }
}

TEST(ForceEstimate, IsNotLessForMoreRingsOfTheSameLongPanels) {
  // Eight panels around determine the error: it is 0.28 N with 60 and with 240 rings.
  const auto estimate = [](std::int32_t rings) {
    return moving({{testing::lathe(rings, 8, {0.9, 0.5, 1.4}, meshes::PanelKind::quadrilaterals),
                    {.velocity = {0.5, -0.2, 0.3}, .angular_velocity = {0.4, 0.6, -0.5}}}})
        .estimate;
  };
  EXPECT_GE(estimate(240), 0.9 * estimate(60));
}

TEST(ForceEstimate, OfBodiesThatPassIsThatAgainstAFinerMesh) {
  const auto spheres = [](std::int64_t count) {
    return moving({{testing::jittered_sphere(count), {.velocity = {1, 0, 0}}},
                   {testing::moved(testing::jittered_sphere(count), {0.8, 2.5, 0.0}),
                    {.velocity = {-1, 0.2, 0}}}});
  };
  const auto beside = [](std::int64_t count) {
    return moving({{testing::stretched(testing::jittered_sphere(count), {3, 2, 1}),
                    {.velocity = {0.5, -0.2, 0.3}, .angular_velocity = {0.4, 0.6, -0.5}}},
                   {testing::moved(testing::jittered_sphere(count), {1.0, 3.5, 0.5}),
                    {.velocity = {-0.5, 0, 0}}}});
  };
  const std::vector<std::function<Found(std::int64_t)>> all{spheres, beside};
  for (const auto& of : all) {
    const Found fine = of(4000);
    for (const std::int64_t count : {250, 1000}) {
      SCOPED_TRACE(count);
      const Found found = of(count);
      double most = 0.0;
      for (std::size_t b = 0; b < fine.forces.size(); ++b)
        most = std::max(most, norm(found.forces[b] - fine.forces[b]));
      expect_near(found.estimate, most);
    }
  }
}

TEST(ForceEstimate, OfASphereDrawnToASourceIsThatOfTheForce) {
  for (const double distance : {1.5, 2.0, 3.0}) {
    for (const std::int64_t count : {500, 2000}) {
      SCOPED_TRACE(std::to_string(distance) + " with " + std::to_string(count));
      FlowProblem problem{.panels = make_panels(testing::jittered_sphere(count))};
      problem.onset.sources.push_back({.position = {distance, 0, 0}, .strength = 3.0});
      // rho Q^2 a^3 / (4 pi f (f^2 - a^2)^2) [MT68]
      const double exact =
          9.0 / (4.0 * std::numbers::pi * distance * std::pow(distance * distance - 1.0, 2.0));
      const Found found = solved(problem);
      expect_near(found.estimate, norm(found.forces[0] - Vec3d{exact, 0, 0}));
    }
  }
}

}  // namespace
}  // namespace rankine::bem
