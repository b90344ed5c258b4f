// Whole solutions: orders on the sphere, d'Alembert's paradox, added masses.
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/cpu_backend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/green_errors.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::order;

struct ErrorsAndIterations : SurfaceErrors {
  int iterations = 0;
};

ErrorsAndIterations sphere_errors(const meshes::SurfaceMesh& mesh) {
  const Vec3d stream{1.0, 0.0, 0.0};
  const FlowProblem problem{.panels = make_panels(mesh), .stream = stream};
  const Solution solution = solve(problem, {}, *make_cpu_backend());
  EXPECT_TRUE(solution.converged());
  EXPECT_LE(solution.gmres.true_residual, FlowOptions().gmres.tolerance);
  const SphereFlow exact{stream};
  return {surface_errors(problem, solution, [&](const Vec3d& x) { return exact.on_surface(x); }),
          solution.gmres.iterations};
}

TEST(Flow, GreenIsSecondOrderOnTheSphere) {
  std::vector<ErrorsAndIterations> levels;
  for (const std::int64_t count : {320, 1280, 5120}) {
    levels.push_back(sphere_errors(meshes::make_sphere(count)));
    EXPECT_LE(levels.back().iterations, 15);
  }
  for (std::size_t k = 1; k < levels.size(); ++k) {
    EXPECT_GE(order(levels[k - 1].phi.l2, levels[k].phi.l2), 1.8);
    EXPECT_GE(order(levels[k - 1].velocity.l2, levels[k].velocity.l2), 1.5);
    EXPECT_GE(order(levels[k - 1].pressure.l2, levels[k].pressure.l2), 1.5);
  }
  // 20 480 panels have a potential to 2e-5 and a velocity to 1e-5; 5120 four times as much.
  EXPECT_LE(levels.back().phi.l2, 8e-5);
  EXPECT_LE(levels.back().velocity.l2, 4e-5);
}

TEST(Flow, ForceVanishesOnClosedBodies) {
  const auto backend = make_cpu_backend();
  for (const auto& mesh :
       {testing::graded_sphere(5000), meshes::make_ellipsoid(5000, {3.0, 2.0, 1.0})}) {
    FlowProblem problem{.panels = make_panels(mesh), .stream = {0.8, 0.5, -0.3}, .density = 2.0};
    const Solution solution = solve(problem, {}, *backend);
    const Loads loads = pressure_loads(fit_surface(problem, solution));
    const double scale =
        0.5 * problem.density * dot(problem.stream, problem.stream) * total_area(problem.panels);
    EXPECT_LE(norm(loads.force), 1e-3 * scale);
  }
}

/// Relative errors of the three added masses (root of squares) and of the Munk moment of 3:2:1.
struct EllipsoidErrors {
  double added_mass, moment;
};

EllipsoidErrors ellipsoid_errors(const meshes::SurfaceMesh& mesh) {
  const Vec3d axes{3.0, 2.0, 1.0}, oblique{0.8, 0.6, 0.0};
  FlowProblem problem{.panels = make_panels(mesh), .stream = {1.0, 0.0, 0.0}};
  const std::vector<Vec3d> streams{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, oblique};
  const auto backend = make_cpu_backend();
  const std::vector<Solution> solutions = solve(problem, streams, {}, *backend);
  const Vec3d k = EllipsoidFlow(axes, oblique).added_mass();
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const Solution& solution = solutions[static_cast<std::size_t>(axis)];
    const double error =
        added_mass_velocity(problem, fit_surface(problem, solution))[axis] / k[axis] - 1.0;
    EXPECT_NEAR(testing::added_mass_coefficient(problem, solution), k[axis] * (1.0 + error), 1e-12);
    sum += error * error;
  }
  // M = rho V U x (k U) by components: M_z = rho V (k_x - k_y) U_x U_y [L32 sec. 124]; it turns the
  // body broadside on.
  const double munk = enclosed_volume(problem.panels) * (k.x - k.y) * oblique.x * oblique.y;
  const Vec3d moment = pressure_loads(fit_surface(problem, solutions[3])).moment;
  return {std::sqrt(sum), norm(moment - Vec3d{0.0, 0.0, munk}) / std::abs(munk)};
}

TEST(Flow, AddedMassAndMomentOfATriaxialEllipsoidAreSecondOrder) {
  const Vec3d axes{3.0, 2.0, 1.0};
  const EllipsoidErrors coarse = ellipsoid_errors(meshes::make_ellipsoid(5120, axes)),
                        fine = ellipsoid_errors(meshes::make_ellipsoid(20480, axes));
  EXPECT_GE(order(coarse.added_mass, fine.added_mass), 1.8) << coarse.added_mass;
  EXPECT_LE(fine.added_mass, 5e-5);
  EXPECT_GE(order(coarse.moment, fine.moment), 1.8) << coarse.moment;
  EXPECT_LE(fine.moment, 2e-4);
  // Without a pattern, at a quarter of the panels.
  EXPECT_LE(ellipsoid_errors(testing::stretched(testing::jittered_sphere(5120), axes)).added_mass,
            4.0 * 5e-5);
}

TEST(Flow, RefusesABodyThatMovesThroughFluidAtRest) {
  // Its own frame shows the same flow, there a steady one.
  const auto backend = make_cpu_backend();
  const Vec3d motion{0.5, -1.0, 0.25};
  FlowProblem moving{.panels = make_panels(testing::graded_sphere(320)), .stream = {}};
  const Panels& panels = moving.panels;
  for (std::size_t i = 0; i < panels.size(); ++i)
    moving.normal_velocity.push_back(dot(motion, panels.vector_area[i]) / panels.area[i]);
  const std::string refusal = testing::message_of<InputError>([&] { solve(moving, {}, *backend); });
  EXPECT_TRUE(testing::says(refusal, "(0.5, -1, 0.25) m/s"));
  EXPECT_TRUE(testing::says(refusal, "stream (-0.5, 1, -0.25)"));
  // In a stream the same velocities through the wall are nothing unusual: the body is not felt.
  moving.stream = motion;
  const Solution transparent = solve(moving, {}, *backend);
  for (const double phi : transparent.phi) EXPECT_NEAR(phi, 0.0, 1e-12);
  // Nor is a part of the surface that moves for itself, nor fluid at rest at walls at rest.
  moving.stream = {};
  moving.normal_velocity[0] *= 2.0;
  EXPECT_TRUE(solve(moving, {}, *backend).converged());
  moving.normal_velocity.clear();
  EXPECT_TRUE(solve(moving, {}, *backend).converged());
}

TEST(Flow, OfASphereThatBlowsIsThatOfASource) {
  // Through a porous sphere: u = w r/r^3, phi = -w/r and p = -rho w^2/2; no dynamic pressure.
  const double w = 0.7, density = 3.0;
  FlowProblem problem{
      .panels = make_panels(meshes::make_sphere(1280)), .stream = {}, .density = density};
  problem.normal_velocity.assign(problem.panels.size(), w);
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, {}, *backend);
  EXPECT_EQ(reference_pressure(density, solution.stream), 0.0);
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    // The error of flat panels at this number, of the potential and of its slopes.
    EXPECT_NEAR(solution.phi[i], -w, 0.01 * w);
    EXPECT_NEAR(solution.pressure[i], -0.5 * density * w * w, 0.02 * density * w * w);
  }
  EXPECT_NEAR(norm(pressure_loads(fit_surface(problem, solution)).force), 0.0,
              1e-3 * density * w * w);
}

TEST(Flow, ScalesWithLengthAndSpeed) {
  const auto backend = make_cpu_backend();
  FlowProblem unit{.panels = make_panels(meshes::make_sphere(320)), .stream = {1.0, 0.0, 0.0}};
  const Solution one = solve(unit, {}, *backend);
  FlowProblem large{.panels = make_panels(meshes::make_sphere(320, 1000.0)),
                    .stream = {7.0, 0.0, 0.0}};
  const Solution scaled = solve(large, {}, *backend);
  // The FMM's error differs between the two by its tolerance, the Krylov residuals by theirs.
  for (std::size_t i = 0; i < one.phi.size(); ++i) {
    EXPECT_NEAR(scaled.phi[i] / 7000.0, one.phi[i], 1e-5);
    EXPECT_NEAR(scaled.pressure[i] / 24.5, one.pressure[i] / 0.5, 1e-4);
  }
}

/// In the axes of a turned frame, or back from them.
Vec3d turned(const Vec3d& x, bool back = false) {
  const Vec3d a = normalized(Vec3d{0.8, 0.5, -0.3}),
              b = normalized(cross(a, Vec3d{0.2, -0.7, 0.4})), c = cross(a, b);
  return back ? Vec3d{dot(a, x), dot(b, x), dot(c, x)} : x.x * a + x.y * b + x.z * c;
}

// Bodies with edges, corners, thin parts and none of these, moved and turned with the stream.
TEST(Flow, IsTheSameElsewhere) {
  const auto backend = make_cpu_backend();
  for (const auto& [mesh, formulation] :
       {std::pair{meshes::make_box(294, {1.0, 2.0, 0.7}), Formulation::green},
        std::pair{meshes::make_box(294, {2.0, 1.0, 0.05}), Formulation::green},
        std::pair{meshes::make_box(216, {1.0, 1.0, 1.0}), Formulation::source},
        std::pair{testing::jittered_sphere(320), Formulation::green}}) {
    const Vec3d stream{0.6, -0.5, 0.4};
    meshes::SurfaceMesh moved_mesh = mesh;
    for (Vec3d& x : moved_mesh.nodes) x = turned(x) + Vec3d{20.0, -13.0, 7.0};
    const FlowProblem here{.panels = make_panels(mesh), .stream = stream},
        there{.panels = make_panels(moved_mesh), .stream = turned(stream)};
    const Solution a = solve(here, testing::tight(formulation, 1e-8), *backend),
                   b = solve(there, testing::tight(formulation, 1e-8), *backend);
    // The solver's tolerance, amplified by gradients across panels a tenth as wide as the body.
    for (std::size_t i = 0; i < a.phi.size(); ++i) {
      EXPECT_NEAR(a.phi[i], b.phi[i], 1e-6);
      EXPECT_NEAR(norm(a.velocity[i] - turned(b.velocity[i], true)), 0.0, 1e-5);
    }
    const auto error = [&](const FlowProblem& problem, const Solution& solution) {
      const SurfaceFits fits = fit_surface(problem, solution);
      return estimate_errors(problem, solution, fits, green_errors(problem, solution, *backend),
                             pressure_loads(fits).force);
    };
    // Estimates scale with residuals at 18 panels that the order along the tree draws.
    const ErrorEstimate of_a = error(here, a), of_b = error(there, b);
    for (std::size_t i = 0; i < a.phi.size(); ++i) {
      EXPECT_NEAR(of_a.velocity[i], of_b.velocity[i], 0.5 * of_a.velocity[i] + 1e-5);
      EXPECT_NEAR(of_a.potential[i], of_b.potential[i], 0.5 * of_a.potential[i] + 1e-5);
    }
  }
}

TEST(Flow, OfPotentialsAloneHasNoStream) {
  FlowProblem problem{.panels = make_panels(meshes::make_sphere(320))};
  problem.conditions.known.assign(problem.panels.size(), Known::potential);
  problem.potential.assign(problem.panels.size(), 1.0);
  const Solution solution = solve(problem, {}, *make_cpu_backend());
  // phi = 1/r: its gradient is -n there.
  for (std::size_t i = 0; i < problem.panels.size(); ++i)
    EXPECT_LE(norm(solution.velocity[i] + problem.panels.centroid[i]), 2e-2);
}

TEST(Flow, RefusesWhatDoesNotFit) {
  const auto backend = make_cpu_backend();
  FlowProblem problem;
  EXPECT_THROW(solve(problem, {}, *backend), InputError);
  problem.panels = make_panels(meshes::make_sphere(20));
  problem.normal_velocity = {1.0, 2.0};
  EXPECT_THROW(solve(problem, {}, *backend), InputError);
  problem.normal_velocity.clear();
  problem.density = 0.0;
  EXPECT_THROW(solve(problem, {}, *backend), InputError);
}

}  // namespace
}  // namespace rankine::bem
