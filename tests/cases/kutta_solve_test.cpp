// Conditions and panels at trailing edges from end to end.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

/// A wing whose lower panels are 3 times as deep at the edge, from a file: whole, and its half with
/// a symmetry plane. The limit is 0.3402 in the Trefftz plane.
TEST(KuttaSolve, CutsAStripAtTheEdgeOfAWholeWingAndOfHalfOfIt) {
  const TemporaryFolder folder;
  const auto solved = [&](bool half, const std::string& more) {
    meshes::SurfaceMesh wing =
        meshes::make_wing({40, 16}, meshes::naca_section("0012"), {.span = 4.0});
    std::string text;
    for (Vec3d& x : wing.nodes) {
      const double back = 1.0 - x.x;
      if (x.z < 0.0) {
        x.x = 1.0 - back * (1.0 + 2.0 * std::exp(-back / 0.1));
        x.z = -meshes::naca_section("0012").sides(x.x).upper.z;
      }
      std::ostringstream line;
      line.precision(17);
      line << "v " << x.x << ' ' << x.y << ' ' << x.z << '\n';
      text += line.str();
    }
    for (const meshes::Element& each : wing.elements) {
      double y = 0.0;
      std::string line = "f";
      for (int k = 0; k < meshes::corner_count(each); ++k) {
        y += wing.nodes[each[k]].y;
        line += ' ' + std::to_string(each[k] + 1);
      }
      if (!half || y > 0.0) text += line + '\n';
    }
    folder.write("wing.obj", text);
    const auto file =
        folder.write("wing.toml", "version = 1\n[mesh]\nfile = \"wing.obj\"\n[problem]\n" +
                                      std::string(half ? "symmetry = [\"y\"]\n" : "") +
                                      "alpha = 5.0\n[lift]\nreference = { area = 4.0 }\n" + more);
    return solve(
        {file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu", "--force"});
  };
  const Json plain = solved(false, ""), whole = solved(false, "edge_strip = true\n"),
             half = solved(true, "edge_strip = true\n");
  EXPECT_FALSE(plain["results"]["lift"].contains("strip"));
  const Json &of_whole = whole["results"]["lift"], &of_half = half["results"]["lift"];
  // 16 strips on two sides, and a panel of each tip. Half a mesh has other diagonals of panels.
  EXPECT_EQ(of_whole["strip"]["panels"], 34);
  EXPECT_EQ(of_half["strip"]["panels"], 17);
  EXPECT_EQ(whole["mesh"]["panels"], plain["mesh"]["panels"].get<int>() + 34);
  EXPECT_EQ(of_half["strip"]["depth"], of_whole["strip"]["depth"]);
  EXPECT_EQ(of_half["stations"], 8);
  for (const char* const name : {"CL", "CL_trefftz", "CD_induced"})
    EXPECT_NEAR(of_half[name], of_whole[name], 6e-4 * of_whole[name].get<double>()) << name;
  EXPECT_NEAR(of_whole["CL_trefftz"], 0.3402, 0.003);
}

Json solved_wing(const TemporaryFolder& folder, const std::string& lift) {
  const auto file = folder.write("wing.toml",
                                 "version = 1\n[mesh]\nshape = \"wing\"\nspan = 4.0\n"
                                 "panels = [60, 24]\n[problem]\nalpha = 5.0\n[lift]\n" +
                                     lift);
  return solve(
      {file.string(), "-o", (folder.path() / "results").string(), "--backend", "cpu", "--force"});
}

/// The exact flow has different pressures at this depth d, by a term d^0.6: equal ones reduce the
/// lift, by 0.6 % with 80 x 40 panels. A wake that follows the flow carries no load, and then
/// pressure and circulation have the same lift.
TEST(KuttaSolve, MakesPressuresEqualBehindStraightAndRelaxedWakes) {
  const TemporaryFolder folder;
  for (const std::string wake : {"straight", "relaxed"}) {
    const std::string lift = "wake = \"" + wake + "\"\n";
    const Json linear = solved_wing(folder, lift)["results"]["lift"];
    const Json summary = solved_wing(folder, lift + "kutta = \"pressure\"\n");
    const Json& equal = summary["results"]["lift"];
    EXPECT_EQ(summary["status"], "converged");
    EXPECT_GT(linear["kutta_dCp"], 0.01);
    EXPECT_LT(equal["kutta_dCp"], 0.3 * linear["kutta_dCp"].get<double>());
    for (const char* const name : {"CL", "CL_trefftz"}) {
      const double change = equal[name].get<double>() / linear[name].get<double>() - 1.0;
      EXPECT_LT(change, -0.002) << wake << name;
      EXPECT_GT(change, -0.02) << wake << name;
    }
    if (wake == "relaxed") {
      EXPECT_NEAR(equal["wake_load"], 0.0, 5e-4);
      EXPECT_NEAR(equal["CL"], equal["CL_trefftz"], 0.01);
    }
  }
}

}  // namespace
}  // namespace rankine::cases
