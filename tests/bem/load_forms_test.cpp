// Loads on lifting bodies as quadratic forms of their motion.
#include "rankine/bem/flow/load_forms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/lift/lift_loads.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/lifting_flow.hpp"
#include "tests/support/symmetric_bodies.hpp"

namespace rankine::bem {
namespace {

meshes::SurfaceMesh wing(const std::string& section = "0012",
                         meshes::WingTip tip = meshes::WingTip::round) {
  return meshes::make_wing({32, 16}, meshes::naca_section(section), {.span = 4.0, .tip = tip});
}

FlowProblem flow_about(const meshes::SurfaceMesh& mesh, const meshes::Symmetry& symmetry = {}) {
  FlowProblem problem =
      testing::lifting_flow(make_panels(mesh, PanelGeometry::flat, symmetry), {1, 0, 0});
  problem.density = 1.2;
  return problem;
}

LoadForms forms_of(const FlowProblem& problem, const Vec3d& centre = {},
                   const std::vector<std::vector<double>>& controls = {}) {
  FlowOptions options;
  options.gmres.tolerance = 1e-9;
  options.fmm.tolerance = 1e-10;
  LoadForms forms = load_forms(problem, centre, options, *make_cpu_backend(), nullptr, controls);
  EXPECT_TRUE(forms.converged());
  return forms;
}

Vec3d at(const std::array<QuadraticForm, 3>& forms, const MotionVector& motion) {
  return {forms[0](motion), forms[1](motion), forms[2](motion)};
}

/// Fits at tips limit slopes, so that the velocity there is not linear in the potential.
constexpr double limited = 5e-4;

/// A stream is a motion against it: one solve at another angle, through walls that are not tight,
/// and the forms of six motions and of a velocity through the walls.
TEST(LoadForms, GiveTheLoadsOfAnyStream) {
  FlowProblem problem = flow_about(wing());
  const Vec3d centre{0.3, 0.1, -0.2};
  std::vector<double> through;
  for (const Vec3d& x : problem.panels.centroid) through.push_back(0.4 + 0.3 * x.y);
  const LoadForms forms = forms_of(problem, centre, {through});
  problem.stream = {1.9, -0.3, 0.4};
  problem.normal_velocity = through;
  FlowOptions options;
  options.gmres.tolerance = 1e-9;
  options.fmm.tolerance = 1e-10;
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, options, *backend);
  const Loads near = pressure_loads(fit_surface(problem, solution), centre);
  const TrefftzLoads far =
      trefftz_loads(problem.panels, *problem.lift, solution.sheets, problem.stream, 1.2);
  const MotionVector motion{-1.9, 0.3, -0.4, 0.0, 0.0, 0.0, 1.0};
  const double scale = norm(near.force);
  EXPECT_LT(norm(at(forms.force, motion) - near.force), limited * scale);
  EXPECT_LT(norm(at(forms.moment, motion) - near.moment), limited * scale);
  EXPECT_LT(norm(at(forms.far_force, motion) - far.force), 1e-7 * scale);
  EXPECT_NEAR(forms.induced_drag(motion), far.induced_drag, 1e-7 * scale);
}

/// Omega about c is Omega about c' and V = Omega x (c' - c).
TEST(LoadForms, OfTheSameTurnAreTheSameAboutAnyCentre) {
  const FlowProblem problem = flow_about(wing());
  const Vec3d first{0, 0, 0}, second{1.0, -2.0, 0.5}, turn{0.1, -0.2, 0.15};
  const Vec3d moved = Vec3d{-1, 0, -0.1} + cross(turn, second - first);
  const LoadForms a = forms_of(problem, first), b = forms_of(problem, second);
  const MotionVector about_first{-1, 0, -0.1, turn.x, turn.y, turn.z},
      about_second{moved.x, moved.y, moved.z, turn.x, turn.y, turn.z};
  const Vec3d force = at(a.force, about_first);
  EXPECT_NEAR(b.induced_drag(about_second), a.induced_drag(about_first), 1e-7 * norm(force));
  EXPECT_LT(norm(at(b.force, about_second) - force), limited * norm(force));
  EXPECT_LT(
      norm(at(b.moment, about_second) + cross(second - first, force) - at(a.moment, about_first)),
      limited * norm(force));
}

/// A thin wing that rolls has the angles of attack of one that is twisted by -p y / V.
TEST(LoadForms, OfARollingWingAreThoseOfATwistedOne) {
  constexpr double p = 0.01;  // rad/s; the tips are turned by a degree
  meshes::SurfaceMesh twisted = wing("0004", meshes::WingTip::flat);
  const LoadForms rolling = forms_of(flow_about(twisted));
  for (Vec3d& x : twisted.nodes) {
    const double angle = -p * x.y, c = std::cos(angle), s = std::sin(angle), aft = x.x - 0.25;
    x = {0.25 + c * aft + s * x.z, x.y, -s * aft + c * x.z};
  }
  const double of_roll = rolling.moment[0]({-1, 0, 0, p, 0, 0}),
               of_twist = forms_of(flow_about(twisted)).moment[0]({-1, 0, 0, 0, 0, 0});
  EXPECT_LT(of_roll, 0.0);  // the side that goes up is pressed down
  EXPECT_NEAR(of_roll / of_twist, 1.0, 0.03);
}

TEST(LoadForms, OfHalfAWingAreHalvesOfTheSymmetricOnes) {
  const meshes::Symmetry plane({{.axis = 1, .place = 0.0, .sign = 1.0}});
  meshes::SurfaceMesh half = testing::positive_part(wing(), {1});
  meshes::meet_planes(half, plane);
  const LoadForms of_half = forms_of(flow_about(half, plane)), whole = forms_of(flow_about(wing()));
  EXPECT_EQ(of_half.allowed, (std::vector{true, false, true, false, true, false}));
  const MotionVector motion{-1, 0, -0.1, 0, 0.05, 0};
  EXPECT_NEAR(2.0 * of_half.force[2](motion) / whole.force[2](motion), 1.0, 2e-3);
  EXPECT_NEAR(2.0 * of_half.moment[1](motion) / whole.moment[1](motion), 1.0, 5e-3);
}

TEST(LoadForms, RefuseWhatIsNoMotionOfTheBody) {
  FlowProblem problem = flow_about(wing());
  problem.normal_velocity.assign(problem.panels.size(), 0.1);
  const auto backend = make_cpu_backend();
  EXPECT_THROW(load_forms(problem, {}, FlowOptions{}, *backend), InputError);
  problem.normal_velocity.clear();
  problem.lift = nullptr;
  EXPECT_THROW(load_forms(problem, {}, FlowOptions{}, *backend), InputError);
}

}  // namespace
}  // namespace rankine::bem
