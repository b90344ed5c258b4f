// rankine solve from end to end: files, and the contract of summary.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/octahedron.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::example;
using testing::msh_text;
using testing::octahedron_nodes;
using testing::octahedron_triangles;
using testing::Outcome;
using testing::read_text;
using testing::run_program;
using testing::small_sphere;
using testing::solve;
using testing::TemporaryFolder;
using testing::with;

namespace fs = std::filesystem;
using Json = nlohmann::json;

TEST(Solve, WritesWhatItPromises) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments =
      with(small_sphere(320, folder.path().string()),
           {"--set",
            "output.probe=[{name=\"plane\", kind=\"plane\", origin=[-2, -2, 0], size=[4, "
            "4, 0], cells=[4, 4, 1]}, "
            "{name=\"line\", kind=\"line\", from=[0, 0, -2], to=[0, 0, 2], count=5}]"});
  const Json s = solve(arguments);
  std::set<std::string> present;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    present.insert(entry.path().filename());
  EXPECT_EQ(present, (std::set<std::string>{"surface.vtp", "plane.vti", "line.vtp", "residuals.csv",
                                            "case.resolved.toml", "view.py", "summary.json"}));
  EXPECT_EQ(s["files"].get<std::set<std::string>>(), present);
  EXPECT_EQ(Json::parse(read_text(folder.path() / "summary.json")), s);
  EXPECT_EQ(read_text(folder.path() / "view.py"), read_text(example("view.py")));
  const std::string csv = read_text(folder.path() / "residuals.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2 + s["solver"]["iterations"].get<int>());
  EXPECT_EQ(read_text(folder.path() / "surface.vtp").find("<AppendedData"), std::string::npos);
}

// The keys are a contract with scripts that read them.
TEST(Solve, SummaryHasEveryKey) {
  const TemporaryFolder folder;
  const Json s = solve(small_sphere(320, folder.path().string()));
  const std::vector<std::pair<std::string, std::vector<std::string>>> contract{
      {"code", {"name", "version", "git"}},
      {"host", {"device", "threads"}},
      {"case", {"path", "sha256"}},
      {"mesh", {"path", "panels", "nodes", "volume", "area", "watertight", "patches"}},
      {"fmm", {"backend", "method", "precision", "tolerance", "order", "depth", "sampled_error"}},
      {"solver", {"formulation", "iterations", "residual", "true_residual", "restart"}},
      {"results", {"force", "Cp_min", "Cp_max", "U_max"}},
      {"verify", {"exact", "potential_l2", "velocity_l2", "velocity_max", "pass"}},
      {"seconds", {"mesh", "setup", "solve", "evaluate", "write", "total", "matvec"}},
      {"peak_bytes", {"host", "device"}}};
  for (const auto& [group, keys] : contract) {
    ASSERT_TRUE(s.contains(group)) << group;
    for (const std::string& key : keys) EXPECT_TRUE(s[group].contains(key)) << group << "." << key;
  }
  for (const std::string key : {"schema", "status", "exit_code", "files", "warnings"})
    EXPECT_TRUE(s.contains(key)) << key;
  EXPECT_EQ(s["schema"], 1);
  EXPECT_EQ(s["status"], "converged");
  EXPECT_EQ(s["mesh"]["panels"], 320);
  EXPECT_EQ(s["mesh"]["patches"]["body"], 320);
  EXPECT_EQ(s["case"]["sha256"].get<std::string>().size(), 64u);
}

TEST(Solve, ResolvedCaseSolvesTheSameCase) {
  const TemporaryFolder folder;
  const std::string first = (folder.path() / "first").string(),
                    second = (folder.path() / "second").string();
  const Json a = solve(small_sphere(320, first));
  const Json b = solve({first + "/case.resolved.toml", "--output", second});
  EXPECT_EQ(a["results"], b["results"]);
  EXPECT_EQ(a["solver"]["iterations"], b["solver"]["iterations"]);
  EXPECT_EQ(a["verify"], b["verify"]);
  EXPECT_EQ(read_text(first + "/residuals.csv"), read_text(second + "/residuals.csv"));
}

TEST(Solve, DryRunSolvesAndWritesNothing) {
  const TemporaryFolder folder;
  const std::string results = (folder.path() / "results").string();
  const Outcome outcome =
      run_program({"solve", example("sphere/sphere.toml"), "--output", results, "--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("the case can be solved"), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(results));
}

TEST(Solve, DryRunKeepsThreadsAndQuiet) {
  const std::vector<std::string> dry{"solve", example("sphere/sphere.toml"), "--dry-run"};
  for (const std::string threads : {"1", "3"}) {
    const Outcome outcome = run_program(with(dry, {"--threads", threads, "--json", "-"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out)["estimate"]["threads"], std::stoi(threads));
  }
  const Outcome quiet = run_program(with(dry, {"--quiet"}));
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err + quiet.out, "");
}

// The number asked for holds to the end of the run, also where Gmsh, which sets its own, reads a mesh.
TEST(Solve, KeepsTheThreadsAskedFor) {
  const TemporaryFolder folder;
  folder.write("body.msh", msh_text(octahedron_nodes, octahedron_triangles));
  const auto file = folder.write("case.toml", "version = 1\n[mesh]\nfile = \"body.msh\"\n");
  for (const std::string threads : {"1", "3"}) {
    const Json s = solve({file.string(), "--threads", threads});
    EXPECT_EQ(s["host"]["threads"], std::stoi(threads));
  }
}

TEST(Solve, QuietSaysNothing) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_program(with({"solve", "--quiet"}, small_sphere(80, folder.path().string())));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err + outcome.out, "");
}

}  // namespace
}  // namespace rankine::cases
