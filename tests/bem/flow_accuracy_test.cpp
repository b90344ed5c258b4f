// Flows past bodies whose exact flow is known, on meshes without a pattern and across narrow gaps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "tests/support/exact_bodies.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::geodesic;
using testing::oblique_stream;

/// Limits of the relative L2 errors on 8000 panels, and the least order of both; their factor by
/// sources, 0 where these are not held to it.
struct BodyWithLimits : testing::ExactBody {
  double potential, velocity, order, by_sources;
};

void PrintTo(const BodyWithLimits& body, std::ostream* out) { *out << body.name; }

BodyWithLimits ellipsoid(const std::string& name, testing::MakeSphere sphere, const Vec3d& axes,
                         double potential, double velocity, double by_sources = 0.0) {
  return {testing::ellipsoid(name, sphere, axes), potential, velocity, 1.4, by_sources};
}

/// Errors of a gap much narrower than panels are not yet in proportion to their size squared.
BodyWithLimits spheres(const std::string& name, double gap, double potential, double velocity) {
  return {testing::sphere_pair(name, 1.0 + 0.5 * gap), potential, velocity, 1.2, 0.0};
}

class FlowAccuracy : public ::testing::TestWithParam<BodyWithLimits> {};

TEST_P(FlowAccuracy, IsThatOfTheExactFlow) {
  const BodyWithLimits& body = GetParam();
  const auto backend = make_cpu_backend();
  for (const auto& [formulation, factor] :
       {std::pair{Formulation::green, 1.0}, {Formulation::source, body.by_sources}}) {
    if (factor == 0.0) continue;
    SCOPED_TRACE(to_string(formulation));
    const auto errors = [&, of = formulation](std::int64_t panels) {
      FlowOptions options;
      options.formulation = of;
      const FlowProblem problem{.panels = make_panels(body.mesh(panels)), .stream = oblique_stream};
      return surface_errors(problem, solve(problem, options, *backend), body.exact);
    };
    const SurfaceErrors coarse = errors(2000), fine = errors(8000);
    EXPECT_LE(fine.phi.l2, factor * body.potential);
    EXPECT_LE(fine.velocity.l2, factor * body.velocity);
    EXPECT_GE(testing::order(coarse.velocity.l2, fine.velocity.l2), body.order);
    // That of `source` on quadrilaterals changes its sign.
    if (formulation == Formulation::green || body.name != "sphere, quadrilaterals") {
      EXPECT_GE(testing::order(coarse.phi.l2, fine.phi.l2), body.order);
    }
    if (body.by_sources == 0.0) continue;
    EXPECT_LE(fine.pressure.l2, 2.0 * body.velocity);
    EXPECT_GE(testing::order(coarse.velocity.max, fine.velocity.max), 1.0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, FlowAccuracy,
    ::testing::Values(
        ellipsoid("sphere without a pattern", testing::jittered_sphere, {1, 1, 1}, 1.2e-4, 1.2e-4,
                  1.0),
        ellipsoid("sphere, graded", testing::graded_sphere, {1, 1, 1}, 1.2e-4, 5e-5),
        ellipsoid("sphere, quadrilaterals", testing::cubed_sphere, {1, 1, 1}, 1e-4, 4.5e-5, 1.0),
        ellipsoid("3:2:1 without a pattern", testing::jittered_sphere, {3, 2, 1}, 1.2e-4, 8e-4,
                  1.5),
        ellipsoid("5:1:1, stretched", geodesic, {5, 1, 1}, 2e-4, 6e-4),
        ellipsoid("1:1:0.2 without a pattern", testing::jittered_sphere, {1, 1, 0.2}, 7e-4, 3.5e-3),
        spheres("two spheres 0.1 apart", 0.1, 2.5e-4, 5e-4),
        spheres("two spheres 0.01 apart", 0.01, 2.5e-3, 1e-2)));

// Errors of second order that differ from panel to panel would make the velocity of first order.
TEST(VelocityError, IsOfSecondOrderOnMeshesWithoutAPattern) {
  const SphereFlow exact{oblique_stream};
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    std::vector<double> errors, panels;
    for (const std::int64_t count : {4000, 16000}) {
      const FlowProblem problem{.panels = make_panels(testing::jittered_sphere(count)),
                                .stream = oblique_stream};
      FlowOptions options;
      options.formulation = formulation;
      const Solution solution = solve(problem, options, *make_cpu_backend());
      errors.push_back(surface_errors(problem, solution, [&](const Vec3d& x) {
                         return exact.on_surface(x);
                       }).velocity.l2);
      panels.push_back(static_cast<double>(problem.panels.size()));
    }
    EXPECT_GE(testing::order(errors[0], errors[1], panels[1] / panels[0]), 1.8)
        << to_string(formulation);
  }
}

// Points of three columns of panels do not determine a cubic across them.
TEST(VelocityError, IsThatOfTheShapeWithFewLongPanelsAround) {
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  double worst = 0.0, largest = 0.0;
  for (int draw = 0; draw < 24; ++draw) {
    const auto sectors = static_cast<std::int32_t>(between(9.0, 17.0)),
               rings = static_cast<std::int32_t>(between(2.0, 7.0) * sectors);
    const Vec3d axes{1.0, 1.0, between(1.0, 8.0)};
    const Vec3d onset{between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)};
    SCOPED_TRACE(std::to_string(rings) + " x " + std::to_string(sectors) +
                 ", 1:1:" + std::to_string(axes.z));
    const FlowProblem problem{.panels = make_panels(testing::lathe(
                                  rings, sectors, axes, meshes::PanelKind::quadrilaterals)),
                              .stream = onset};
    const EllipsoidFlow exact(axes, onset);
    const SurfaceErrors found = surface_errors(problem, solve(problem, {}, *make_cpu_backend()),
                                               [&](const Vec3d& x) { return exact.on_surface(x); });
    worst = std::max(worst, found.velocity.l2);
    largest = std::max(largest, found.velocity.max);
  }
  // (2 pi / 9)^2 / 24 = 0.02 is the height of an arc of nine over its width.
  EXPECT_LE(worst, 0.02);
  EXPECT_LE(largest, 0.07);
}

/// Its sections, 0.15 to 0.4 times as thick as wide, turn by more than 45 degrees from panel to
/// panel at their ends. If the number of panels around is odd, a column of panels is between two
/// sharp edges there, and its points are on one line up to 1e-3 of their width.
struct ThinLathe {
  Vec3d axes{}, onset{};
  meshes::SurfaceMesh mesh;

  explicit ThinLathe(std::mt19937& random) {
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    axes = {1.0, between(0.15, 0.4), between(0.7, 3.0)};
    onset = {between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)};
    const auto sectors = static_cast<std::int32_t>(between(9.0, 22.0)),
               rings = static_cast<std::int32_t>(between(12.0, 50.0));
    mesh = testing::lathe(rings, sectors, axes, meshes::PanelKind::quadrilaterals);
  }
};

// The end of a section is one or two panels, whose mean velocity differs from that at a point by
// less than the largest velocity. Slopes from points on a line made it wrong by five times that.
TEST(VelocityError, OfThinSectionsIsBelowTheLargestVelocity) {
  std::mt19937 random(34);
  double worst = 0.0, estimated = 1e300;
  for (int draw = 0; draw < 24; ++draw) {
    const ThinLathe body(random);
    SCOPED_TRACE(draw);
    const FlowProblem problem{.panels = make_panels(body.mesh), .stream = body.onset};
    const EllipsoidFlow exact(body.axes, body.onset);
    const auto backend = make_cpu_backend();
    const Solution solution = solve(problem, {}, *backend);
    const SurfaceErrors found =
        surface_errors(problem, solution, [&](const Vec3d& x) { return exact.on_surface(x); });
    const ErrorFigures figures = estimate_errors(problem, solution, fit_surface(problem, solution),
                                                 green_errors(problem, solution, *backend), {})
                                     .figures;
    worst = std::max(worst, found.velocity.max);
    estimated = std::min(estimated, figures.velocity.max / found.velocity.max);
  }
  EXPECT_LE(worst, 1.0);
  EXPECT_GE(estimated, 1.0 / 3.0);
}

// A liquid that moves like a rigid body: its velocity is the same everywhere. It was wrong by up to
// 30 times that velocity.
TEST(VelocityError, WithinThinSectionsIsBelowTheVelocity) {
  std::mt19937 random(34);
  double worst = 0.0;
  for (int draw = 0; draw < 24; ++draw) {
    ThinLathe body(random);
    SCOPED_TRACE(draw);
    meshes::turn_inside_out(body.mesh);
    FlowProblem problem{.panels = make_panels(body.mesh)};
    problem.domain = Domain::interior;
    problem.has_pressure = false;
    for (std::size_t i = 0; i < problem.panels.size(); ++i)
      problem.normal_velocity.push_back(dot(body.onset, problem.panels.vector_area[i]) /
                                        problem.panels.area[i]);
    const Solution solution = solve(problem, {}, *make_cpu_backend());
    double here = 0.0;
    for (const Vec3d& u : solution.vectors())
      here = std::max(here, norm(u - body.onset) / norm(body.onset));
    worst = std::max(worst, here);
  }
  EXPECT_LE(worst, 1.0);
}

}  // namespace
}  // namespace rankine::bem
