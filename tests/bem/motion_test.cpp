// Bodies that move: pressure, force and moment against the same flow in another frame, Kirchhoff's
// equations with Lamb's coefficients [L32 sec. 124, 126], and the energy of two spheres.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::order;

constexpr double density = 1025.0;

/// Walls that move as `motions` say, each on the bodies of its own.
FlowProblem moving(const meshes::SurfaceMesh& mesh, std::vector<RigidMotion> motions,
                   const std::vector<std::int32_t>& of_panel, const Vec3d& stream = {}) {
  FlowProblem problem{.panels = make_panels(mesh), .stream = stream, .density = density};
  problem.motions = std::move(motions);
  problem.motion = of_panel;
  const std::vector<Vec3d> moment = moments_of_area(problem.panels);
  for (std::size_t i = 0; i < problem.panels.size(); ++i) {
    const RigidMotion& motion = problem.motions[static_cast<std::size_t>(of_panel[i])];
    problem.normal_velocity.push_back(
        swept_volume(motion, problem.panels.vector_area[i], moment[i]) / problem.panels.area[i]);
  }
  return problem;
}

FlowProblem moving(const meshes::SurfaceMesh& mesh, const RigidMotion& motion,
                   const Vec3d& stream = {}) {
  return moving(mesh, {motion}, std::vector<std::int32_t>(mesh.elements.size(), 0), stream);
}

TEST(Motion, MeansOfRotationsAreThoseOfTheirValuesOnPanels) {
  const Panels panels = make_panels(testing::cubed_sphere(600));
  const RigidMotion motion{{0.1, 0.2, -0.3}, {1.0, -2.0, 0.5}, {0.4, 0.0, 0.2}};
  const std::vector<Vec3d> moment = moments_of_area(panels);
  double total = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double mean = swept_volume(motion, panels.vector_area[i], moment[i]) / panels.area[i];
    // Panels are 0.14 wide: what is linear on them is off by the curvature, 0.14^2 / 8 times |w|.
    EXPECT_NEAR(mean, dot(motion.at(panels.centroid[i]), panels.normal[i]), 1e-2);
    total += mean * panels.area[i];
  }
  EXPECT_NEAR(total, 0.0, 1e-12);  // a rigid body keeps its volume
}

TEST(Motion, HasThePressureOfTheStreamPastTheBodyAtRest) {
  const meshes::SurfaceMesh mesh = testing::jittered_sphere(1280);
  const Vec3d velocity{1.0, 0.4, -0.2};
  const auto backend = make_cpu_backend();
  for (const auto& [formulation, stream] :
       {std::pair{Formulation::green, Vec3d{}}, std::pair{Formulation::source, Vec3d{}},
        std::pair{Formulation::green, Vec3d{0.3, -0.7, 0.5}}}) {
    FlowProblem in_motion = moving(mesh, {.velocity = velocity});
    in_motion.stream = stream;
    const FlowProblem at_rest{
        .panels = in_motion.panels, .stream = stream - velocity, .density = density};
    const Solution a = solve(in_motion, testing::tight(formulation, 1e-8), *backend),
                   b = solve(at_rest, testing::tight(formulation, 1e-8), *backend);
    const double unit = reference_pressure(density, velocity);
    for (std::size_t i = 0; i < a.pressure.size(); ++i)
      EXPECT_NEAR(a.pressure[i], b.pressure[i], 1e-5 * unit);
    const std::vector<Vec3d> points{{1.3, 0.2, 0.1}, {-2.0, 1.0, 0.4}};
    const Field of_a = evaluate_field(in_motion, a, points, {}, *backend),
                of_b = evaluate_field(at_rest, b, points, {}, *backend);
    for (std::size_t k = 0; k < points.size(); ++k)
      EXPECT_NEAR(of_a.pressure[k], of_b.pressure[k], 1e-5 * unit);
  }
}

// The flow begins at its solution. The rate of the potential, a second solve, gets one iteration.
TEST(Motion, SaysThatTheRateOfThePotentialHasNotConverged) {
  const FlowProblem turning = moving(meshes::make_ellipsoid(320, {3.0, 2.0, 1.0}),
                                     {.angular_velocity = {0.2, 0.5, -0.3}}, {1.0, 0.0, 0.0});
  const auto backend = make_cpu_backend();
  FlowOptions options = testing::tight();
  const Solution whole = solve(turning, options, *backend);
  EXPECT_TRUE(whole.converged());
  options.initial_guess = whole.phi;
  options.gmres.max_iterations = 1;
  EXPECT_FALSE(solve(turning, options, *backend).converged());
  FlowProblem at_rest = turning;
  at_rest.motions.clear(), at_rest.motion.clear();
  EXPECT_TRUE(solve(at_rest, options, *backend).converged());
}

/// Force and moment about the centre of an ellipsoid by Kirchhoff's equations. Its velocities stay
/// the same as it sees them, so that the stream turns the other way.
Loads kirchhoff(const Vec3d& axes, const RigidMotion& motion, const Vec3d& stream) {
  const EllipsoidFlow exact(axes, {});
  const double mass = density * 4.0 / 3.0 * std::numbers::pi * axes.x * axes.y * axes.z;
  const auto times = [&](const Vec3d& a, const Vec3d& b) {
    return mass * Vec3d{a.x * b.x, a.y * b.y, a.z * b.z};
  };
  const Vec3d velocity = motion.at({}) - stream, turning = motion.angular_velocity;
  const Vec3d momentum = times(exact.added_mass(), velocity),
              angular = times(exact.added_inertia(), turning);
  const Vec3d rate = times(exact.added_mass(), cross(turning, stream));
  return {-1.0 * (rate + cross(turning, momentum)),
          -1.0 * (cross(turning, angular) + cross(velocity, momentum))};
}

struct Way {
  RigidMotion motion;
  Vec3d stream;
};

class AnEllipsoid : public ::testing::TestWithParam<Way> {};

TEST_P(AnEllipsoid, IsPushedAndTurnedAsKirchhoffSays) {
  const Vec3d axes{1.5, 1.0, 0.7};
  const auto& [motion, stream] = GetParam();
  const Loads exact = kirchhoff(axes, motion, stream);
  const double size = density * 10.0;  // of volume times speed squared over length
  std::vector<double> errors;
  for (const int panels : {720, 2880}) {
    const FlowProblem problem = moving(meshes::make_ellipsoid(panels, axes), motion, stream);
    const Solution solution = solve(problem, testing::tight(), *make_cpu_backend());
    const Loads found = pressure_loads(fit_surface(problem, solution));
    errors.push_back((norm(found.force - exact.force) + norm(found.moment - exact.moment)) / size);
  }
  EXPECT_LE(errors[1], 5e-3) << norm(exact.force) / size << " " << norm(exact.moment) / size;
  EXPECT_GE(order(errors[0], errors[1]), 1.5);
}

// The last three have a frame in which nothing is steady: a second solve.
INSTANTIATE_TEST_SUITE_P(
    Motions, AnEllipsoid,
    ::testing::Values(Way{{{1.0, 0.5, -0.3}, {}, {}}, {}}, Way{{{}, {0.4, -0.7, 0.6}, {}}, {}},
                      Way{{{1.0, 0.5, -0.3}, {0.4, -0.7, 0.6}, {}}, {}},
                      Way{{{1.0, 0.5, -0.3}, {0.4, -0.7, 0.6}, {2.0, 0.0, -1.0}}, {}},
                      Way{{{}, {}, {}}, {0.8, -0.3, 0.5}},
                      Way{{{}, {0.4, -0.7, 0.6}, {}}, {0.8, -0.3, 0.5}},
                      Way{{{1.0, 0.5, -0.3}, {0.4, -0.7, 0.6}, {}}, {0.8, -0.3, 0.5}},
                      Way{{{0.2, 0.5, -0.3}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}, {1.0, 0.0, 0.0}}));

// A faint stream asks for a second solve, and must not change the force by more than itself, on a
// mesh without a pattern and about a distant centre, where pressures are large and nearly cancel.
TEST(AnEllipsoidWithoutAPattern, IsPushedInTheFaintestStreamAsInNone) {
  const Vec3d axes{1.5, 1.0, 0.7};
  meshes::SurfaceMesh mesh = testing::jittered_sphere(2000);
  for (Vec3d& p : mesh.nodes) p = {axes.x * p.x, axes.y * p.y, axes.z * p.z};
  const RigidMotion motion{{0.5, -0.2, 0.3}, {0.4, 0.6, -0.5}, {4.0, -3.0, 2.0}};
  std::vector<Vec3d> forces;
  for (const Vec3d& stream : {Vec3d{}, Vec3d{1e-6, 0.0, 0.0}, Vec3d{0.8, -0.3, 0.5}}) {
    const FlowProblem problem = moving(mesh, motion, stream);
    const Solution solution =
        solve(problem, testing::tight(Formulation::green, 1e-8), *make_cpu_backend());
    forces.push_back(pressure_loads(fit_surface(problem, solution)).force);
    // 2.5 times the error without a second solve, which is 6e-4.
    const Vec3d exact = kirchhoff(axes, motion, stream).force;
    EXPECT_LE(norm(forces.back() - exact), 1.5e-3 * norm(exact)) << norm(stream);
  }
  EXPECT_LE(norm(forces[1] - forces[0]), 1e-5 * norm(forces[0]));
}

/// Two unit spheres `distance` apart along x.
meshes::SurfaceMesh two_spheres(int panels, double distance) {
  meshes::SurfaceMesh left = meshes::make_sphere(panels), right = left;
  for (Vec3d& p : left.nodes) p.x -= 0.5 * distance;
  for (Vec3d& p : right.nodes) p.x += 0.5 * distance;
  return testing::joined(left, right);
}

/// M_00 and M_06 of both.
std::pair<double, double> masses(int panels, double distance) {
  FlowProblem problem{.panels = make_panels(two_spheres(panels, distance)),
                      .stream = {1.0, 0.0, 0.0},
                      .density = density};
  RigidBodies bodies{{}, {{}, {}}};
  for (const Vec3d& x : problem.panels.centroid) bodies.body.push_back(x.x > 0.0 ? 1 : 0);
  const AddedMass found = added_mass(problem, bodies, {}, testing::tight(), *make_cpu_backend());
  return {found(0, 0), found(0, 6)};
}

TEST(TwoSpheresInMotion, AreForcedByTheChangeOfTheirEnergy) {
  // One moves towards the other, at rest: with T = M V^2 / 2 Lagrange's equations give the forces
  // M' V^2 / 2 and M12' V^2 + M' V^2 / 2 (dashes: by the distance) along x [L32 sec. 137, 138].
  constexpr double distance = 3.0, step = 0.05, speed = 2.0;
  constexpr int panels = 720;
  const auto [near, near_other] = masses(panels, distance - step);
  const auto [far, far_other] = masses(panels, distance + step);
  const double own = (far - near) / (2.0 * step) * speed * speed,
               other = (far_other - near_other) / (2.0 * step) * speed * speed;
  std::vector<std::int32_t> of_panel;
  const meshes::SurfaceMesh mesh = two_spheres(panels, distance);
  for (const meshes::Element& element : mesh.elements)
    of_panel.push_back(mesh.nodes[static_cast<std::size_t>(element[0])].x > 0.0 ? 1 : 0);
  const FlowProblem problem = moving(mesh, {{.velocity = {speed, 0.0, 0.0}}, {}}, of_panel);
  EXPECT_FALSE(common_frame(problem).has_value());
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    const Solution solution = solve(problem, testing::tight(formulation), *make_cpu_backend());
    const std::vector<Loads> loads =
        pressure_loads_by_body(fit_surface(problem, solution), of_panel, std::vector<Vec3d>(2));
    // Second order in panels of 0.2, on gradients of gradients; the difference quotient errs by
    // 5e-3.
    EXPECT_NEAR(loads[0].force.x, 0.5 * own, 0.05 * std::abs(other));
    EXPECT_NEAR(loads[1].force.x, other + 0.5 * own, 0.05 * std::abs(other));
  }
}

}  // namespace
}  // namespace rankine::bem
