// Bodies beside sources, doublets and vortex segments against exact images.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/onset_flows.hpp"
#include "tests/support/sphere_in_onset.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;
using std::numbers::pi;
using testing::answer_of;
using testing::ring_of_vortices;

using testing::source_doublet_and_ring;

/// Relative L2 errors of phi and the velocity on the unit sphere.
struct SphereErrors {
  double phi, velocity;
};

SphereErrors errors_on_sphere(const Onset& onset, const Vec3d& stream, int panels,
                              Formulation formulation) {
  const FlowProblem problem{
      .panels = make_panels(meshes::make_sphere(panels)), .stream = stream, .onset = onset};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, testing::tight(formulation), *backend);
  EXPECT_TRUE(solution.converged());
  const OnsetField field(onset, {});
  const SphereInOnset exact([&](const Vec3d& x) { return stream + field.velocity(x); });
  std::vector<double> phi;
  std::vector<Vec3d> velocity;
  for (const Vec3d& x : problem.panels.centroid) {
    phi.push_back(exact.potential(normalized(x)));
    velocity.push_back(exact.velocity(normalized(x)));
  }
  const std::span<const double> area = problem.panels.area;
  return {relative_error(area, solution.phi, phi).l2,
          relative_error(area, solution.velocity, velocity).l2};
}

class SphereBeside : public ::testing::TestWithParam<Formulation> {};

TEST_P(SphereBeside, SourceDoubletAndRingConvergesToWeissTheorem) {
  // Second order: the errors of a stream alone (docs/validation.md), more where the flow varies
  // over fewer panels.
  for (const Vec3d& stream : {Vec3d{}, Vec3d{0.3, 0.5, -0.4}}) {
    const SphereErrors coarse = errors_on_sphere(source_doublet_and_ring, stream, 720, GetParam()),
                       fine = errors_on_sphere(source_doublet_and_ring, stream, 2880, GetParam());
    EXPECT_LT(fine.phi, 1.8e-3);
    EXPECT_LT(fine.velocity, 1.8e-3);
    EXPECT_GT(std::log2(coarse.phi / fine.phi), 1.7);
    EXPECT_GT(std::log2(coarse.velocity / fine.velocity), 1.5);
  }
}

TEST_P(SphereBeside, EachOfThemAlone) {
  // Second order in size over distance, 0.15/0.9: a third of its square at most.
  EXPECT_LT(
      errors_on_sphere({.sources = source_doublet_and_ring.sources}, {}, 1280, GetParam()).velocity,
      8e-3);
  EXPECT_LT(errors_on_sphere({.doublets = source_doublet_and_ring.doublets}, {}, 1280, GetParam())
                .velocity,
            8e-3);
  EXPECT_LT(errors_on_sphere({.vortices = source_doublet_and_ring.vortices}, {}, 1280, GetParam())
                .velocity,
            8e-3);
}

INSTANTIATE_TEST_SUITE_P(Formulations, SphereBeside,
                         ::testing::Values(Formulation::green, Formulation::source),
                         [](const auto& each) { return std::string(to_string(each.param)); });

TEST(FlowBesideSources, HasTheFieldOfWeissTheorem) {
  const Vec3d stream{0.3, 0.5, -0.4};
  const FlowProblem problem{.panels = make_panels(meshes::make_sphere(5120)),
                            .stream = stream,
                            .onset = source_doublet_and_ring};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, testing::tight(), *backend);
  std::vector<Vec3d> points;
  for (const double r : {1.0 + 1e-6, 1.003, 1.02, 1.1, 1.4, 6.0}) {
    for (const Vec3d& direction : testing::fibonacci_sphere(30)) points.push_back(r * direction);
  }
  const Field field = evaluate_field(problem, solution, points, {}, *backend);
  const OnsetField onset(source_doublet_and_ring, {});
  const SphereInOnset exact([&](const Vec3d& x) { return stream + onset.velocity(x); });
  // Off the surface at most 2.5 times the error on it (docs/validation.md), 1e-3 above, of speeds
  // up to 2.
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(norm(field.velocity[i] - exact.velocity(points[i])), 0.0, 5e-3);
    EXPECT_NEAR(field.phi[i] - onset.potential(points[i]), exact.potential(points[i]), 2e-3);
    EXPECT_NEAR(field.pressure[i],
                0.5 * (dot(stream, stream) - dot(field.velocity[i], field.velocity[i])), 1e-13);
  }
}

TEST(FlowBesideSources, DrawTheSphere) {
  // With rho Q^2 a^3 / (4 pi f (f^2 - a^2)^2) [MT68].
  const double f = 1.8, strength = 3.0, density = 2.0;
  const Vec3d e = normalized(Vec3d{1.0, 2.0, -1.0});
  const FlowProblem problem{.panels = make_panels(meshes::make_sphere(5120)),
                            .stream = {},
                            .density = density,
                            .onset = {.sources = {{f * e, strength}}}};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, testing::tight(), *backend);
  const Loads loads = pressure_loads(fit_surface(problem, solution));
  const double expected = density * strength * strength / (4.0 * pi * f * std::pow(f * f - 1.0, 2));
  // Twice the velocity's error of 1e-3.
  EXPECT_NEAR(norm(loads.force - expected * e), 0.0, 2e-3 * expected);
}

TEST(FlowBesideSources, GivenPotentialsAreThoseOfEverythingButTheStream) {
  // A sphere whose potential is zero in the field of a source: the image -a/f at the inverse point
  // [J99 sec. 2.2].
  const double f = 1.7;
  const Vec3d e = normalized(Vec3d{-0.5, 0.8, 0.4});
  const std::size_t panels = 1280;
  FlowProblem problem{.panels = make_panels(meshes::make_sphere(panels)),
                      .stream = {},
                      .onset = {.sources = {{f * e, 1.0}}}};
  problem.conditions.known.assign(problem.panels.size(), Known::potential);
  problem.potential.assign(problem.panels.size(), 0.0);
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, testing::tight(), *backend);
  const OnsetField image({.sources = {{e / f, -1.0 / f}}}, {});
  for (const double phi : disturbance_potential(problem, solution)) EXPECT_NEAR(phi, 0.0, 1e-12);
  const std::vector<Vec3d> points{1.5 * e, {0.3, -1.8, 2.0}, {-1.2, 0.3, 0.4}};
  const Field field = evaluate_field(problem, solution, points, {}, *backend);
  const OnsetField onset(problem.onset, {});
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(field.phi[i], onset.potential(points[i]) + image.potential(points[i]), 2e-4);
  }
}

TEST(FlowBesideSources, OnADoubletInACavity) {
  // At the centre of a ball of fluid: a potential k M.x with k = -2/(4 pi a^3) takes the flux back.
  meshes::SurfaceMesh mesh = meshes::make_sphere(1280);
  meshes::turn_inside_out(mesh);
  const Vec3d moment{0.6, -0.5, 1.1};
  const FlowProblem problem{.panels = make_panels(mesh),
                            .stream = {},
                            .domain = Domain::interior,
                            .onset = {.doublets = {{{}, moment}}}};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, testing::tight(), *backend);
  EXPECT_TRUE(solution.converged());
  for (std::size_t i = 0; i < solution.phi.size(); ++i) {
    const double expected = -2.0 / (4.0 * pi) * dot(moment, problem.panels.centroid[i]);
    EXPECT_NEAR(solution.phi[i], expected, 2e-3 * norm(moment) / (2.0 * pi));
  }
}

TEST(FlowBesideSources, HalfABodyAndHalfOfThemIsTheWhole) {
  for (const double sign : {1.0, -1.0}) {
    const Symmetry plane({{1, 0.0, sign}});
    // Three axes, so that quadrilaterals do not have two diagonals of one length.
    const meshes::SurfaceMesh half = testing::positive_part(
        testing::stretched(testing::cubed_sphere(384), {1.3, 0.9, 0.8}), {1});
    const Onset off{.sources = {{{0.2, 1.7, -0.3}, 1.3}},
                    .doublets = {{{-1.4, 0.5, 0.3}, {0.7, -1.1, 0.4}}},
                    .vortices = ring_of_vortices({0.0, 2.1, 0.5}, {0.2, 0.5, 1.0}, 0.4, 1.5, 12)};
    Onset both = off;
    both.sources.push_back({{0.2, -1.7, -0.3}, sign * 1.3});
    both.doublets.push_back({{-1.4, -0.5, 0.3}, {sign * 0.7, sign * 1.1, sign * 0.4}});
    for (VortexSegment each : off.vortices) {
      each.from.y *= -1.0;
      each.to.y *= -1.0;
      each.circulation *= -sign;
      both.vortices.push_back(each);
    }
    const FlowProblem part{
        .panels = make_panels(half, PanelGeometry::curved, plane), .stream = {}, .onset = off};
    const FlowProblem whole{
        .panels = make_panels(testing::with_images(half, plane)), .stream = {}, .onset = both};
    FlowOptions options = testing::tight();
    options.gmres.tolerance = 1e-12;
    options.fmm = {.tolerance = 1e-11};
    const std::vector<double> part_flux = flux(part, {}), whole_flux = flux(whole, {});
    for (std::size_t i = 0; i < part_flux.size(); ++i)
      EXPECT_NEAR(part_flux[i], whole_flux[i], 1e-13);
    const auto backend = make_cpu_backend();
    const Solution one = solve(part, options, *backend), all = solve(whole, options, *backend);
    const std::vector<Vec3d> points{{0.5, 1.2, 0.1}, {0.5, -1.2, 0.1}, {1.2, 0.46, 0.0}};
    const Field of_part = evaluate_field(part, one, points, {}, *backend),
                of_whole = evaluate_field(whole, all, points, {}, *backend);
    for (std::size_t i = 0; i < one.phi.size(); ++i) {
      EXPECT_NEAR(one.phi[i], all.phi[i], 1e-8);
      EXPECT_NEAR(norm(one.velocity[i] - all.velocity[i]), 0.0, 1e-7);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(of_part.phi[i], of_whole.phi[i], 1e-6);
      EXPECT_NEAR(norm(of_part.velocity[i] - of_whole.velocity[i]), 0.0, 1e-5);
    }
  }
}

TEST(FlowBesideSources, RefusesMotionsAndPotentialsBesideVortices) {
  FlowProblem problem{.panels = make_panels(meshes::make_sphere(80)),
                      .stream = {1.0, 0.0, 0.0},
                      .onset = source_doublet_and_ring};
  const auto backend = make_cpu_backend();
  const auto message = [&] {
    return answer_of<InputError>([&] { solve(problem, FlowOptions{}, *backend); });
  };
  problem.motions = {{.velocity = {1, 0, 0}}};
  problem.motion.assign(problem.panels.size(), 0);
  EXPECT_EQ(message(),
            "walls move beside sources, doublets or vortices, which would change with time: give"
            " walls at rest and the stream that they see, or leave the motions out");
  problem.motions.clear();
  problem.motion.clear();
  problem.conditions.known.assign(problem.panels.size(), Known::potential);
  problem.potential.assign(problem.panels.size(), 0.0);
  EXPECT_EQ(message(),
            "a potential is given beside vortex segments, which have a velocity and no potential"
            " of one value; give the normal velocity there, or doublets in place of closed loops");
}

}  // namespace
}  // namespace rankine::bem
