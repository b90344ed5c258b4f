// The field off the surface: its accuracy at any distance, inside marks, jumps, closest points.
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/cpu_backend.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "rankine/bem/fields/wall_points.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/test_bodies.hpp"
#include "tests/support/two_spheres.hpp"

namespace rankine::bem {
namespace {

/// Relative L2 errors of the velocity at distances from the unit sphere.
std::vector<double> velocity_errors(const FlowProblem& problem, const Solution& solution,
                                    const std::vector<double>& distances, Backend& backend) {
  const std::vector<Vec3d> directions = testing::fibonacci_sphere(500);
  std::vector<Vec3d> points;
  for (const double distance : distances) {
    for (const Vec3d& direction : directions) points.push_back((1.0 + distance) * direction);
  }
  const Field field = evaluate_field(problem, solution, points, {}, backend);
  const SphereFlow exact{problem.stream};
  std::vector<double> errors;
  for (std::size_t first = 0; first < points.size(); first += directions.size()) {
    double error = 0.0, total = 0.0;
    for (std::size_t i = first; i < first + directions.size(); ++i) {
      EXPECT_EQ(field.inside[i], 0);
      const Vec3d u = exact.velocity(points[i]), difference = field.velocity[i] - u;
      error += dot(difference, difference);
      total += dot(u, u);
    }
    errors.push_back(std::sqrt(error / total));
  }
  return errors;
}

double surface_error(const FlowProblem& problem, const Solution& solution) {
  std::vector<Vec3d> exact;
  for (const Vec3d& x : problem.panels.centroid)
    exact.push_back(SphereFlow{problem.stream}.on_surface(x).velocity);
  return relative_error(problem.panels.area, solution.velocity, exact).l2;
}

TEST(Field, StaysWithinTheSurfaceErrorAtAnyDistance) {
  const auto backend = make_cpu_backend();
  for (const auto& mesh : {meshes::make_sphere(1280), meshes::make_sphere(5120),
                           testing::graded_sphere(5120), testing::cubed_sphere(3456)}) {
    FlowProblem problem{.panels = make_panels(mesh), .stream = {0.6, 0.8, 0.0}};
    const Solution solution = solve(problem, {}, *backend);
    const double limit = 2.5 * surface_error(problem, solution);
    const std::vector<double> distances{1.0, 0.1, 0.08, 0.04, 0.02, 0.01, 0.001, 1e-6};
    const std::vector<double> errors = velocity_errors(problem, solution, distances, *backend);
    for (std::size_t k = 0; k < distances.size(); ++k) {
      EXPECT_LE(errors[k], limit) << "distance " << distances[k];
    }
  }
}

/// Relative L2 errors at points at these distances over the surface of a body whose flow is
/// `exact`, over those on the surface.
template <class Flow>
void expect_as_on_surface(const meshes::SurfaceMesh& mesh, const Flow& exact, const Vec3d& stream,
                          const std::vector<double>& distances) {
  const auto backend = make_cpu_backend();
  const FlowProblem problem{.panels = make_panels(mesh), .stream = stream};
  const Panels& panels = problem.panels;
  const Solution solution = solve(problem, {}, *backend);
  const SurfaceErrors on_it =
      surface_errors(problem, solution, [&](const Vec3d& x) { return exact.on_surface(x); });
  FieldEvaluator evaluator(problem, solution, {}, *backend);
  for (const double distance : distances) {
    std::vector<Vec3d> points;
    for (std::size_t j = 0; j < panels.size(); j += 2) {
      // Away from the middle of the panel, towards one of its corners.
      const Vec3d nearest = 0.6 * panels.centroid[j] + 0.4 * panels.shape[j].corner[j % 3];
      points.push_back(nearest + distance * panels.normal[j]);
    }
    const Field field = evaluator.at(points);
    double velocity = 0.0, speed = 0.0, potential = 0.0, phi = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (field.inside[i] != 0) continue;  // what is at a small distance from the surface may be
      const double area = panels.area[2 * i], wanted = exact.potential(points[i]);
      const Vec3d u = exact.velocity(points[i]), difference = field.velocity[i] - u;
      velocity += area * dot(difference, difference);
      speed += area * dot(u, u);
      potential += area * (field.phi[i] - wanted) * (field.phi[i] - wanted);
      phi += area * wanted * wanted;
    }
    EXPECT_LE(std::sqrt(velocity / speed), 2.5 * on_it.velocity.l2) << distance;
    EXPECT_LE(std::sqrt(potential / phi), 2.5 * on_it.phi.l2) << distance;
  }
}

TEST(Field, StaysWithinTheSurfaceErrorOfSlenderAndThinBodies) {
  const Vec3d stream{0.6, -0.5, 0.62};
  for (const Vec3d& axes : {Vec3d{5, 1, 1}, Vec3d{1, 1, 0.2}}) {
    const EllipsoidFlow exact(axes, stream);
    expect_as_on_surface(testing::stretched(testing::jittered_sphere(2000), axes), exact, stream,
                         {0.3, 0.05, 0.01});
  }
}

TEST(Field, StaysWithinTheSurfaceErrorInAGapNarrowerThanPanels) {
  // The gap is a fifth of a panel: integrals over panels are nowhere accurate along a ray across
  // it.
  const Vec3d stream{0.6, -0.5, 0.62}, away{1.01, 0.0, 0.0};
  const meshes::SurfaceMesh sphere = testing::jittered_sphere(2000);
  const meshes::SurfaceMesh mesh =
      testing::joined(testing::moved(sphere, -away), testing::moved(sphere, away));
  const TwoSpheresFlow exact(1.0, away.x, {1, 0, 0}, stream);
  expect_as_on_surface(mesh, exact, stream, {0.015, 0.005, 0.001});
}

TEST(Field, StaysWithinTheSurfaceErrorAcrossGaps) {
  // Gaps of a twelfth to three panels, from one wall to the middle, against the error of the walls.
  const Vec3d stream{0.6, -0.5, 0.62};
  const auto backend = make_cpu_backend();
  const meshes::SurfaceMesh sphere = testing::jittered_sphere(2000);
  for (const double gap : {0.01, 0.1, 0.2, 0.3}) {
    const Vec3d away{1.0 + 0.5 * gap, 0.0, 0.0};
    const TwoSpheresFlow exact(1.0, away.x, {1, 0, 0}, stream);
    const FlowProblem problem{.panels = make_panels(testing::joined(testing::moved(sphere, -away),
                                                                    testing::moved(sphere, away))),
                              .stream = stream};
    const Panels& panels = problem.panels;
    const Solution solution = solve(problem, {}, *backend);
    constexpr double around = 0.5;
    double wall2 = 0.0, area = 0.0, wall_most = 0.0;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      const Vec3d& x = panels.centroid[j];
      if (std::abs(x.x) > away.x || std::hypot(x.y, x.z) > around) continue;
      const double error = norm(solution.velocity[j] - exact.on_surface(x).velocity);
      wall2 += panels.area[j] * error * error;
      area += panels.area[j];
      wall_most = std::max(wall_most, error);
    }
    for (const double across : {0.0, 0.3, 0.6, 0.9}) {
      std::vector<Vec3d> points;
      constexpr int count = 200;
      for (int k = 0; k < count; ++k) {
        const double radius = around * std::sqrt((k + 0.5) / count), angle = 2.399963229728653 * k;
        const double half_width = away.x - std::sqrt(1.0 - radius * radius);
        points.push_back({across * half_width, radius * std::cos(angle), radius * std::sin(angle)});
      }
      const Field field = evaluate_field(problem, solution, points, {}, *backend);
      double error2 = 0.0, most = 0.0;
      for (int k = 0; k < count; ++k) {
        ASSERT_EQ(field.inside[k], 0);
        const double error = norm(field.velocity[k] - exact.velocity(points[k]));
        error2 += error * error;
        most = std::max(most, error);
      }
      EXPECT_LE(std::sqrt(error2 / count), 2.5 * std::sqrt(wall2 / area)) << gap << ' ' << across;
      EXPECT_LE(most, 2.5 * wall_most) << gap << ' ' << across;
    }
  }
}

TEST(Field, LeavesStationsInsideSmallBodiesOut) {
  // The small panels are too far away in their own sizes to be the opposite wall, and interpolation
  // nodes lie inside them. The reference has finer panels.
  const auto backend = make_cpu_backend();
  const auto at = [&](std::int64_t panels) {
    const FlowProblem problem{
        .panels = make_panels(testing::joined(meshes::make_sphere(panels),
                                              meshes::make_sphere(1280, 0.2, {1.35, 0, 0}))),
        .stream = {0.3, 1.0, 0.0}};
    const Solution solution = solve(problem, {}, *backend);
    const std::vector<Vec3d> points{{1.02, 0.05, 0.0}, {1.05, 0.0, 0.0}, {1.03, 0.0, -0.1}};
    return evaluate_field(problem, solution, points, {}, *backend).velocity;
  };
  const std::vector<Vec3d> coarse = at(320), fine = at(5120);
  for (std::size_t i = 0; i < fine.size(); ++i)
    EXPECT_LE(norm(coarse[i] - fine[i]), 0.1 * norm(fine[i])) << i;
}

TEST(Field, WaysOutOfAWallMeetTheNextOne) {
  const Vec3d away{1.05, 0.0, 0.0};
  const meshes::SurfaceMesh sphere = meshes::make_sphere(1280);
  const Panels panels =
      make_panels(testing::joined(testing::moved(sphere, -away), testing::moved(sphere, away)));
  std::vector<Ray> rays;
  std::vector<double> exact;
  for (const double angle : {0.0, 0.03, 0.1}) {
    const Vec3d n{std::cos(angle), 0.6 * std::sin(angle), 0.8 * std::sin(angle)};
    const Vec3d from = n - away, to_centre = away - from;
    rays.push_back({from, n});
    const double along = dot(to_centre, n);
    exact.push_back(along - std::sqrt(1.0 - dot(to_centre, to_centre) + along * along));
  }
  rays.push_back({Vec3d{-1.0, 0.0, 0.0} - away, {-1.0, 0.0, 0.0}});  // into the open
  rays.push_back({Vec3d{0.9, 0.0, 0.0} - away, {1.0, 0.0, 0.0}});    // out through its own wall
  std::vector<double> reach;
  for (const double radius : panels.radius) reach.push_back(2.0 * panel_size(radius));
  const std::vector<OppositeWall> walls = OppositeWalls(panels, reach).of(rays);
  const auto n = static_cast<std::int32_t>(sphere.elements.size());
  for (std::size_t k = 0; k < exact.size(); ++k) {
    EXPECT_GE(walls[k].panel, n) << k;  // of the other sphere
    // The ray meets the flat panel, an edge of 0.11 bulges by 0.11^2 / 8, and the wall is inclined
    // by 0.2.
    EXPECT_NEAR(walls[k].distance, exact[k], 4e-4) << k;
    EXPECT_NEAR(norm(walls[k].surface.point - away), 1.0, 1e-4) << k;
  }
  EXPECT_EQ(walls[3].panel, -1);
  EXPECT_GE(walls[4].panel, n);
}

TEST(Field, OnTheSmoothSurfaceIsTheSolutionThere) {
  // Over the middle of a triangle of circumradius r the sphere stands r^2 / 2 high. A quadratic
  // through nodes up to 2 r away misses that by (2 r)^4 / 8; slopes of the potential and gradient
  // are 1 and 3.
  const auto backend = make_cpu_backend();
  const FlowProblem problem{.panels = make_panels(meshes::make_sphere(1280)),
                            .stream = {0.6, 0.8, 0.0}};
  const Panels& panels = problem.panels;
  const Solution solution = solve(problem, {}, *backend);
  std::vector<Vec3d> points;
  for (std::size_t j = 0; j < panels.size(); ++j) {
    const Vec3d &c = panels.centroid[j], &n = panels.normal[j];
    const double along = dot(c, n);
    points.push_back(c + (std::sqrt(along * along + 1.0 - dot(c, c)) - along) * n);
  }
  const Field field = evaluate_field(problem, solution, points, {}, *backend);
  for (std::size_t j = 0; j < panels.size(); ++j) {
    const double tolerance = 3.0 * std::pow(2.0 * panels.radius[j], 4) / 8.0;
    ASSERT_EQ(field.inside[j], 0);
    EXPECT_NEAR(field.phi[j], solution.phi[j], tolerance) << j;
    EXPECT_LE(norm(field.velocity[j] - solution.velocity[j]), tolerance) << j;
  }
}

TEST(Field, MarksPointsInsideBodies) {
  const auto backend = make_cpu_backend();
  FlowProblem problem{
      .panels = make_panels(testing::joined(meshes::make_sphere(500, 1.0, {-1.6, 0, 0}),
                                            meshes::make_box(300, {1, 1, 1}, {1.6, 0, 0}))),
      .stream = {1.0, 0.0, 0.0}};
  const Solution solution = solve(problem, {}, *backend);
  const std::vector<Vec3d> points{{-1.6, 0, 0},     {-0.63, 0, 0},    {-0.55, 0, 0}, {0, 0, 0},
                                  {1.15, 0.4, 0.4}, {1.05, 0.4, 0.4}, {10, 0, 0}};
  const std::vector<std::uint8_t> expected{1, 1, 0, 0, 1, 0, 0};
  const Field field = evaluate_field(problem, solution, points, {}, *backend);
  EXPECT_EQ(field.inside, expected);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_TRUE(std::isfinite(field.phi[i]) && std::isfinite(norm(field.velocity[i])));
  }
}

TEST(Field, SourceFormulationAgrees) {
  const auto backend = make_cpu_backend();
  FlowProblem problem{.panels = make_panels(meshes::make_sphere(2000)), .stream = {1.0, 0.0, 0.0}};
  FlowOptions options;
  options.formulation = Formulation::source;
  const Solution solution = solve(problem, options, *backend);
  EXPECT_LE(velocity_errors(problem, solution, {0.5}, *backend)[0],
            2.0 * surface_error(problem, solution));
}

TEST(Field, RefusesPointsThatAreNotFinite) {
  const auto backend = make_cpu_backend();
  FlowProblem problem{.panels = make_panels(meshes::make_sphere(80)), .stream = {1.0, 0.0, 0.0}};
  const Solution solution = solve(problem, {}, *backend);
  const std::vector<Vec3d> bad{{0.0, std::nan(""), 0.0}};
  EXPECT_THROW(evaluate_field(problem, solution, bad, {}, *backend), InputError);
  EXPECT_TRUE(evaluate_field(problem, solution, {}, {}, *backend).phi.empty());
}

TEST(ClosestPoint, LooksAwayFromTheSurfaceHoweverNearTheEdge) {
  // The direction is that of the point seen from its closest point; the normal only on the surface.
  const Panels panels = make_panels(meshes::make_box(150, {1.0, 1.0, 1.0}));
  struct Place {
    Vec3d nearest, away;
  };
  const Place places[] = {{{0.5, 0.5, 0.03}, normalized(Vec3d{1, 1, 0})},
                          {{0.5, 0.5, 0.03}, normalized(Vec3d{3, 1, 0})},
                          {{0.5, 0.5, 0.5}, normalized(Vec3d{1, 2, 3})},
                          {{0.5, 0.11, 0.07}, {1, 0, 0}}};
  for (const auto& [nearest, away] : places) {
    for (const double height : {0.1, 1e-3, 1e-6}) {
      const std::vector<Vec3d> points{nearest + height * away};
      const ClosestPoint closest = closest_points(panels, points, 1.0)[0];
      ASSERT_GE(closest.panel, 0);
      EXPECT_TRUE(closest.outside);
      EXPECT_LE(norm(closest.nearest - nearest), 1e-12);
      EXPECT_NEAR(closest.distance, height, 1e-12);
      EXPECT_LE(norm(closest.direction - away), 1e-12 / height);
    }
  }
  const ClosestPoint inside = closest_points(panels, std::vector{Vec3d{0.45, 0.1, 0.1}}, 1.0)[0];
  EXPECT_FALSE(inside.outside);
  EXPECT_LE(norm(inside.direction - Vec3d{1, 0, 0}), 1e-12) << "out of the body";
}

TEST(ClosestPoint, KnowsTheSideBesideSharpEdges) {
  // Faces meet under 70 degrees: from beside an edge the other face is seen from behind, across the
  // body. The point is outside and belongs to the face below it.
  const std::array<Vec3d, 4> corner{{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}}};
  meshes::SurfaceMesh mesh;
  mesh.nodes.assign(corner.begin(), corner.end());
  for (const auto& [a, b, c] : {std::array{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})
    mesh.elements.push_back({a, b, c, -1});
  mesh.patch.assign(4, 0);
  mesh.patch_names = {"body"};
  const Panels panels = make_panels(mesh);
  ASSERT_GT(enclosed_volume(panels), 0.0);
  for (std::int32_t below = 0; below < 4; ++below) {
    const auto& face = panels.shape[static_cast<std::size_t>(below)].corner;
    const Vec3d normal = panels.normal[static_cast<std::size_t>(below)];
    for (int side = 0; side < 3; ++side) {
      const Vec3d a = face[side], b = face[(side + 1) % 3];
      const Vec3d nearest = 0.6 * a + 0.4 * b, outwards = normalized(cross(b - a, normal));
      const Vec3d away = normalized(normal + 0.05 * outwards);
      for (const double height : {0.5, 1e-3}) {
        const std::vector<Vec3d> points{nearest + height * away};
        const ClosestPoint closest = closest_points(panels, points, 1.0)[0];
        EXPECT_EQ(closest.panel, below) << side;
        EXPECT_TRUE(closest.outside) << below << ' ' << side;
        EXPECT_LE(norm(closest.nearest - nearest), 1e-12);
        EXPECT_LE(norm(closest.direction - away), 1e-12 / height);
      }
    }
  }
}

TEST(ClosestPoint, MatchesDenseSamplingOfTheTriangle) {
  std::mt19937 generator(9);
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3d a = testing::random_point(generator, 1.0),
                b = testing::random_point(generator, 1.0),
                c = testing::random_point(generator, 1.0),
                p = testing::random_point(generator, 2.0);
    const double found = norm(p - closest_on_triangle(a, b, c, p));
    double sampled = 1e300;
    constexpr int steps = 60;
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; i + j <= steps; ++j) {
        const double u = static_cast<double>(i) / steps, v = static_cast<double>(j) / steps;
        sampled = std::min(sampled, norm(p - ((1 - u - v) * a + u * b + v * c)));
      }
    }
    EXPECT_LE(found, sampled + 1e-12);
    EXPECT_GE(found, sampled - 3.0 / steps);  // samples are nowhere farther apart
  }
}

}  // namespace
}  // namespace rankine::bem
