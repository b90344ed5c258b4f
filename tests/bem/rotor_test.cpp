// Rotors: limits in which their loads are known.
#include "rankine/bem/flow/rotor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/surface_fits.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/lift/lift_loads.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/propeller.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/meshes_together.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

struct RotorFlow {
  FlowProblem problem;
  Solution solution;
  Loads loads{};  ///< the moment about the centre of the motion
};

/// `frame`: at rest, or the motion of a rotor.
FlowProblem problem_of(const meshes::SurfaceMesh& mesh, const Vec3d& stream,
                       const RigidMotion& frame) {
  FlowProblem problem;
  problem.panels = make_panels(mesh, PanelGeometry::flat);
  problem.stream = stream;
  if (!(frame.angular_velocity == Vec3d{})) {
    problem.motions = {frame};
    problem.motion.assign(problem.panels.size(), 0);
    const std::vector<Vec3d> moments = moments_of_area(problem.panels);
    for (std::size_t i = 0; i < problem.panels.size(); ++i)
      problem.normal_velocity.push_back(
          swept_volume(frame, problem.panels.vector_area[i], moments[i]) / problem.panels.area[i]);
  }
  const RelativeStream seen = relative_stream(problem);
  problem.lift = std::make_shared<LiftingEdges>(lifting_edges(problem.panels, seen, seen));
  return problem;
}

/// `follows`: wakes have the pitch of the flow, not that of the stream.
RotorFlow solve_for(const meshes::SurfaceMesh& mesh, const Vec3d& stream, const RigidMotion& frame,
                    bool follows = true) {
  RotorFlow flow{.problem = problem_of(mesh, stream, frame), .solution = {}};
  FlowProblem& problem = flow.problem;
  const auto backend = make_cpu_backend();
  flow.solution = relative_stream(problem).turns() && follows
                      ? solve_with_helical_wakes(problem, {}, *backend, [](const WakeSweep&) {})
                      : solve(problem, FlowOptions{}, *backend);
  EXPECT_TRUE(flow.solution.converged());
  flow.loads = pressure_loads(fit_surface(problem, flow.solution, *backend), frame.centre);
  return flow;
}

/// Two twisted blades along y, whose sections have an angle of attack of 3 degrees where the stream
/// is `speed` along z and the rotation 1 rad/s about z.
meshes::SurfaceMesh two_blades(double speed) {
  meshes::SurfaceMesh blade = meshes::make_wing({24, 12}, meshes::naca_section("0012"),
                                                {.span = 1.5, .root_chord = 0.2, .tip_chord = 0.2});
  for (Vec3d& x : blade.nodes) {
    const double y = 1.25 + x.y, turn = std::atan(speed / y) - pi / 60.0, c = std::cos(turn),
                 s = std::sin(turn), from_axis = x.x - 0.05;
    x = {c * from_axis - s * x.z, y, s * from_axis + c * x.z};
  }
  meshes::SurfaceMesh other = blade;
  for (Vec3d& x : other.nodes) x = {-x.x, -x.y, x.z};
  return testing::joined(blade, other);
}

// Far from the axis the wing flies nearly straight. The lift is the same at +R and -R, so that it
// differs by terms of second order in span/R, 2e-5 here. The straight wake ends 30 extents
// downstream, without which the lift is 3e-4 smaller. The rest of the limit, as much again, is
// found and not derived.
TEST(Rotor, OnALargeCircleIsAStraightWing) {
  const double radius = 1000.0, angle = 5.0 * pi / 180.0;
  const meshes::SurfaceMesh wing =
      meshes::make_wing({24, 12}, meshes::naca_section("0012"), {.span = 4.0});
  const RotorFlow straight = solve_for(wing, {std::cos(angle), 0.0, std::sin(angle)}, {}),
                  circling = solve_for(wing, {0.0, 0.0, std::sin(angle)},
                                       {.angular_velocity = {0, 0, -std::cos(angle) / radius},
                                        .centre = {0.0, radius, 0.0}},
                                       false);
  EXPECT_NEAR(circling.loads.force.z / straight.loads.force.z, 1.0, 7e-4);
  // In the Trefftz plane the wake of the circle passes in turns, far apart.
  const Vec3d straight_far = trefftz_loads(straight.problem.panels, *straight.problem.lift,
                                           straight.solution.sheets, straight.problem.stream, 1.0)
                                 .force;
  const double far =
      -far_rotor_loads(circling.problem, circling.solution, {}, *make_cpu_backend()).thrust;
  EXPECT_NEAR(far, dot(straight_far, {0, 0, 1}), 1e-2 * far);
}

// The stream lifts the blades along itself and drives them, as those of a turbine: thrust and
// torque are negative. Turned in space, with its stream and axis, the rotor has the same
// circulation but for the tolerance of GMRES, 1e-6, and of the sums. Forces from the pressure
// differ more, perhaps since fits limit slopes at tips, which costs up to 5e-4 of a wing's force
// (docs/howto/wings.md).
TEST(Rotor, LoadsDoNotDependOnTheDirectionOfTheAxis) {
  const meshes::SurfaceMesh blades = two_blades(1.0);
  const RigidMotion motion{.angular_velocity = {0, 0, 1.0}};
  const RotorFlow upright = solve_for(blades, {0, 0, 1.0}, motion);
  const RotorLoads loads = rotor_loads(upright.problem, upright.loads.force, upright.loads.moment);
  EXPECT_LT(loads.thrust, 0.0);
  EXPECT_LT(loads.torque, 0.0);
  // About (1, 2, 3) by one radian.
  const Vec3d k = Vec3d{1, 2, 3} / std::sqrt(14.0), centre{3.0, -1.0, 2.0};
  const auto turned = [&](const Vec3d& x) {
    return std::cos(1.0) * x + std::sin(1.0) * cross(k, x) + (1.0 - std::cos(1.0)) * dot(k, x) * k;
  };
  meshes::SurfaceMesh moved = blades;
  for (Vec3d& x : moved.nodes) x = centre + turned(x);
  const Vec3d stream = turned({0, 0, 1.0});
  const RotorFlow leaning =
      solve_for(moved, stream, {.angular_velocity = stream, .centre = centre});
  const RotorLoads same = rotor_loads(leaning.problem, leaning.loads.force, leaning.loads.moment);
  EXPECT_NEAR(same.thrust / loads.thrust, 1.0, 1e-3);
  EXPECT_NEAR(same.torque / loads.torque, 1.0, 1e-3);
  const auto backend = make_cpu_backend();
  const RotorLoads far = far_rotor_loads(upright.problem, upright.solution, {}, *backend),
                   far_same = far_rotor_loads(leaning.problem, leaning.solution, {}, *backend);
  EXPECT_NEAR(far_same.thrust / far.thrust, 1.0, 1e-5);
  EXPECT_NEAR(far_same.torque / far.torque, 1.0, 1e-5);
}

// The blades of a propeller share the load, but for the tolerances of GMRES and of sums. Near a tip
// the circulation falls like the root of the distance: of two strips of one width the outer one has
// less than 3^-1/2 of the inner one's, and less still if strips are narrower outside.
TEST(Rotor, BladesShareTheLoadWhichFallsToTheirTips) {
  const int blades = 3;
  const meshes::SurfaceMesh propeller =
      meshes::make_propeller({32, 16}, {.diameter = 2.0,
                                        .blades = blades,
                                        .sections = {{0.2, 0.32, 1.1, 0.20, 0.015, 0.0, 0.0},
                                                     {0.4, 0.40, 1.1, 0.12, 0.023, 0.0, 0.0},
                                                     {0.6, 0.46, 1.1, 0.07, 0.021, 0.0, 0.0},
                                                     {0.8, 0.43, 1.1, 0.04, 0.020, 0.0, 0.0},
                                                     {0.9, 0.36, 1.1, 0.03, 0.018, 0.0, 0.0},
                                                     {1.0, 0.0, 1.1, 0.03, 0.012, 0.0, 0.0}}});
  const RotorFlow flow =
      solve_for(propeller, {1.6, 0, 0}, {.angular_velocity = {2.0 * pi, 0, 0}}, false);
  const LiftingEdges& lift = *flow.problem.lift;
  std::vector<std::pair<double, double>> strips;  // radius and circulation
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    const Vec3d& x = lift.sources.point[s];
    strips.emplace_back(std::hypot(x.y, x.z), flow.solution.sheets[s]);
  }
  std::sort(strips.rbegin(), strips.rend());
  ASSERT_EQ(strips.size(), 16u * blades);
  const double most = std::max_element(strips.begin(), strips.end(), [](auto& a, auto& b) {
                        return a.second < b.second;
                      })->second;
  for (std::size_t s = 0; s < strips.size(); ++s)
    EXPECT_NEAR(strips[s].second, strips[s - s % blades].second, 1e-4 * most);
  EXPECT_LT(strips[0].second, strips[blades].second / std::sqrt(3.0));
}

// Blades of least loss leave a wake that moves like a rigid screw, at the velocity w along the axis
// [Betz]: with the pitch angle a of the screw, the fluid beside it has w cos^2 a along the axis and
// w cos a sin a about it. The circulation of one of N blades is w P/N cos^2 a times Prandtl's
// factor for the tip, which for such a pitch is that of Goldstein within some 2 %. The wake is five
// radii long on both sides of its middle: a cylinder of vortices lacks 1 - 5/sqrt(26), 2 %, of its
// velocity there. The circulation falls to zero towards the axis, so that blades begin close to it:
// a vortex at their roots would have an infinite velocity there.
TEST(Rotor, BladesOfLeastLossHaveTheVelocityOfTheirScrew) {
  const int blades = 4;
  const double speed = 0.15, w = 0.02, root = 0.02;
  meshes::SurfaceMesh rotor;
  for (int b = 0; b < blades; ++b) {
    const double turn = 2.0 * pi * b / blades, c = std::cos(turn), s = std::sin(turn),
                 lean = pi / 9.0;
    meshes::SurfaceMesh blade =
        meshes::make_wing({8, 24}, meshes::naca_section("0012"),
                          {.span = 1.0 - root, .root_chord = 0.008, .tip_chord = 0.008});
    for (Vec3d& x : blade.nodes) {
      const double y = 0.5 * (1.0 + root) + x.y, aft = x.x - 0.008,
                   across = std::cos(lean) * aft - std::sin(lean) * x.z;
      x = {c * across - s * y, s * across + c * y, std::sin(lean) * aft + std::cos(lean) * x.z};
    }
    rotor = b == 0 ? blade : testing::joined(rotor, blade);
  }
  FlowProblem problem = problem_of(rotor, {0, 0, speed}, {.angular_velocity = {0, 0, 1.0}});
  const LiftingEdges& lift = *problem.lift;
  Solution solution;
  solution.charge.assign(lift.sources.panels.size(), 0.0);
  solution.doublet.assign(lift.sources.panels.size(), 0.0);
  double thrust = 0.0, swirl = 0.0, moment = 0.0, along = 0.0;
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    const double r = norm(cross(Vec3d{0, 0, 1}, lift.sources.point[s])), tangent = speed / r,
                 cosine2 = 1.0 / (1.0 + tangent * tangent),
                 prandtl =
                     2.0 / pi *
                     std::acos(std::exp(-0.5 * blades * (1.0 - r) * std::hypot(1.0, 1.0 / speed))),
                 m = w * 2.0 * pi * speed / blades * cosine2 * prandtl;
    const auto [left, right] = lift.sides(s);
    const double dr =
        norm(lift.wakes.at(right).points.front() - lift.wakes.at(left).points.front());
    solution.sheets.push_back(m);
    thrust += m * r * dr;
    swirl += m * w * cosine2 * tangent * dr;
    moment += m * r * dr;
    along += m * w * cosine2 * r * dr;
  }
  for (std::size_t j = 0; j < lift.sources.of_sheet.size(); ++j)
    solution.doublet[lift.sources.boundary + j] =
        solution.sheets[static_cast<std::size_t>(lift.sources.of_sheet[j])];
  const RotorLoads loads = far_rotor_loads(problem, solution, {}, *make_cpu_backend());
  EXPECT_NEAR(2.0 * (thrust - loads.thrust) / swirl, 1.0, 0.04);
  EXPECT_NEAR(2.0 * (loads.torque - speed * moment) / along, 1.0, 0.04);
}

TEST(Rotor, WakesNeedASteadyFlow) {
  FlowProblem problem;
  problem.panels = make_panels(two_blades(1.0), PanelGeometry::flat);
  problem.stream = {0.1, 0.0, 1.0};
  problem.lift = std::make_shared<LiftingEdges>(lifting_edges(problem.panels, {1, 0, 0}));
  problem.motions = {{.angular_velocity = {0, 0, 1.0}}};
  problem.motion.assign(problem.panels.size(), 0);
  problem.normal_velocity.assign(problem.panels.size(), 0.0);
  EXPECT_THROW(solve(problem, FlowOptions{}, *make_cpu_backend()), InputError);
}

}  // namespace
}  // namespace rankine::bem
