// Goethert's rule: the linear flow of a gas from that past a stretched body.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cases/input/read_case.hpp"
#include "cases/solve/set_up.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

Case read_flow(const std::string& problem, const std::string& more = "") {
  const TemporaryFolder folder;
  return read_case(folder.write(
      "case.toml",
      "version = 1\n[mesh]\nshape = \"ellipsoid\"\npanels = 320\n[problem]\n" + problem + more));
}

std::string refusal_of_flow(const std::string& problem, const std::string& more = "") {
  return answer_of<Error>([&] { read_flow(problem, more); });
}

constexpr double mach = 0.6, beta = 0.8;
const Vec3d semi_axes{1.0, 0.8, 0.2};

/// The flow in the gas past the ellipsoid, in the stream (2, 0, 0).
struct Gas {
  bem::FlowProblem body;
  bem::EquivalentFlow equivalent;
  bem::Solution stretched, solution;

  explicit Gas(std::int64_t panels)
      : body(of(panels)), equivalent(*make_equivalent(flow_case(), mesh(panels), body)) {
    bem::FlowOptions options;
    options.gmres.tolerance = 1e-8;
    stretched = bem::solve(equivalent.problem, options, *bem::make_cpu_backend());
    solution = equivalent.rule.physical(body.panels, stretched);
  }

  static meshes::SurfaceMesh mesh(std::int64_t panels) {
    return meshes::make_ellipsoid(panels, semi_axes);
  }
  static Case flow_case() {
    return read_flow("velocity = [2.0, 0.0, 0.0]\ndensity = 1.2\nmach = 0.6\n");
  }
  static bem::FlowProblem of(std::int64_t panels) {
    return make_problem(flow_case(), mesh(panels));
  }
};

/// Against Lamb's ellipsoid, stretched here by hand.
TEST(Mach, FlowPastAnEllipsoidIsThatOfItsExactEquivalent) {
  const Gas gas(5120);
  const bem::EllipsoidFlow exact({1.0, beta * 0.8, beta * 0.2}, {2, 0, 0});
  const bem::Panels& panels = gas.body.panels;
  std::vector<Vec3d> velocity;
  double most = 0.0;
  for (const Vec3d& x : panels.centroid) {
    const Vec3d u = exact.on_surface({x.x, beta * x.y, beta * x.z}).velocity;
    velocity.push_back({2.0 + (u.x - 2.0) / (beta * beta), u.y / beta, u.z / beta});
    most = std::max(most, velocity.back().x);
  }
  const auto error = bem::relative_error(panels.area, gas.solution.velocity, velocity);
  EXPECT_LT(error.l2, 2e-3);  // of the same mesh without a Mach number: 1e-3
  EXPECT_NEAR(most, 2.0 * (1.0 + exact.added_mass().x / (beta * beta)), 1e-3);
  EXPECT_GT(most, 2.0 * (1.0 + 1.1 * bem::EllipsoidFlow(semi_axes, {2, 0, 0}).added_mass().x));
}

/// What the rule stands for: the equation, the wall, the pressure that goes with both, and no drag.
TEST(Mach, SolvesTheLinearEquationAndItsConditionOnTheWall) {
  const Gas gas(5120);
  const bem::Panels& panels = gas.body.panels;
  double through = 0.0, area = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d u = gas.solution.velocity[i] - Vec3d{2, 0, 0}, x = panels.centroid[i];
    const Vec3d n = normalized(Vec3d{x.x, x.y / 0.64, x.z / 0.04});
    through += panels.area[i] * std::abs((2.0 + beta * beta * u.x) * n.x + u.y * n.y + u.z * n.z);
    area += panels.area[i];
    EXPECT_NEAR(gas.solution.pressure[i],
                -0.6 * (4.0 * u.x + beta * beta * u.x * u.x + u.y * u.y + u.z * u.z), 1e-10);
  }
  EXPECT_LT(through / (2.0 * area), 3e-3);
  const bem::Loads loads = bem::pressure_loads(bem::fit_surface(gas.body, gas.solution));
  EXPECT_LT(norm(loads.force) / (2.4 * area), 1e-4);

  // div (b^2 u, v, w) = 0 by differences, in the field above the body.
  const double h = 0.02;
  std::vector<Vec3d> points, stretched;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-h, h}) {
      Vec3d x{0.5, 0.3, 0.6};
      x[axis] += side;
      stretched.push_back({x.x, beta * x.y, beta * x.z});
    }
  }
  const auto backend = bem::make_cpu_backend();
  const bem::Field field = gas.equivalent.rule.physical(
      {2, 0, 0}, bem::evaluate_field(gas.equivalent.problem, gas.stretched, stretched,
                                     {.fmm = {.tolerance = 1e-9}, .quadrature = {}}, *backend));
  const auto slope = [&](std::size_t axis) {
    const Vec3d change = field.velocity[2 * axis + 1] - field.velocity[2 * axis];
    return change[static_cast<int>(axis)] / (2.0 * h);
  };
  const double sum = beta * beta * slope(0) + slope(1) + slope(2);
  EXPECT_LT(std::abs(sum), 5e-3 * std::abs(slope(2)));
  EXPECT_GT(std::abs(slope(0)), 0.05 * std::abs(slope(2)));  // the sum without b^2 would not vanish
}

/// The ground is moved with the body: at -0.5 below it, and at -0.4 in the stretched space.
TEST(Mach, StretchesTheDistanceFromAPlane) {
  const auto solved = [](const Vec3d& axes, double ground, const std::string& more) {
    const Case flow_case = read_flow(
        "velocity = [2.0, 0.0, 0.0]\nsymmetry = [\"z\"]\n"
        "symmetry_origin = [0.0, 0.0, " +
        std::to_string(ground) + "]\n" + more);
    const meshes::SurfaceMesh mesh = meshes::make_ellipsoid(320, axes);
    const bem::FlowProblem body = make_problem(flow_case, mesh);
    const auto equivalent = make_equivalent(flow_case, mesh, body);
    bem::FlowOptions options;
    options.gmres.tolerance = 1e-9;
    options.fmm.tolerance = 1e-10;
    return bem::solve(equivalent ? equivalent->problem : body, options, *bem::make_cpu_backend())
        .phi;
  };
  const std::vector<double> stretched = solved(semi_axes, -0.5, "mach = 0.6\n"),
                            by_hand = solved({1.0, 0.64, 0.16}, -0.4, "");
  ASSERT_EQ(stretched.size(), by_hand.size());
  for (std::size_t i = 0; i < by_hand.size(); ++i) EXPECT_NEAR(stretched[i], by_hand[i], 1e-6);
}

TEST(Mach, IsCriticalWhereTheFlowIsSonic) {
  EXPECT_NEAR(bem::sonic_pressure_coefficient(1.0), 0.0, 1e-15);
  EXPECT_NEAR(bem::sonic_pressure_coefficient(0.5), -2.1327, 1e-3);  // tables of isentropic flow
  const double critical = bem::critical_mach(0.3, -0.43);
  EXPECT_NEAR(-0.43 * std::sqrt(1.0 - 0.09) / std::sqrt(1.0 - critical * critical),
              bem::sonic_pressure_coefficient(critical), 1e-9);
  EXPECT_NEAR(critical, 0.74, 0.01);  // of NACA 0012 without incidence, whose least Cp this is
  EXPECT_EQ(bem::critical_mach(0.3, 0.1), 1.0);
}

TEST(Mach, BelongsToWallsAtRestInASubsonicStream) {
  EXPECT_EQ(read_flow("mach = 0.5\n").problem.mach, 0.5);
  EXPECT_TRUE(says(refusal_of_flow("mach = 1.0\n"), "subsonic"));
  EXPECT_TRUE(says(refusal_of_flow("mach = 1.5\n"), "between 0 and 1"));
  EXPECT_TRUE(says(refusal_of_flow("mach = -0.1\n"), "between 0 and 1"));
  EXPECT_TRUE(says(refusal_of_flow("mach = 0.5\nadded_mass = true\n"), "without added_mass"));
  EXPECT_TRUE(says(refusal_of_flow("mach = 0.5\n",
                                   "[[boundary]]\npatch = \"*\"\ntype = \"normal-velocity\"\n"
                                   "value = 1.0\n"),
                   "walls at rest"));
  EXPECT_TRUE(says(refusal_of_flow("mach = 0.5\n",
                                   "[[problem.source]]\nposition = [0.0, 0.0, 3.0]\nvalue = 1.0\n"),
                   "[[problem.source]]"));
  EXPECT_TRUE(says(refusal_of_flow("mach = 0.5\n", "[verify]\nexact = \"ellipsoid-flow\"\n"),
                   "incompressible"));
  EXPECT_THROW(bem::GoethertRule({1, 0, 0}, 1.0), InputError);
  EXPECT_THROW(bem::GoethertRule({}, 0.5), InputError);
}

}  // namespace
}  // namespace rankine::cases
