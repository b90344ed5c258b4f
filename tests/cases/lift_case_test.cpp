// [lift]: what is read and refused, conventions of coefficients, and a whole solve.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <numbers>
#include <string>

#include "cases/input/read_case.hpp"
#include "cases/lift/coefficients.hpp"
#include "cases/lift/controls.hpp"
#include "cases/lift/named_edges.hpp"
#include "cases/lift/wakes.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/solve/set_up.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/wake_loads.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::answer_of;
using testing::TemporaryFolder;

const std::string control =
    "[[control]]\nname = \"flap\"\npatch = \"body\"\nhinge = [[0.7, -1, 0], [0.7, 1, 0]]\n";
const std::string wing =
    "version = 1\n[mesh]\nshape = \"wing\"\nspan = 4.0\npanels = [20, 16]\n[problem]\n";

Case read(const std::string& text) {
  const TemporaryFolder folder;
  return read_case(folder.write("case.toml", wing + text));
}

std::string refusal(const std::string& text) {
  const std::string answer = answer_of<Error>([&] { read(text); });
  return answer.substr(answer.rfind("case.toml"));
}

TEST(Stream, FollowsFromAnglesAndSpeed) {
  const Vec3d u = read("alpha = 30.0\nbeta = 45.0\nspeed = 2.0\n").problem.velocity;
  EXPECT_NEAR(u.x, 2.0 * std::sqrt(0.375), 1e-15);
  EXPECT_NEAR(u.y, -std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(u.z, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(read("speed = 3.0\n").problem.velocity, (Vec3d{3.0, 0.0, 0.0}));
}

TEST(Stream, IsGivenInOneWay) {
  EXPECT_EQ(refusal("alpha = 5.0\nvelocity = [1.0, 0.0, 0.0]\n"),
            "case.toml:7:9: problem.alpha and velocity exclude each other; keep one of the two");
}

TEST(LiftInput, IsAskedForByItsTable) {
  EXPECT_FALSE(read("alpha = 5.0\n").lift.given);
  const Case flow_case = read("alpha = 5.0\n[lift]\nreference = { area = 2.0 }\n");
  EXPECT_TRUE(flow_case.lift.has_wakes());
  EXPECT_EQ(flow_case.lift.reference.area, 2.0);
  EXPECT_FALSE(read("[lift]\nwakes = false\n").lift.has_wakes());
}

TEST(LiftInput, IsWrittenAsItIsRead) {
  const TemporaryFolder folder;
  const Case first = read_case(
      folder.write("case.toml", wing +
                                    "alpha = 5.0\n[lift]\nedges = [\"a\", \"b\"]\ndirection = "
                                    "\"body\"\nderivatives = true\nkutta = \"linear\"\n"
                                    "polars = \"polars.csv\"\nreference = { span = 3.0 }\n" +
                                    control));
  const std::string text = write_case(first, folder.path());
  std::string squeezed = text;  // without the spaces that align
  squeezed.erase(std::unique(squeezed.begin(), squeezed.end(),
                             [](char a, char b) { return a == ' ' && b == ' '; }),
                 squeezed.end());
  for (const char* line :
       {"edges = ['a', 'b']", "direction = 'body'", "derivatives = true", "kutta = 'linear'",
        "polars = 'polars.csv'", "[lift.reference]", "span = 3"})
    EXPECT_TRUE(testing::says(squeezed, line)) << line;
  EXPECT_EQ(write_case(read_case(folder.write("again.toml", text)), folder.path()), text);
}

TEST(LiftInput, RefusesProblemsWithoutWakes) {
  EXPECT_EQ(refusal("added_mass = true\n[lift]\n"),
            "case.toml:8:1: lift.wakes do not go with problem.added_mass; solve for it in a case "
            "of its own");
  EXPECT_NE(refusal("symmetry = [\"-z\"]\nsymmetry_origin = [0.0, 0.0, 2.0]\n[lift]\n"
                    "derivatives = true\n")
                .find("derivatives are those of motions"),
            std::string::npos);
  EXPECT_NE(refusal("[lift]\nkutta = \"pressure\"\nderivatives = true\n").find("leave one out"),
            std::string::npos);
  EXPECT_EQ(refusal("[lift]\n[solver]\nformulation = \"source\"\n"),
            "case.toml:7:1: lift.wakes need solver.formulation = \"green\", which has potentials");
  EXPECT_EQ(refusal("[lift]\n[[boundary]]\ntype = \"motion\"\nvelocity = [1.0, 0.0, 0.0]\n"
                    "patch = \"*\"\n"),
            "case.toml:7:1: lift.wakes are those of bodies at rest that have thickness, in a flow "
            "around them; leave [lift] out, or the other conditions");
}

TEST(LiftInput, RefusesControlSurfacesThatAreNone) {
  for (const std::string& text :
       {control, "mach = 0.3\n[lift]\n" + control, "[lift]\nwakes = false\n" + control,
        "[lift]\n" + control +
            "[[boundary]]\npatch = \"body\"\ntype = \"normal-velocity\"\n"
            "value = 0.1\n"})
    EXPECT_NE(refusal(text).find("needs [lift] with wakes, walls that let no fluid"),
              std::string::npos)
        << text;
  EXPECT_NE(refusal("[lift]\n" + control + control).find("\"flap\" is taken"), std::string::npos);
  const auto other = [](const std::string& from, const std::string& to) {
    std::string text = control;
    return "[lift]\n" + text.replace(text.find(from), from.size(), to);
  };
  EXPECT_NE(refusal(other("0.7, -1, 0", "0.2, 1, 0")).find("not along x"), std::string::npos);
  EXPECT_NE(refusal(other("flap", "q")).find("two letters or more"), std::string::npos);
  const Case far = read(other("[0.7, -1, 0], [0.7", "[1.7, -1, 0], [1.7"));
  const meshes::SurfaceMesh mesh =
      meshes::make_wing({20, 16}, meshes::naca_section("0012"), {.span = 4.0});
  EXPECT_NE(answer_of<InputError>([&] {
              control_velocities(far, mesh, make_problem(far, mesh));
            }).find("has no panel aft of the hinge"),
            std::string::npos);
}

/// The coefficients of a force and a moment about the nose.
LiftResults results_of(const std::string& text, const Vec3d& force, const Vec3d& moment) {
  const Case flow_case =
      read(text + "[lift]\nreference = { area = 2.0, span = 4.0, chord = 0.5 }\n");
  const meshes::SurfaceMesh mesh =
      meshes::make_wing({20, 16}, meshes::naca_section("0012"), {.span = 4.0});
  bem::FlowProblem problem = make_problem(flow_case, mesh);
  Log log(Log::Level::quiet);
  problem.lift = find_wakes(flow_case, mesh, problem, log);
  bem::Solution solution;
  solution.sheets.assign(problem.lift->segments.size(), 0.0);
  return find_lift(flow_case, problem, solution, force, moment);
}

/// q = 2 Pa, so that q S = 4 N, q S b = 16 N m and q S c = 2 N m.
TEST(Coefficients, HaveTheSignsOfAerodynamics) {
  const LiftResults level = results_of("speed = 2.0\n", {1.0, 2.0, 4.0}, {8.0, 2.0, 4.0});
  EXPECT_DOUBLE_EQ(level.drag, 0.25);
  EXPECT_DOUBLE_EQ(level.side, 0.5);
  EXPECT_DOUBLE_EQ(level.lift, 1.0);
  EXPECT_DOUBLE_EQ(level.roll, -0.5);  // a force upwards at y > 0 lifts the right wing
  EXPECT_DOUBLE_EQ(level.pitch, 1.0);  // the nose, at x < 0, goes up
  EXPECT_DOUBLE_EQ(level.yaw, -0.25);
  const LiftResults tilted = results_of("alpha = 30.0\nspeed = 2.0\n", {0.0, 0.0, 4.0}, {});
  EXPECT_NEAR(tilted.lift, std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(tilted.drag, 0.5, 1e-15);
}

/// Panels at the edge of a wing that are unequal: the lower ones are deeper by a fifth. With 20
/// panels around they are 0.0245 chords deep, with 80 a sixteenth of that.
TEST(Wakes, WarnOfLongUnequalPanelsWhereTheEdgeTurns) {
  const auto warns = [](double sweep, std::int64_t around, double deeper) {
    const Case flow_case = read("[lift]\n");
    meshes::SurfaceMesh mesh = meshes::make_wing({around, 16}, meshes::naca_section("0012"),
                                                 {.span = 4.0, .sweep = sweep});
    const auto beside_edge = [&](std::size_t node) {  // rings begin at the trailing edge
      return node / static_cast<std::size_t>(around) <= 16 &&
             node % static_cast<std::size_t>(around) == static_cast<std::size_t>(around) - 1;
    };
    for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
      if (!beside_edge(node)) continue;
      const Vec3d edge = mesh.nodes[node + 1 - static_cast<std::size_t>(around)];
      mesh.nodes[node] = edge + deeper * (mesh.nodes[node] - edge);
    }
    bem::FlowProblem problem = make_problem(flow_case, mesh);
    Log log(Log::Level::quiet);
    find_wakes(flow_case, mesh, problem, log);
    return !log.warnings().empty();
  };
  EXPECT_FALSE(warns(0.0, 80, 1.2));
  EXPECT_FALSE(warns(30.0, 80, 1.0));
  EXPECT_FALSE(warns(30.0, 20, 1.2));  // 0.45 m / (0.0245 m cos 30) = 21
  EXPECT_TRUE(warns(30.0, 80, 1.2));
}

/// The plane doubles what is even across it and cancels the rest.
TEST(Coefficients, OfHalfAWingAreThoseOfTheWhole) {
  const Case flow_case =
      read("speed = 2.0\nsymmetry = [\"y\"]\n[lift]\nreference = { chord = 0.5 }\n");
  meshes::SurfaceMesh half = testing::positive_part(
      meshes::make_wing({20, 16}, meshes::naca_section("0012"), {.span = 4.0}), {1});
  meshes::meet_planes(half, flow_case.problem.symmetry);
  bem::FlowProblem problem = make_problem(flow_case, half);
  Log log(Log::Level::quiet);
  problem.lift = find_wakes(flow_case, half, problem, log);
  bem::Solution solution;
  solution.sheets.assign(problem.lift->segments.size(), 1.0);
  const LiftResults lift =
      find_lift(flow_case, problem, solution, {1.0, 2.0, 4.0}, {8.0, 2.0, 4.0});
  EXPECT_NEAR(lift.reference.area, 4.0, 0.05);  // q S = 8 N
  EXPECT_DOUBLE_EQ(lift.reference.span, 4.0);
  const double force = 2.0 * lift.reference.area;
  EXPECT_DOUBLE_EQ(lift.lift, 8.0 / force);
  EXPECT_DOUBLE_EQ(lift.drag, 2.0 / force);
  EXPECT_EQ(lift.side, 0.0);
  EXPECT_DOUBLE_EQ(lift.pitch, 4.0 / (force * 0.5));
  EXPECT_EQ(lift.roll, 0.0);
  EXPECT_EQ(lift.yaw, 0.0);
  // rho U m b on the whole span
  EXPECT_NEAR(lift.lift_far, 2.0 * 4.0 / force, 1e-12);
}

/// A wing of the span 4 with as many panels along it, or half of it if the case has a plane of
/// symmetry, in the flow of the case, with its wakes.
bem::FlowProblem wing_with_wakes(const std::string& keys, int along) {
  const Case flow_case = read(keys);
  meshes::SurfaceMesh mesh =
      meshes::make_wing({20, along}, meshes::naca_section("0012"), {.span = 4.0});
  if (!flow_case.problem.symmetry.planes().empty()) {
    mesh = testing::positive_part(mesh, {1});
    meshes::meet_planes(mesh, flow_case.problem.symmetry);
  }
  bem::FlowProblem problem = make_problem(flow_case, mesh);
  Log log(Log::Level::quiet);
  problem.lift = find_wakes(flow_case, mesh, problem, log);
  return problem;
}

TEST(Coefficients, ErrByCirculationThatDoesNotFallToTheTips) {
  const bem::FlowProblem problem = wing_with_wakes("[lift]\n", 16);
  const auto& lift = problem.lift;
  std::vector<double> m(16, 1.0);
  EXPECT_EQ(roughness(*lift, m), 0.0);
  EXPECT_EQ(roughness(*lift, std::vector<double>(16)), 0.0);
  EXPECT_DOUBLE_EQ(roughness(*lift, m, true), 2.0 / 16.0);
  // An ellipse on strips spaced by cosines differs from its neighbours by 1 - cos(pi/16) of itself.
  for (std::size_t s = 0; s < m.size(); ++s) {
    const bem::EdgeSegment& edge = lift->segments[s];
    const auto angle = [&](std::int32_t node) {
      return std::acos(0.5 * bem::corner_at(problem.panels, edge.upper, node).y);
    };
    m[s] = std::sin(0.5 * (angle(edge.first) + angle(edge.second)));
  }
  EXPECT_NEAR(roughness(*lift, m, true), 1.0 - std::cos(std::numbers::pi / 16.0), 1e-9);
}

/// The results of an elliptic circulation on a wing, or on half of it beside y = 0; at the tip to
/// starboard `more` is added, m^2/s.
LiftResults of_ellipse(bool half, double more) {
  const Case flow_case = read(std::string("speed = 2.0\n") + (half ? "symmetry = [\"y\"]\n" : "") +
                              "[lift]\nreference = { area = 4.0, span = 4.0, chord = 1.0 }\n");
  meshes::SurfaceMesh mesh =
      meshes::make_wing({20, 16}, meshes::naca_section("0012"), {.span = 4.0});
  if (half) {
    mesh = testing::positive_part(mesh, {1});
    meshes::meet_planes(mesh, flow_case.problem.symmetry);
  }
  bem::FlowProblem problem = make_problem(flow_case, mesh);
  Log log(Log::Level::quiet);
  problem.lift = find_wakes(flow_case, mesh, problem, log);
  bem::Solution solution;
  for (const Vec3d& x : problem.lift->sources.point) {
    solution.sheets.push_back(std::sqrt(1.0 - 0.25 * x.y * x.y));
    if (x.y > 1.95) solution.sheets.back() += more;
  }
  LiftResults lift = find_lift(flow_case, problem, solution, {}, {});
  lift.lift = lift.lift_far;
  return lift;
}

/// One vortex pair at the tip hardly adds lift, but drag.
TEST(Coefficients, ErrInTheInducedDragByRoughCirculation) {
  const LiftResults smooth = of_ellipse(false, 0.0), rough = of_ellipse(false, 1.0);
  const double added = rough.induced_drag - smooth.induced_drag;
  EXPECT_LT(rough.lift_far, 1.02 * smooth.lift_far);
  EXPECT_GT(added, 0.5 * smooth.induced_drag);
  EXPECT_LT(smooth.induced_drag_error, 0.05 * smooth.induced_drag);
  EXPECT_GT(rough.induced_drag_error, added / 3.0);
  EXPECT_LT(rough.induced_drag_error, 3.0 * added);
}

/// The image in the plane is the neighbour of the strip beside it.
TEST(Coefficients, OfHalfAWingErrAsThoseOfTheWhole) {
  const LiftResults half = of_ellipse(true, 0.0), whole = of_ellipse(false, 0.0);
  // Strips spaced by cosines deviate by q of their circulation, and their deviations by q of
  // theirs. The outer neighbour of the second strip has none, which adds 2.5 %.
  const double q = 1.0 - std::cos(std::numbers::pi / 16.0);
  EXPECT_NEAR(whole.span_error / (q / 12.0 + q * q / 1.5), 1.0, 0.03);
  EXPECT_NEAR(half.span_error, whole.span_error, 1e-9 * whole.span_error);
  EXPECT_NEAR(half.rough_drag, whole.rough_drag, 1e-9 * whole.rough_drag);
  EXPECT_NEAR(half.induced_drag, whole.induced_drag, 1e-9 * whole.induced_drag);
}

TEST(Coefficients, LeaveTheOuterSpanOutOfTheKuttaCondition) {
  for (const std::string planes : {"", "symmetry = [\"y\"]\n"}) {
    const bem::FlowProblem problem =
        wing_with_wakes("speed = 2.0\nalpha = 5\n" + planes + "[lift]\n", 80);
    const auto backend = bem::make_cpu_backend();
    const bem::Solution solution = bem::solve(problem, {}, *backend);
    LiftResults lift;
    lift.reference = {.area = 4.0, .span = 4.0, .chord = 1.0, .centre = {}};
    add_wake_loads(problem, solution, find_wake_forces(problem, solution, {}, *backend), lift);
    const std::vector<double> jumps = bem::pressure_jumps(problem, solution, 0.01);
    const std::vector<Vec3d>& places = problem.lift->sources.point;
    double tip = 0.0, inner = 0.0, all = 0.0;
    for (const Vec3d& x : places) tip = std::max(tip, x.y);
    for (std::size_t s = 0; s < jumps.size(); ++s) {
      const double jump = std::abs(jumps[s]) / 2.0;  // over rho U^2 / 2
      all = std::max(all, jump);
      if (std::abs(places[s].y) < 0.95 * tip) inner = std::max(inner, jump);
    }
    EXPECT_NEAR(lift.kutta_pressure, inner, 1e-9) << planes;
    EXPECT_GT(all, inner) << "tips have the largest jump";
  }
}

TEST(Coefficients, OfMomentsAreAboutTheirCentre) {
  const LiftResults shifted =
      results_of("speed = 2.0\nmoment_centre = [1.0, 0.0, 0.0]\n", {0.0, 0.0, 4.0}, {});
  EXPECT_DOUBLE_EQ(shifted.pitch, 0.0);
  const Case flow_case = read("speed = 2.0\n[lift]\nreference = { centre = [0.5, 0.0, 0.0] }\n");
  EXPECT_EQ(flow_case.lift.reference.centre, (Vec3d{0.5, 0.0, 0.0}));
}

TEST(EdgeMarks, SayWhatWasFoundOfEveryEdge) {
  const bem::EdgeVerdict verdicts[] = {static_cast<bem::EdgeVerdict>(0),
                                       static_cast<bem::EdgeVerdict>(3)};
  const EdgeMarks marks =
      mark({{4, 7, verdicts[0], false, 0.5, 2.0, {}}, {7, 9, verdicts[1], false, 1.0, 3.0, {}}});
  EXPECT_EQ(marks.lines, (std::vector<std::array<std::int32_t, 2>>{{4, 7}, {7, 9}}));
  ASSERT_EQ(marks.fields.size(), 3u);
  EXPECT_EQ(marks.fields[0].values, (std::vector{1.0, 4.0}));
  EXPECT_NEAR(marks.fields[1].values.at(1), 57.29577951308232, 1e-12);
  EXPECT_EQ(marks.fields[2].values, (std::vector{2.0, 3.0}));
  EXPECT_NE(marks.legend.find("4 "), std::string::npos) << marks.legend;
}

TEST(WakeWarnings, AreOfWakesInBodiesAndOfLoadsThatAreNotSmall) {
  LiftResults lift{};
  lift.lift = lift.lift_far = 0.4;
  lift.wake_load = -0.01;
  EXPECT_FALSE(warning_of_wakes(lift));
  lift.wake_load = -0.03;
  EXPECT_NE(warning_of_wakes(lift).value().find("carry -0.0300 of CL"), std::string::npos);
  lift.wake_in_body = Vec3d{1.0, 2.0, 3.0};
  EXPECT_NE(warning_of_wakes(lift).value().find("a body near (1, 2, 3) m"), std::string::npos);
}

// One blade of three is meshed, checked together with its images, and solved with these.
TEST(Rotor, ImagesAreCheckedAndNotMeshed) {
  const TemporaryFolder folder;
  folder.write("blade.csv",
               "r,chord,pitch,thickness,camber\n0.2,0.16,1.1,0.2,0.02\n1.0,0.15,1.1,0.05,0.02\n");
  const auto loaded = [&](const std::string& images) {
    const Case flow_case = read_case(folder.write(
        "case.toml",
        "version = 1\n[mesh]\nshape = \"propeller\"\nblade = \"blade.csv\"\npanels = [12, 4]\n"
        "[problem]\nvelocity = [0.8, 0, 0]\n[rotor]\nrpm = 60.0\nblades = 3\nimages = " +
            images));
    Log log(Log::Level::quiet);
    return load_mesh(flow_case, log);
  };
  const LoadedMesh sector = loaded("true"), whole = loaded("false");
  EXPECT_TRUE(sector.report.watertight());
  EXPECT_NEAR(sector.report.volume, whole.report.volume, 1e-12);
  EXPECT_EQ(3 * sector.mesh.elements.size(), whole.mesh.elements.size());
  EXPECT_EQ(refusal("[rotor]\nrpm = 60.0\nimages = true\n"),
            "case.toml:9:10: rotor.images needs blades, 2 or more");
}

TEST(ReasonsOfEdges, HaveTheNumbersOfTheirEdges) {
  constexpr double degree = std::numbers::pi / 180.0;
  const auto edge = [](bem::EdgeVerdict verdict, double degrees, double ratio) {
    return bem::SharpEdge{0, 1, verdict, false, degrees * degree, ratio, {}};
  };
  const std::vector<std::string> lines = reasons_of({edge(bem::EdgeVerdict::sheds, 15.0, 1.2),
                                                     edge(bem::EdgeVerdict::sheds, 17.5, 3.0),
                                                     edge(bem::EdgeVerdict::blunt, 90.0, 1.0)});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "2 have wakes, 15.0 to 17.5 degrees sharp, depths of panels up to 3.00 : 1");
  EXPECT_EQ(lines[1].find("1 are blunter than 60 degrees"), 0u) << lines[1];
  EXPECT_NE(lines[1].find(", 90.0 to 90.0 degrees sharp"), std::string::npos) << lines[1];
}

}  // namespace
}  // namespace rankine::cases
