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

}  // namespace
}  // namespace rankine::cases
