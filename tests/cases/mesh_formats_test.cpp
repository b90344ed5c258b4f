// Every text format from its file to a solution; cut off or broken it ends with exit code 3 and the
// line. Repairs as a user asks for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/iges_plate.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/octahedron.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using Json = nlohmann::json;

class MeshFormats : public ::testing::TestWithParam<MeshText> {
 protected:
  /// Solves a case of the text in a file of the format.
  Outcome solve(const std::string& text) const {
    folder_.write(GetParam().file, text);
    const auto file =
        folder_.write("case.toml", "version = 1\n[mesh]\nfile = \"" + GetParam().file + "\"\n");
    return run_program({"solve", file.string(), "--json", "-"});
  }

  const TemporaryFolder folder_;
  const meshes::SurfaceMesh mesh_ = meshes::make_sphere(80);
  const std::string text_ = GetParam().write(mesh_);
};

INSTANTIATE_TEST_SUITE_P(All, MeshFormats, ::testing::ValuesIn(testing::mesh_texts()),
                         [](const auto& text) { return text.param.name; });

TEST_P(MeshFormats, AreSolved) {
  const Outcome outcome = solve(text_);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json summary = Json::parse(outcome.out);
  EXPECT_EQ(summary["mesh"]["panels"], 80);
  EXPECT_EQ(summary["mesh"]["nodes"], 42);
  EXPECT_NEAR(summary["mesh"]["volume"].get<double>(), meshes::check_mesh(mesh_).volume, 1e-13);
  EXPECT_EQ(summary["status"], "converged");
}

TEST_P(MeshFormats, CutOffOrBrokenEndsWithThree) {
  const std::size_t middle = text_.find('\n', text_.size() / 2) + 1;
  const auto line = 1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(middle), '\n');
  const std::string name = GetParam().file + ":";
  const Outcome cut = solve(text_.substr(0, middle));
  EXPECT_TRUE(ended(cut, 3, name + std::to_string(line - 1) + ":"));
  EXPECT_TRUE(says(cut.err, "the file ends where"));
  const Outcome broken = solve(text_.substr(0, middle) + "?" + text_.substr(middle));
  EXPECT_TRUE(ended(broken, 3, name + std::to_string(line) + ":"));
  EXPECT_EQ(testing::entries(folder_.path()), 2u) << "something was left behind";
}

/// The octahedron with a panel twice and its other half on nodes of its own, a little apart.
std::string torn_octahedron() {
  std::vector<std::string> nodes = octahedron_nodes;
  std::vector<Triangle> triangles = octahedron_triangles;
  for (const std::string node : {"1.0000000001 0 0", "-1 0 0", "0 1 0", "0 -1 1e-10"})
    nodes.push_back(node);
  for (std::size_t k = 4; k < 8; ++k) {
    for (int& node : triangles[k]) node = node == 6 ? 6 : node + 6;
  }
  triangles.push_back(triangles[0]);
  return msh_text(nodes, triangles);
}

TEST(MeshReport, CountsTheBodiesThatItDoesNotList) {
  const TemporaryFolder folder;
  const auto report_of = [&](int bodies) {
    std::vector<std::string> nodes;
    std::vector<Triangle> triangles;
    for (int k = 0; k < bodies; ++k) {
      const std::string x = std::to_string(3 * k);
      nodes.insert(nodes.end(), {x + " 0 0", x + ".5 0 0", x + " 0.5 0", x + " 0 0.5"});
      const int p = 4 * k + 1;
      triangles.insert(
          triangles.end(),
          {{p, p + 2, p + 1}, {p, p + 1, p + 3}, {p, p + 3, p + 2}, {p + 1, p + 2, p + 3}});
    }
    const auto mesh = folder.write("tetrahedra.msh", msh_text(nodes, triangles));
    return run_program({"check", mesh.string()}).out;
  };
  const std::string ten = report_of(10), twelve = report_of(12);
  for (const std::string& each : {ten, twelve}) {
    EXPECT_TRUE(says(each, "body 10")) << each;
    EXPECT_TRUE(says(each, "4 panels, area 0.591506 m^2, signed volume 0.0208333 m^3")) << each;
  }
  EXPECT_FALSE(says(ten, "more bodies")) << ten;
  EXPECT_TRUE(says(twelve, "more bodies")) << twelve;
  EXPECT_FALSE(says(twelve, "body 11")) << twelve;
}

TEST(Repairs, AreMadeWhereTheyAreAskedFor) {
  const TemporaryFolder folder;
  const auto mesh = folder.write("body.msh", torn_octahedron());
  const auto file = folder.write("case.toml", "version = 1\n[mesh]\nfile = \"body.msh\"\n");
  const Outcome torn = run_program({"check", mesh.string()});
  EXPECT_TRUE(ended(torn, 3, "repair = [\"duplicates\"]"));
  const Outcome half = run_program({"check", mesh.string(), "--repair", "duplicates"});
  EXPECT_TRUE(ended(half, 3, "removed 1 panel with the corners"));
  EXPECT_TRUE(says(half.err, "repair = [\"merge\"]"));
  EXPECT_TRUE(says(half.out, "rim 1"));
  const Outcome whole = run_program({"check", mesh.string(), "--repair", "duplicates,merge"});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;

  const std::string output = (folder.path() / "out").string();
  const Outcome solved = run_program({"solve", file.string(), "--output", output, "--set",
                                      "mesh.repair=[\"merge\", \"duplicates\"]"});
  ASSERT_EQ(solved.exit_code, 0) << solved.err;
  const Json summary = Json::parse(read_text(folder.path() / "out/summary.json"));
  EXPECT_EQ(summary["mesh"]["panels"], 8);
  const std::string warnings = summary["warnings"].dump();
  EXPECT_TRUE(says(warnings, "repair: merged 2 nodes within"));
  EXPECT_TRUE(says(warnings, "repair: removed 1 panel with the corners"));
  const std::string resolved = read_text(folder.path() / "out/case.resolved.toml");
  EXPECT_TRUE(says(resolved, "['merge', 'duplicates']"));
  EXPECT_EQ(
      run_program({"solve", file.string(), "--repair", "merge,duplicates", "--dry-run"}).exit_code,
      0);
}

TEST(Repairs, MistakesEndWithTwo) {
  const TemporaryFolder folder;
  const auto mesh = folder.write("body.msh", torn_octahedron());
  const auto file = folder.write("case.toml", "version = 1\n[mesh]\nfile = \"body.msh\"\n");
  const auto shape = folder.write("shape.toml", "version = 1\n[mesh]\nshape = \"sphere\"\n");
  using Arguments = std::vector<std::string>;
  for (const auto& [arguments, message] : std::vector<std::pair<Arguments, std::string>>{
           {{"check", mesh.string(), "--repair", "mege"}, "did you mean \"merge\"?"},
           {{"check", mesh.string(), "--merge-tolerance", "1e-3"}, "needs --repair merge"},
           {{"check", mesh.string(), "--repair", "merge", "--merge-tolerance", "0"},
            "not a number above 0"},
           {{"check", shape.string(), "--repair", "merge"}, "built-in shape"},
           {{"check", file.string(), "--set", "mesh.repair=[\"orientt\"]"},
            "did you mean \"orient\"?"},
           {{"check", file.string(), "--set", "mesh.repair=\"merge\""}, "must be a list of words"},
           {{"check", file.string(), "--set", "mesh.merge_tolerance=1e-3"},
            "needs repair = [\"merge\"]"},
           {{"check", file.string(), "--set", "mesh.merge_tolerance=-1"}, "must be at least 0"},
           {{"check", shape.string(), "--set", "mesh.repair=[\"merge\"]"}, "has no meaning"}})
    EXPECT_TRUE(ended(run_program(arguments), 2, message));
}

/// The CAD kernel behaves differently in a process that has read no CAD file before.
TEST(Cad, IgesInAFreshProcess) {
  const TemporaryFolder folder;
  const auto plate = folder.write("plate.igs", testing::iges_plate());
  const Outcome outcome = run_program({"check", plate.string(), "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 3) << "a plate is open";
  const Json mesh = Json::parse(outcome.out)["mesh"];
  EXPECT_NEAR(mesh["area"].get<double>(), 2.0, 1e-9);
  EXPECT_NEAR(mesh["box"]["upper"][1].get<double>(), 2.0, 1e-9);
  EXPECT_TRUE(says(outcome.err, "IGES, millimetres -> metres"));
}

/// A cube without names, through one face of which fluid flows out.
TEST(Cad, FacesAreListedShownAndGetConditions) {
  const TemporaryFolder folder;
  const auto cube = folder.write("cube.igs", testing::iges_cubes(1));
  const std::string output = (folder.path() / "marks").string();
  const Outcome checked = run_program({"check", cube.string(), "--output", output});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_TRUE(says(checked.out, "face 6"));
  const std::string marks = read_text(std::filesystem::path(output) / "check.vtp");
  EXPECT_TRUE(says(marks, "Name=\"face\""));
  const Json faces =
      Json::parse(run_program({"check", cube.string(), "--json", "-"}).out)["mesh"]["faces"];
  ASSERT_EQ(faces.size(), 6u);
  double area = 0.0;
  for (const Json& face : faces) area += face["area"].get<double>();
  EXPECT_NEAR(area, 6.0, 1e-6);
  const auto file = folder.write(
      "case.toml",
      "version = 1\n[mesh]\nfile = \"cube.igs\"\npanel_size = 0.3\n[problem]\nkind = \"flow\"\n"
      "[[boundary]]\npatch = \"face 3\"\ntype = \"normal-velocity\"\nvalue = 1.0\n"
      "[[boundary]]\npatch = \"*\"\n");
  const Outcome solved =
      run_program({"solve", file.string(), "--output", (folder.path() / "out").string()});
  ASSERT_EQ(solved.exit_code, 0) << solved.err;
  const Json patches =
      Json::parse(read_text(folder.path() / "out/summary.json"))["mesh"]["patches"];
  EXPECT_EQ(patches.size(), 2u);
  EXPECT_TRUE(patches.contains("face 3")) << patches;
}

}  // namespace
}  // namespace rankine::cases
