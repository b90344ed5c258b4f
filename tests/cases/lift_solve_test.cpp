// Wings with [lift] from end to end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

/// A wing of aspect ratio 4 and 680 panels.
Json solve_wing(const TemporaryFolder& folder, const std::string& more,
                const std::string& panels = "[40, 16]") {
  const auto file = folder.write(
      "wing.toml",
      "version = 1\n[mesh]\nshape = \"wing\"\nspan = 4.0\npanels = " + panels +
          "\ntip = \"round\"\n"
          "[problem]\nalpha = 5.0\nspeed = 2.0\ndensity = 1.2\nmoment_centre = [0.25, 0.0, 0.0]\n" +
          more);
  return solve({file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu"});
}

TEST(LiftSolve, HasTheCoefficientsOfAWing) {
  const TemporaryFolder folder;
  const Json summary = solve_wing(folder, "[lift]\n");
  const Json& lift = summary["results"]["lift"];
  // Converged codes: 0.335 to 0.338 and 0.00925; strips end at the tips, an error of first order.
  EXPECT_NEAR(lift["CL"], 0.336, 0.02);
  EXPECT_NEAR(lift["CL_trefftz"], 0.338, 0.02);
  EXPECT_NEAR(lift["CD_induced"], 0.00925, 0.001);  // quadratic in the circulation
  EXPECT_NEAR(lift["Cm"], 0.0, 0.01);  // the aerodynamic centre is near a quarter of the chord
  EXPECT_EQ(lift["edges"], 1);
  EXPECT_EQ(lift["stations"], 16);
  EXPECT_NEAR(lift["reference"]["area"], 4.0, 0.1);
  EXPECT_NEAR(lift["wake_load"], 0.00225, 0.0015);
  EXPECT_GT(lift["kutta_dCp"], 0.0);
  const double error = summary["results"]["error_estimates"]["CL"];
  EXPECT_LT(std::abs(lift["CL"].get<double>() - 0.3365), 3.0 * error);
  EXPECT_LT(error, 0.03);
  for (const Json& warning : summary["warnings"])
    EXPECT_EQ(warning.get<std::string>().find("no wake"), std::string::npos) << warning;
  const auto files = names_in(folder.path() / "results");
  for (const char* const name : {"wake.vtp", "span_loading.csv"})
    EXPECT_NE(std::find(files.begin(), files.end(), name), files.end()) << name;
}

/// Kutta and Joukowski: the sum of rho U m dy is the lift in the Trefftz plane.
TEST(LiftSolve, WritesASpanLoadingThatAddsUpToTheLift) {
  const TemporaryFolder folder;
  const Json summary = solve_wing(folder, "[lift]\nreference = { area = 4.0 }\n");
  std::ifstream file(folder.path() / "results" / "span_loading.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "x,y,z,width,circulation,lift_per_span,cl_c_over_chord");
  double lift = 0.0;
  while (std::getline(file, line)) {
    std::vector<double> values;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) values.push_back(std::stod(field));
    ASSERT_EQ(values.size(), 7u);
    lift += values[3] * values[5];
  }
  const double pressure = 0.5 * 1.2 * 4.0;
  EXPECT_NEAR(lift / (pressure * 4.0), summary["results"]["lift"]["CL_trefftz"], 1e-8);
}

/// The rows of `rankine polar` for results in `folder`.
Json polar_of(const TemporaryFolder& folder, const std::vector<std::string>& options) {
  const testing::Outcome outcome = testing::run_program(
      testing::with({"polar", (folder.path() / "results").string(), "--json"}, options));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return Json::parse(outcome.out);
}

/// One solve with lift.derivatives against a solve at another angle, with the same wakes.
TEST(LiftSolve, GivesPolarsThatSolvesAtTheirAnglesConfirm) {
  const TemporaryFolder folder, other;
  const std::string wakes = "[lift]\ndirection = \"body\"\nreference = { area = 4.0 }\n";
  // With half as many panels, slopes at the tips are limited on much of them.
  const Json first = solve_wing(folder, wakes + "derivatives = true\n", "[80, 24]");
  const Json rows = polar_of(folder, {"--alpha", "2:8:3", "--beta=-3"});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(polar_of(folder, {"--alpha", "2:8:3", "--beta", "0,-3"}).size(), 6u);
  EXPECT_EQ(polar_of(folder, {"--alpha", "8,2:5:3", "--beta=-3"}),
            Json({rows[2], rows[0], rows[1]}));
  solve_wing(other, wakes, "[80, 24]");
  const Json second = solve({(other.path() / "wing.toml").string(), "-o",
                             (other.path() / "results").string(), "--backend", "cpu", "--set",
                             "problem.alpha=8", "--set", "problem.beta=-3"})["results"]["lift"];
  for (const char* const name :
       {"CL", "CL_trefftz", "CD_induced", "CD_pressure", "CY", "Cl", "Cm", "Cn"}) {
    // The solver's tolerance, and 1e-3 of the force by limits of slopes at tips.
    EXPECT_NEAR(rows[2][name], second[name], 1e-3) << name;
  }
  const Json& by = first["results"]["derivatives"];
  const double slope = (rows[1]["CL"].get<double>() - rows[0]["CL"].get<double>()) / 3.0;
  EXPECT_NEAR(by["CL"]["alpha"].get<double>() * 3.14159265 / 180.0, slope, 0.01 * slope);
  EXPECT_LT(by["Cl"]["p"], -0.3);  // of plates of this aspect ratio: -0.35
  EXPECT_GT(by["Cl"]["p"], -0.4);
  EXPECT_NEAR(by["CL"]["p"], 0.0, 0.01);
}

/// The wake of one solve, prescribed in another: with the lines at all nodes of the edge it is the
/// same wake, and with every other line one that differs by the curvature of the wake along the
/// span.
TEST(LiftSolve, TakesTheLinesOfARelaxedWake) {
  const TemporaryFolder folder, other;
  const Json relaxed = solve_wing(folder, "[lift]\nwake = \"relaxed\"\n")["results"]["lift"];
  std::ifstream file(folder.path() / "results" / "wake_lines.csv");
  std::string all, some, line;
  for (std::size_t row = 0; std::getline(file, line); ++row) {
    all += line + "\n";
    if (row == 0 || std::stoi(line) % 2 == 1) some += line + "\n";
  }
  const std::string prescribed = "[lift]\nwake = \"file\"\nwake_file = \"lines.csv\"\n";
  const std::string derivatives = "derivatives = true\n";
  other.write("lines.csv", all);
  const Json same = solve_wing(other, prescribed + derivatives)["results"]["lift"];
  for (const char* const name : {"CL", "CL_trefftz", "CD_induced", "wake_load"})
    EXPECT_NEAR(same[name], relaxed[name], 2e-6) << name;
  const Json at_case = polar_of(other, {"--alpha", "5"})[0];
  EXPECT_NEAR(at_case["CL_trefftz"], relaxed["CL_trefftz"], 1e-4);
  other.write("lines.csv", some);
  const Json fewer = solve_wing(other, prescribed)["results"]["lift"];
  EXPECT_NEAR(fewer["CL"], relaxed["CL"], 2e-3 * relaxed["CL"].get<double>());
  // A line that turns back, and lines of different lengths.
  other.write("bad.csv", "line,x,y,z\n1,1,-2,0\n1,2,-2,0\n1,1.5,-2,0\n");
  other.write("short.csv", "line,x,y,z\n1,1,-2,0\n1,2,-2,0\n2,1,2,0\n");
  for (const auto& [name, text] : {std::pair("bad.csv", "upstream"), {"short.csv", "1 points"}}) {
    const testing::Outcome outcome =
        testing::run_program({"solve", (other.path() / "wing.toml").string(), "--force", "--set",
                              "lift.wake_file=" + (other.path() / name).string()});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
}

/// A wing of 16 segments in Gmsh's format, with patches above and below, and its trailing edge to
/// port as a physical curve.
std::string gmsh_wing() {
  const meshes::SurfaceMesh mesh =
      meshes::make_wing({24, 16}, meshes::naca_section("0012"), {.span = 4.0});
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 3 \"port\"\n"
      "2 1 \"above\"\n2 2 \"below\"\n$EndPhysicalNames\n$Nodes\n" +
      std::to_string(mesh.nodes.size()) + "\n";
  std::ostringstream nodes;
  nodes.precision(17);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const Vec3d& x = mesh.nodes[n];
    nodes << n + 1 << ' ' << x.x << ' ' << x.y << ' ' << x.z << '\n';
  }
  std::vector<std::string> elements;
  const auto add = [&](const std::string& type, int patch,
                       const std::vector<std::int32_t>& corners) {
    const std::string tag = std::to_string(patch);
    std::string line = type + " 2 " + tag + " " + tag;
    for (const std::int32_t node : corners) line += " " + std::to_string(node + 1);
    elements.push_back(line);
  };
  for (const meshes::Element& e : mesh.elements) {
    const int corners = meshes::corner_count(e);
    double z = 0.0;
    for (int k = 0; k < corners; ++k) z += mesh.nodes[static_cast<std::size_t>(e[k])].z;
    add(corners == 3 ? "2" : "3", z > 0.0 ? 1 : 2, {e.begin(), e.begin() + corners});
    for (int k = 0; z > 0.0 && k < corners; ++k) {
      const std::int32_t a = e[k], b = e[(k + 1) % corners];
      const Vec3d &from = mesh.nodes[static_cast<std::size_t>(a)],
                  &to = mesh.nodes[static_cast<std::size_t>(b)];
      if (std::min(from.x, to.x) > 1.0 - 1e-9 && std::max(from.y, to.y) < 1e-9) add("1", 3, {a, b});
    }
  }
  text += nodes.str() + "$EndNodes\n$Elements\n" + std::to_string(elements.size()) + "\n";
  for (std::size_t e = 0; e < elements.size(); ++e)
    text += std::to_string(e + 1) + " " + elements[e] + "\n";
  return text + "$EndElements\n";
}

TEST(LiftSolve, TakesTheTrailingEdgesThatAreNamed) {
  const TemporaryFolder folder;
  folder.write("wing.msh", gmsh_wing());
  folder.write("line.csv", "1.0, 0.0, 0.0\n1.0, 2.0, 0.0\n");
  const auto check = [&](const std::string& edges) {
    const auto file = folder.write(
        "wing.toml",
        "version = 1\n[mesh]\nfile = \"wing.msh\"\n[problem]\nalpha = 5.0\n[lift]\nedges = " +
            edges + "\n");
    return testing::run_program(
        {"check", file.string(), "--output", (folder.path() / "shown").string()});
  };
  const auto says = [](const testing::Outcome& outcome, const std::string& text) {
    return outcome.err.find(text) != std::string::npos;
  };
  for (const auto& [edges, count] :
       {std::pair{"\"auto\"", "16 have wakes"}, std::pair{"\"port\"", "8 have wakes"},
        std::pair{"\"line.csv\"", "8 have wakes"}, std::pair{"[\"above\", \"below\"]", "16 have"},
        std::pair{"[\"below\", \"above\"]", "16 have"}}) {
    const testing::Outcome outcome = check(edges);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(says(outcome, count) && says(outcome, "W41") == (*edges == '[')) << outcome.err;
  }
  const std::string shown = testing::read_text(folder.path() / "shown" / "check.vtp");
  for (const char* const name : {"edge", "edge_angle", "depth_ratio"})
    EXPECT_NE(shown.find("Name=\"" + std::string(name) + "\""), std::string::npos);
  const testing::Outcome unknown = check("\"starboard\"");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(
      says(unknown, "neither a file nor a physical curve \"starboard\"; the mesh has \"port\""))
      << unknown.err;
  EXPECT_EQ(check("[\"above\", \"bellow\"]").exit_code, 2);
  EXPECT_EQ(check("[\"above\", \"below\", \"port\"]").exit_code, 2);
}

/// Aft of 0.727 chords, where the 26th of 40 panels ends, to starboard or on both sides.
std::string control(const std::string& name, const std::string& from, const std::string& to,
                    double degrees) {
  return "[[control]]\nname = \"" + name + "\"\npatch = \"body\"\nhinge = [[0.727, " + from +
         ", 0.0], [0.727, " + to + ", 0.0]]\ndeflection = " + std::to_string(degrees) + "\n";
}

/// The circulation is linear in the deflection, and forces are quadratic.
TEST(LiftSolve, DeflectsControlSurfacesAsItsPolarsDo) {
  const TemporaryFolder folder, other;
  const std::string lift = "[lift]\nreference = { area = 4.0 }\nderivatives = true\n";
  const Json with = solve_wing(
      folder, lift + control("flap", "-2", "2", 4.0) + control("aileron", "0.8", "1.8", 0.0),
      "[80, 24]");
  const Json without = solve_wing(
      other, lift + control("flap", "-2", "2", 0.0) + control("aileron", "0.8", "1.8", 6.0),
      "[80, 24]");
  const Json& by = with["results"]["derivatives"];
  const Json flapped = polar_of(folder, {"--alpha", "5", "--control", "flap=0:4:4"}),
             rolled = polar_of(folder, {"--alpha", "5", "--control", "aileron=6,0"});
  ASSERT_EQ(flapped.size(), 2u);
  EXPECT_EQ(flapped[0]["flap"], 0.0);
  EXPECT_EQ(flapped[0]["CL"], rolled[1]["CL"]);
  for (const char* const name :
       {"CL", "CL_trefftz", "CD_induced", "CD_pressure", "CY", "Cl", "Cm", "Cn"}) {
    // The solver's tolerance, and 1e-3 of the force by limits of slopes at tips.
    EXPECT_NEAR(flapped[1][name], with["results"]["lift"][name], 1e-3) << name;
    EXPECT_NEAR(rolled[0][name], without["results"]["lift"][name], 1e-3) << name;
  }
  const double change =
      flapped[1]["CL_trefftz"].get<double>() - flapped[0]["CL_trefftz"].get<double>();
  constexpr double radian = 180.0 / std::numbers::pi;
  EXPECT_NEAR(change, by["CL_trefftz"]["flap"].get<double>() * 4.0 / radian, 1e-6);
  // A trailing edge that goes down to starboard rolls the wing to port. Its yaw, a difference of
  // suctions at the nose, is below what panels of this size resolve.
  EXPECT_LT(by["Cl"]["aileron"], -0.1);
  EXPECT_NEAR(by["Cn"]["aileron"], 0.0, 0.02);
  EXPECT_LT(by["Cm"]["flap"], -0.3);
  const Json swapped = polar_of(folder, {"--control", "flap=1", "--control", "aileron=2"});
  EXPECT_EQ(swapped[0]["aileron"], 2.0);
  EXPECT_EQ(
      testing::run_program({"polar", (folder.path() / "results").string(), "--control", "rudder=3"})
          .exit_code,
      2);
}

TEST(LiftSolve, ChecksTheDeflectionOfControls) {
  const TemporaryFolder folder;
  const auto file = folder.write("wing.toml",
                                 "version = 1\n[mesh]\nshape = \"wing\"\nspan = 4.0\npanels = [40, "
                                 "16]\n[problem]\nalpha = 5.0\n[lift]\n" +
                                     control("flap", "-2", "2", 16.0));
  const testing::Outcome checked = testing::run_program({"check", file.string()});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_NE(checked.err.find("control \"flap\" is deflected by 16 degrees"), std::string::npos)
      << checked.err;
}

/// Glauert: a flap turns the section by 1 - (t - sin t)/pi of its angle, its hinge at the chord's
/// (1 - cos t)/2; so does it turn a wing, if it is slender and the flap goes from tip to tip.
TEST(LiftSolve, FlapsOfThinWingsTurnTheFlowAsGlauertFound) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("wing.toml",
                   "version = 1\n[mesh]\nshape = \"wing\"\nspan = 20.0\nsection = \"0002\"\n"
                   "panels = [80, 30]\n[problem]\nalpha = 0.0\n[lift]\nderivatives = true\n" +
                       control("flap", "-10", "10", 0.0));
  const Json by = solve({file.string(), "-o", (folder.path() / "results").string(), "--backend",
                         "cpu"})["results"]["derivatives"];
  const double t = std::numbers::pi * 13 / 20, glauert = 1.0 - (t - std::sin(t)) / std::numbers::pi;
  for (const char* const name : {"CL", "CL_trefftz"})
    EXPECT_NEAR(by[name]["flap"].get<double>() / by[name]["alpha"].get<double>(), glauert, 0.01)
        << name;
}

// The section lift of the swept wing of Weber and Brebner, which converged panel codes give to 2 %.
TEST(LiftSolve, HasTheSectionLiftOfASweptWing) {
  const TemporaryFolder folder;
  solve(
      set({example("wing-weber/wing-weber.toml"), "-o", folder.path().string(), "--backend", "cpu"},
          {"lift.derivatives=false"}));
  std::vector<std::pair<double, double>> found;  // 2 y/b and section lift
  std::ifstream file(folder.path() / "span_loading.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<double> values;
    for (std::string field; std::getline(fields, field, ',');) values.push_back(std::stod(field));
    found.emplace_back(values[1] / 2.5, values[6]);
  }
  for (const auto& [place, lift] : {std::pair{0.041, 0.254},
                                    {0.082, 0.259},
                                    {0.163, 0.269},
                                    {0.245, 0.276},
                                    {0.367, 0.284},
                                    {0.510, 0.287},
                                    {0.653, 0.282},
                                    {0.898, 0.213}}) {
    const auto right = std::lower_bound(found.begin(), found.end(), std::pair{place, 0.0}),
               left = right - 1;
    const double share = (place - left->first) / (right->first - left->first);
    EXPECT_NEAR(left->second + share * (right->second - left->second), lift, 0.02 * lift) << place;
  }
}

TEST(LiftSolve, PolarsNeedDerivativesAndAngles) {
  const TemporaryFolder folder;
  solve_wing(folder, "[lift]\n");
  const std::string results = (folder.path() / "results").string();
  const testing::Outcome none = testing::run_program({"polar", results});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("lift.derivatives = true"), std::string::npos) << none.err;
  for (const char* angles : {"1:x", "1,x", "1,,2", "1,91"})
    EXPECT_EQ(testing::run_program({"polar", results, "--alpha", angles}).exit_code, 2) << angles;
}

TEST(LiftSolve, WarnsWithoutTheTableAndNotIfNoneIsWanted) {
  const auto warns = [](const std::string& more) {
    const TemporaryFolder folder;
    const Json summary = solve_wing(folder, more, "[80, 20]");
    EXPECT_FALSE(summary["results"].contains("lift"));
    return summary["warnings"].dump().find("there is no wake") != std::string::npos;
  };
  EXPECT_TRUE(warns(""));
  EXPECT_FALSE(warns("[lift]\nwakes = false\n"));
}

}  // namespace
}  // namespace rankine::cases
