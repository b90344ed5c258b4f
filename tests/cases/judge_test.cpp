// Solutions that cannot be right say so; the exact one has nothing to be said about.
#include "cases/solve/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/verification/compare.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::cases {
namespace {

using testing::says;

/// The exact flow past the unit sphere at the panels' points.
struct SphereFlow {
  meshes::SurfaceMesh mesh = meshes::make_sphere(1280);
  bem::FlowProblem problem{.panels = bem::make_panels(mesh), .stream = {2.0, 0.0, 0.0}};
  bem::Solution solution;
  std::optional<Vec3d> force{};  ///< in place of that of the pressure

  SphereFlow() {
    solution.stream = problem.stream;
    for (const Vec3d& normal : problem.panels.normal) {
      const Vec3d tangential = problem.stream - dot(problem.stream, normal) * normal;
      solution.velocity.push_back(1.5 * tangential);
      solution.charge.push_back(dot(problem.stream, normal));
    }
    set_pressure();
  }
  void set_pressure() {
    solution.pressure.clear();
    for (const Vec3d& velocity : solution.velocity)
      solution.pressure.push_back(bem::steady_pressure(1.0, problem.stream, velocity));
  }
  Judgement judgement() const {
    return judge(problem, solution,
                 force.value_or(bem::pressure_loads(bem::fit_surface(problem, solution)).force));
  }
  std::vector<std::string> warnings() const { return warnings_of(judgement(), problem.panels); }
};

TEST(Judge, TheExactFlowHasNoWarning) {
  const SphereFlow flow;
  EXPECT_TRUE(flow.warnings().empty());
  EXPECT_LT(flow.judgement().force, 1e-6);
  EXPECT_LT(flow.judgement().flux, 1e-6);
  EXPECT_LT(flow.judgement().speed_jump, 1.5);
}

TEST(Judge, ForceOverDynamicPressureTimesArea) {
  SphereFlow flow;
  const double scale = 2.0 * bem::total_area(flow.problem.panels);  // the dynamic pressure is 2
  flow.force = Vec3d{0.0, 0.003 * scale, 0.004 * scale};
  EXPECT_NEAR(flow.judgement().force, 0.005, 1e-12);
  EXPECT_TRUE(flow.warnings().empty());
  flow.force = Vec3d{0.0, 0.02 * scale, 0.0};
  ASSERT_EQ(flow.warnings().size(), 1u);
  EXPECT_TRUE(says(flow.warnings()[0], "the total force is 0.02 of dynamic pressure times area"));
}

TEST(Judge, NoDigitIsRightIfTheErrorIsAsLargeAsTheFlow) {
  SphereFlow flow;
  bem::ErrorFigures errors;
  errors.velocity.l2 = 0.99;
  EXPECT_FALSE(is_meaningless(flow.judgement(), errors));
  // Cp that errs by 0.5 sqrt(3) n_y has the mean square 0.5^2 and a force of 1/sqrt(3) as much.
  const double force = 0.5 / std::sqrt(3.0) * 2.0 * bem::total_area(flow.problem.panels);
  flow.force = Vec3d{0.0, 0.99 * force, 0.0};
  EXPECT_NEAR(flow.judgement().pressure_error, 0.495, 1e-3);
  EXPECT_FALSE(is_meaningless(flow.judgement(), errors));
  flow.force = Vec3d{0.0, 1.01 * force, 0.0};
  EXPECT_TRUE(is_meaningless(flow.judgement(), errors));
  errors.velocity.l2 = 1.01;
  EXPECT_TRUE(is_meaningless({}, errors));
}

TEST(Judge, SourcesThatDoNotAddUpToZero) {
  SphereFlow flow;
  for (double& charge : flow.solution.charge) charge += 0.03 * 2.0;
  EXPECT_NEAR(flow.judgement().flux, 0.03, 1e-6);
  ASSERT_EQ(flow.warnings().size(), 1u);
  EXPECT_TRUE(says(flow.warnings()[0], "the sources add up to 0.03 of stream times area"));
}

TEST(Judge, PanelsFarFasterThanTheirNeighbours) {
  SphereFlow flow;
  flow.solution.velocity[640] = Vec3d{0.0, 40.0, 0.0};
  const auto& normals = flow.problem.panels.normal;
  const auto stagnation = std::max_element(
      normals.begin(), normals.end(), [](const Vec3d& a, const Vec3d& b) { return a.x < b.x; });
  flow.solution.velocity[static_cast<std::size_t>(stagnation - normals.begin())] = {0.0, 1.9, 0.0};
  const Judgement judgement = flow.judgement();
  EXPECT_EQ(judgement.fast_panels, std::vector<std::size_t>{640});
  EXPECT_EQ(judgement.fastest, 640u);
  EXPECT_GT(judgement.speed_jump, 10.0);
  ASSERT_EQ(flow.warnings().size(), 1u);
  EXPECT_TRUE(says(flow.warnings()[0], "1 panel is far faster than all around it: element 640;"));
}

/// Cp on the unit sphere is 1 - 9/4 sin^2, so it is below c where |cos| is below
/// sqrt(1 - (1 - c) 4/9): on this share of the surface.
TEST(Judge, SaysOnHowMuchOfTheSurfaceTheFlowIsFasterThanSound) {
  const SphereFlow flow;
  const double mach = 0.7, sonic = bem::sonic_pressure_coefficient(mach),
               share = std::sqrt(1.0 - (1.0 - sonic) / 2.25);
  const auto text = warning_of_sonic_flow(flow.problem, flow.solution, mach);
  ASSERT_TRUE(text.has_value());
  const std::string before = "estimated at 0.625: on ";
  ASSERT_TRUE(says(*text, before)) << *text;
  // The border passes through about 60 of the 1 280 panels; two digits are shown.
  EXPECT_NEAR(std::stod(text->substr(text->find(before) + before.size())), 100.0 * share, 3.0);
  EXPECT_FALSE(warning_of_sonic_flow(flow.problem, flow.solution, 0.3).has_value());
}

TEST(Judge, SaysWhereVelocitiesAreDoubtful) {
  const SphereFlow flow;
  bem::ErrorFigures errors;
  errors.doubtful = 0.031;
  errors.doubtful_panels = 12;
  errors.worst = 7;
  errors.at_worst = 0.42;
  const auto text = warning_of(errors, flow.problem);
  ASSERT_TRUE(text.has_value());
  EXPECT_TRUE(says(*text, "more than 10 % of the stream on 3.1 % of the surface (12 panels)"));
  EXPECT_TRUE(says(*text, "at worst by 42 %, element 7 at"));
  errors.doubtful_panels = 0;
  EXPECT_FALSE(warning_of(errors, flow.problem).has_value());
}

TEST(Judge, NothingToCompareWithWithoutAStream) {
  SphereFlow flow;
  flow.solution.stream = {};
  EXPECT_TRUE(flow.warnings().empty());
  SphereFlow moving;
  moving.problem.normal_velocity.assign(moving.mesh.elements.size(), 1.0);
  moving.solution.velocity[640] = Vec3d{0.0, 40.0, 0.0};
  EXPECT_TRUE(moving.warnings().empty());
}

/// A double wedge of 18 degrees from x = -1 to x = 1, two panels wide, and velocities along its
/// rear.
struct Wedge {
  bem::FlowProblem problem;
  bem::Solution solution;

  Wedge(double above, double below) {
    meshes::SurfaceMesh mesh;
    for (const double y : {0.0, 1.0, 2.0}) {
      mesh.nodes.insert(mesh.nodes.end(),
                        {{-1.0, y, 0.0}, {0.0, y, 0.16}, {1.0, y, 0.0}, {0.0, y, -0.16}});
    }
    for (const std::int32_t row : {0, 4}) {
      for (std::int32_t k = 0; k < 4; ++k) {
        const std::int32_t next = (k + 1) % 4;
        mesh.elements.push_back({row + k, row + next, row + 4 + next, row + 4 + k});
        const double along = k == 1 ? above : k == 2 ? below : 1.0;
        solution.velocity.push_back({along, 0.0, 0.0});
      }
    }
    mesh.patch.assign(mesh.elements.size(), 0);
    mesh.patch_names = {"body"};
    problem.panels = bem::make_panels(mesh, bem::PanelGeometry::flat);
    solution.stream = {1.0, 0.0, 0.1};
  }
  bool warns() const { return warning_of_trailing_edges(problem, solution).has_value(); }
};

TEST(Judge, FlowAroundATrailingEdgeHasNoWake) {
  EXPECT_FALSE(Wedge(1.0, 1.0).warns());
  EXPECT_TRUE(Wedge(-0.5, 0.5).warns());
  EXPECT_TRUE(Wedge(0.5, -0.5).warns());
  const Wedge around(-0.5, 0.5);
  EXPECT_TRUE(says(*warning_of_trailing_edges(around.problem, around.solution),
                   "a sharp trailing edge near (0.5, 1, "));
  Wedge leading(-0.5, 0.5);  // the same edge, upstream
  leading.solution.stream = {-1.0, 0.0, 0.1};
  EXPECT_FALSE(leading.warns());
  Wedge inside(-0.5, 0.5);
  inside.problem.domain = bem::Domain::interior;
  EXPECT_FALSE(inside.warns());
}

TEST(Judge, VerifyNamesAnotherBody) {
  const meshes::SurfaceMesh sphere = meshes::make_sphere(320);
  VerifyInput verify;
  EXPECT_FALSE(warning_of_body(verify, sphere.nodes).has_value());
  verify.exact = ExactFlow::sphere;
  EXPECT_FALSE(warning_of_body(verify, sphere.nodes).has_value());
  verify.semi_axes = {1.1, 1.1, 1.1};
  EXPECT_TRUE(says(warning_of_body(verify, sphere.nodes).value_or(""), "up to 0.0909 of its size"));
  verify.exact = ExactFlow::ellipsoid;
  verify.semi_axes = {1.0, 1.0, 1.0};
  EXPECT_FALSE(warning_of_body(verify, sphere.nodes).has_value());
  verify.centre = {0.5, 0.0, 0.0};
  EXPECT_TRUE(warning_of_body(verify, sphere.nodes).has_value());
}

/// The iteration at which the watch stops a solver whose residual falls by `factor` each time; 0:
/// never.
int stopped_at(StagnationWatch& watch, double first, double factor, int iterations) {
  double residual = first;
  for (int k = 1; k <= iterations; ++k, residual *= factor) {
    if (watch.add(residual)) return k;
  }
  return 0;
}

TEST(WarningOfFormulation, IsOfSourcesInsideSharpEdgesAlone) {
  using enum bem::Formulation;
  bem::FlowProblem box{.panels = bem::make_panels(meshes::make_box(96, {1.0, 1.0, 1.0})),
                       .domain = bem::Domain::interior};
  const bem::FlowProblem sphere{.panels = bem::make_panels(meshes::make_sphere(320)),
                                .domain = bem::Domain::interior};
  EXPECT_TRUE(
      says(warning_of_formulation(box, source).value_or(""), "use formulation = \"green\""));
  EXPECT_FALSE(warning_of_formulation(box, green));
  EXPECT_FALSE(warning_of_formulation(sphere, source));
  box.domain = bem::Domain::exterior;
  EXPECT_FALSE(warning_of_formulation(box, source));
}

TEST(StagnationWatch, TellsAPlateauFromSlowProgress) {
  StagnationWatch slow, flat;
  EXPECT_EQ(stopped_at(slow, 1.0, 0.996, 200), 0);   // 0.887 in 30 iterations
  EXPECT_EQ(stopped_at(flat, 1.0, 0.997, 200), 31);  // 0.914
  EXPECT_TRUE(flat.stagnated());
  EXPECT_TRUE(says(flat.explanation(), "residual 0.914, after 1 at 30 iterations before"));
}

TEST(StagnationWatch, LooksAtTheLastIterationsOnly) {
  StagnationWatch watch;
  EXPECT_EQ(stopped_at(watch, 1.0, 0.9, 50), 0);
  const int iterations = stopped_at(watch, std::pow(0.9, 50), 0.9999, 100);
  EXPECT_GT(iterations, 20);
  EXPECT_LE(iterations, 31);
}

TEST(StagnationWatch, BeginsAnewWhereTheResidualRises) {
  StagnationWatch watch;
  EXPECT_EQ(stopped_at(watch, 1.0, 0.8, 20), 0);
  EXPECT_EQ(stopped_at(watch, 0.5, 0.9, 30), 0);
  EXPECT_FALSE(watch.stagnated());
}

}  // namespace
}  // namespace rankine::cases
