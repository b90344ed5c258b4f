// From a case and a solution to what is written: options, probes, values at nodes, loads, verdicts.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases/output/summary.hpp"
#include "cases/solve/added_mass_files.hpp"
#include "cases/solve/probes.hpp"
#include "cases/solve/report.hpp"
#include "cases/solve/set_up.hpp"
#include "cases/solve/summarize.hpp"
#include "cases/solve/surface.hpp"
#include "cases/verification/compare.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::cases {
namespace {

using testing::says;

/// A body with a solution that is made up: potential and pressure are given functions.
struct MadeUp {
  meshes::SurfaceMesh mesh;
  bem::FlowProblem problem;
  bem::Solution solution;

  template <class Potential, class Pressure>
  MadeUp(meshes::SurfaceMesh body, const Vec3d& stream, Potential potential, Pressure pressure)
      : mesh(std::move(body)) {
    problem.panels = bem::make_panels(mesh, bem::PanelGeometry::flat);
    problem.stream = solution.stream = stream;
    for (const Vec3d& x : problem.panels.centroid) {
      solution.phi.push_back(potential(x));
      solution.pressure.push_back(pressure(x));
      solution.velocity.push_back(stream);
    }
    solution.gmres.status = bem::GmresStatus::converged;
  }
};

TEST(MakeOptions, HandsEveryKeyOn) {
  Case flow_case;
  flow_case.solver.formulation = bem::Formulation::source;
  flow_case.solver.tolerance = 3e-5;
  flow_case.solver.max_iterations = 17;
  flow_case.solver.restart = 7;
  flow_case.solver.relaxation = true;
  flow_case.solver.precision = SolverPrecision::mixed;
  flow_case.fmm.method = fmm::Method::treecode;
  flow_case.fmm.tolerance = 4e-6;
  flow_case.fmm.order = 9;
  flow_case.fmm.leaf_capacity = 33;
  flow_case.fmm.precision = fmm::Precision::float32;
  const bem::FlowOptions options = make_options(flow_case, {});
  EXPECT_EQ(options.formulation, bem::Formulation::source);
  EXPECT_EQ(options.gmres.tolerance, 3e-5);
  EXPECT_EQ(options.gmres.max_iterations, 17);
  EXPECT_EQ(options.gmres.restart, 7);
  EXPECT_EQ(options.relaxation, bem::Relaxation::on);
  EXPECT_TRUE(options.mixed_precision);
  EXPECT_EQ(options.fmm.method, fmm::Method::treecode);
  EXPECT_EQ(options.fmm.tolerance, 4e-6);
  EXPECT_EQ(options.fmm.order, 9);
  EXPECT_EQ(options.fmm.leaf_capacity, 33);
  EXPECT_EQ(options.fmm.precision, fmm::Precision::float32);
}

/// A solution whose far field was raised once and still errs.
bem::Solution raised_once() {
  bem::Solution solution;
  solution.fmm.order = 18;
  solution.fmm.tolerance = 5e-8;
  solution.fmm_sampled_error = 3e-6;
  solution.accuracy = {.asked = 1e-6,
                       .tolerance = 5e-8,
                       .samples = 64,
                       .errors = {2e-7, 0.0, 3e-6, 0.0},
                       .refinements = {{.vector = bem::SolveVector::krylov_vector,
                                        .error = 4.4e-6,
                                        .order_before = 16,
                                        .order = 18}},
                       .limit = bem::RefinementLimit::no_gain};
  return solution;
}

/// What the log says of `solution`.
std::string described(const bem::Solution& solution, Log& log, std::FILE* file) {
  const auto backend = bem::make_cpu_backend();
  describe_solution(solution, *backend, log);
  std::rewind(file);
  std::string text(4000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

TEST(Report, TellsHowTheFarFieldWasRaised) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  Log log(Log::Level::normal, file.get());
  const std::string text = described(raised_once(), log, file.get());
  EXPECT_TRUE(says(text, "error 3.0e-06 sampled, 1.0e-06 asked"));
  EXPECT_TRUE(says(
      text, "raised     order 16 to 18: error 4.4e-06 of the first Krylov vector, 1.0e-06 asked"));
  ASSERT_EQ(log.warnings().size(), 1u);
  EXPECT_EQ(log.warnings()[0].find("the sums of the far field err by 3.0e-06 on the solution, "
                                   "where fmm.tolerance asks for 1.0e-06: a higher order"),
            0u)
      << log.warnings()[0];
}

TEST(Report, WarnsOfNothingThatIsKept) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  Log log(Log::Level::normal, file.get());
  bem::Solution solution = raised_once();
  solution.accuracy.errors = {2e-7, 1.09e-6, 1e-6, 0.0};
  described(solution, log, file.get());
  EXPECT_TRUE(log.warnings().empty());
}

TEST(Summary, HoldsWhatWasAskedOfTheFarFieldAndWhatWasFound) {
  const Json fmm = far_field_json(raised_once(), "cpu");
  EXPECT_EQ(fmm["tolerance"], 1e-6);
  EXPECT_EQ(fmm["tolerance_used"], 5e-8);
  EXPECT_EQ(fmm["raised"], 1);
  EXPECT_EQ(fmm["samples"], 64);
  EXPECT_EQ(fmm["sampled_error"], 3e-6);
  EXPECT_EQ(fmm["sampled_errors"], Json({{"right-hand side", 2e-7}, {"solution", 3e-6}}));
}

// A grid has points on both its ends, x fastest as VTK wants it; a line begins and ends where
// asked.
TEST(Probes, ReachFromEndToEnd) {
  ProbeInput plane;
  plane.kind = ProbeKind::plane;
  plane.origin = {-1.0, 2.0, 0.5};
  plane.size = {4.0, 0.0, 1.0};
  plane.cells = {4, 1, 2};
  const std::vector<Vec3d> grid = probe_points(plane);
  ASSERT_EQ(grid.size(), 5u * 1u * 3u);
  EXPECT_EQ(grid.front(), (Vec3d{-1.0, 2.0, 0.5}));
  EXPECT_EQ(grid[1], (Vec3d{0.0, 2.0, 0.5}));
  EXPECT_EQ(grid.back(), (Vec3d{3.0, 2.0, 1.5}));

  ProbeInput line;
  line.kind = ProbeKind::line;
  line.from = {0.0, 1.0, 2.0};
  line.to = {8.0, 5.0, -2.0};
  line.count = 5;
  const std::vector<Vec3d> points = probe_points(line);
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[0], line.from);
  EXPECT_EQ(points[1], (Vec3d{2.0, 2.0, 1.0}));
  EXPECT_EQ(points[4], line.to);
}

// All probes go through one evaluation and come out apart.
TEST(Probes, TogetherAreThoseOfEachAlone) {
  bem::FlowProblem problem;
  problem.panels = bem::make_panels(meshes::make_sphere(80));
  problem.stream = {1.0, 0.0, 0.0};
  const auto backend = bem::make_cpu_backend();
  const bem::FlowOptions options;
  const bem::Solution solution = bem::solve(problem, options, *backend);
  ProbeInput few, line;
  few.kind = ProbeKind::points;
  few.points = {{0.0, 0.0, 2.0}, {0.0, 0.0, 0.0}};
  line.kind = ProbeKind::line;
  line.from = {2.0, 0.0, 0.0};
  line.to = {4.0, 1.0, 0.0};
  line.count = 4;
  bem::FieldEvaluator field(problem, solution, {.fmm = options.fmm, .quadrature = {}}, *backend);
  const FieldsAt at = [&](std::span<const Vec3d> points) {
    return point_values(problem, solution.stream, field.at(points)).fields;
  };
  const auto together = evaluate_probes({few, line}, at);
  ASSERT_EQ(together.size(), 2u);
  const meshes::Field& hidden = together[0].fields.point.rbegin()[1];
  EXPECT_EQ(hidden.name, "vtkGhostType");
  EXPECT_EQ(hidden.values, (std::vector<double>{0.0, 2.0}));  // VTK's HIDDENPOINT
  EXPECT_EQ(together[0].fields.point.back().name, "inside");
  EXPECT_EQ(together[0].fields.point.back().values, (std::vector<double>{0.0, 1.0}));
  for (const ProbeResult& each : together) {
    EXPECT_EQ(each.points, probe_points(each.probe));
    const auto alone = evaluate_probes({each.probe}, at);
    ASSERT_EQ(alone[0].fields.point.size(), 5u);
    // The sums of the two evaluations may be taken in other orders, to fmm.tolerance.
    for (std::size_t k = 0; k < 4; ++k) {
      const std::vector<double>&one = each.fields.point[k].values,
            &other = alone[0].fields.point[k].values;
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-5);
    }
  }
}

// Two triangles of areas 1 and 3 on the edge 0-2, and a node of none. Node 0 lies on a plane of
// zero potential, where values that change sign have the mean 0.
TEST(AverageToNodes, WeighsWithAreasAndAddsImages) {
  meshes::SurfaceMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {1, -3, 0}, {1, 0, 0}};
  mesh.elements = {{0, 1, 2, -1}, {0, 2, 3, -1}};
  mesh.patch = {0, 0};
  const bem::Panels panels =
      bem::make_panels(mesh, bem::PanelGeometry::flat, meshes::Symmetry({{0, 0.0, -1.0}}));
  const bem::PanelNeighbourhood around(panels);
  const std::vector<double> values = {10.0, 1.0, 20.0, 5.0};
  EXPECT_EQ(average_to_nodes(around, 5, values, 2, false),
            (std::vector<double>{17.5, 4.0, 10.0, 1.0, 17.5, 4.0, 20.0, 5.0, 0.0, 0.0}));
  EXPECT_EQ(average_to_nodes(around, 5, values, 2, true),
            (std::vector<double>{0.0, 0.0, 10.0, 1.0, 17.5, 4.0, 20.0, 5.0, 0.0, 0.0}));
}

// M about c is M about the origin minus c x F. The pressure presses on one side of a box.
TEST(Summarize, TakesTheMomentAboutTheCentreOfTheCase) {
  const MadeUp flow(
      meshes::make_box(48, {1.0, 2.0, 3.0}, {0.5, 1.0, 1.5}, meshes::PanelKind::triangles),
      {1.0, 0.0, 0.0}, [](const Vec3d&) { return 0.0; },
      [](const Vec3d& x) { return x.x < 1e-9 ? 1.0 : 0.0; });
  const LoadedMesh loaded{flow.mesh, meshes::check_mesh(flow.mesh)};
  Case flow_case;
  const auto at = [&](const Vec3d& centre) {
    flow_case.problem.moment_centre = centre;
    return find_loads(flow_case, loaded, flow.problem,
                      bem::fit_surface(flow.problem, flow.solution));
  };
  const SurfaceLoads origin = at({});
  const Vec3d centre{0.3, -0.7, 2.0};
  // Unit pressure on the 2 m x 3 m wall at x = 0 pushes along +x, at its middle (0, 1, 1.5).
  EXPECT_NEAR(norm(origin.force - Vec3d{6.0, 0.0, 0.0}), 0.0, 1e-13);
  EXPECT_NEAR(norm(origin.moment - cross(Vec3d{0.0, 1.0, 1.5}, origin.force)), 0.0, 1e-13);
  EXPECT_NEAR(norm(at(centre).moment - (origin.moment - cross(centre, origin.force))), 0.0, 1e-13);
}

// The potential of added-mass velocity e_i k_i U_i is a linear one, by the divergence theorem: a
// wrong factor on one axis is that axis' error. The fit of a linear function over a curved surface
// leaves less than 1e-3.
TEST(CompareWithExact, TakesTheWorstComponentOfTheAddedMass) {
  const Vec3d axes{3.0, 2.0, 1.0}, stream{1.0, 2.0, -1.0};
  const Vec3d k = bem::EllipsoidFlow(axes, stream, {}).added_mass();
  VerifyInput verify;
  verify.exact = ExactFlow::ellipsoid;
  verify.semi_axes = axes;
  for (int wrong = 0; wrong < 3; ++wrong) {
    Vec3d slope{k.x * stream.x, k.y * stream.y, k.z * stream.z};
    slope[wrong] *= 1.25;
    const MadeUp flow(
        meshes::make_ellipsoid(5120, axes), stream, [&](const Vec3d& x) { return dot(slope, x); },
        [](const Vec3d&) { return 0.0; });
    const auto result = compare_with_exact(verify, flow.problem, flow.solution,
                                           bem::fit_surface(flow.problem, flow.solution));
    ASSERT_TRUE(result && result->added_mass);
    EXPECT_NEAR(*result->added_mass, 0.25, 1e-3) << "axis " << wrong;
  }
}

// A body and its image in a wall move along it and turn about its normal; under phi = 0 the others.
TEST(AddedMassOfHalfModels, NamesTheModesThatThePlanesForbid) {
  EXPECT_FALSE(warning_of_modes({}));
  const auto warning = [](const meshes::SymmetryPlane& plane) {
    ProblemInput problem;
    problem.symmetry = meshes::Symmetry({plane});
    return warning_of_modes(problem).value_or("");
  };
  EXPECT_TRUE(says(warning({1, 0.0, 1.0}), "modes y, rx, rz of"));
  EXPECT_TRUE(says(warning({2, 0.0, -1.0}), "modes x, y, rz of"));
}

TEST(CompareWithExact, HoldsLimitsAlsoAgainstWhatIsNoNumber) {
  VerifyInput verify;
  verify.exact = ExactFlow::sphere;
  const auto verdict = [&](double potential) {
    const MadeUp flow(
        meshes::make_sphere(80), {1.0, 0.0, 0.0},
        [&](const Vec3d& x) { return potential * 0.5 * x.x; }, [](const Vec3d&) { return 0.0; });
    return compare_with_exact(verify, flow.problem, flow.solution,
                              bem::fit_surface(flow.problem, flow.solution));
  };
  verify.potential_l2 = 0.5;
  EXPECT_TRUE(verdict(1.0)->pass());
  EXPECT_FALSE(verdict(2.0)->pass());
  EXPECT_FALSE(verdict(std::numeric_limits<double>::quiet_NaN())->pass());
}

}  // namespace
}  // namespace rankine::cases
