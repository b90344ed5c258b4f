// A run keeps the user's files, and the command with which it says how to continue can be run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;
using Json = nlohmann::json;

using UserFiles = testing::FolderTest;

/// A solve and its dry run are refused with `text`, before anything is computed.
void expect_refused(const std::vector<std::string>& arguments, const std::string& text) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--dry-run"}, {}}) {
    const Outcome outcome = run_program(with(arguments, more));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(says(outcome, text));
    EXPECT_FALSE(says(outcome, "iteration    residual"));
  }
}

/// Runs the command that `outcome` prints after "go on with: ", as a shell does.
int follow_advice(const Outcome& outcome) {
  const std::string mark = "go on with: ";
  const std::size_t begin = outcome.err.find(mark);
  EXPECT_NE(begin, std::string::npos) << outcome.err;
  if (begin == std::string::npos) return -1;
  const std::size_t end = outcome.err.find('\n', begin);
  const std::string command = outcome.err.substr(begin + mark.size(), end - begin - mark.size());
  return WEXITSTATUS(std::system((command + " 2>/dev/null").c_str()));
}

TEST_F(UserFiles, AMeshBesideTheResultsIsNotReplaced) {
  const fs::path place = folder().path();
  ASSERT_EQ(run_program(with({"solve"}, small_sphere(320, in_folder("first").string()))).exit_code,
            0);
  fs::copy_file(in_folder("first/surface.vtp"), in_folder("surface.vtp"));
  fs::remove_all(in_folder("first"));
  const std::string mesh = read_text(in_folder("surface.vtp"));
  const std::string of = "version = 1\n[mesh]\nfile = \"surface.vtp\"\n";
  const fs::path file = folder().write("case.toml", of + "[output]\ndirectory = \".\"\n");
  expect_refused({"solve", file.string()}, "surface.vtp: is an input of the case");
  expect_refused({"solve", file.string(), "--force"}, "surface.vtp: is an input of the case");
  EXPECT_EQ(run_program({"check", file.string()}).exit_code, 2);
  EXPECT_EQ(read_text(in_folder("surface.vtp")), mesh);
  EXPECT_EQ(names_in(place), (std::set<std::string>{"surface.vtp", "case.toml"}));
  EXPECT_EQ(
      run_program({"check", in_folder("surface.vtp").string(), "-o", place.string()}).exit_code, 0)
      << "nothing to mark, nothing to write";
}

TEST_F(UserFiles, ParticlesOfAnEarlierRunStayWhereTheyAreRead) {
  const fs::path results = in_folder("results"), first = results / "particles_000000.vtp";
  const auto solve = [&](const std::string& particles) {
    const fs::path file = folder().write(
        "case.toml", "version = 1\n[problem]\nkind = \"gravity\"\n[particles]\nsoftening = 0.1\n" +
                         particles + "\n[time]\nstep = 0.01\nsteps = 2\n");
    return std::vector<std::string>{"solve", file.string()};
  };
  const auto made = solve("generator = \"plummer\"\nn = 200");
  ASSERT_EQ(run_program(made).exit_code, 0);
  const std::string contents = read_text(first);
  expect_refused(solve("generator = \"file\"\nfile = \"results/particles_000000.vtp\""),
                 "particles_000000.vtp: is an input of the case");
  EXPECT_EQ(read_text(first), contents);

  fs::remove(results / "summary.json");
  const auto again = solve("generator = \"plummer\"\nn = 200");
  expect_refused(again, "exists, and no summary.json lists it");
  EXPECT_EQ(run_program(with(again, {"--force"})).exit_code, 0);
}

// What a run refuses to replace before it begins is what it writes: each file that it has written
// is refused if it lies in a folder without a summary.
TEST_F(UserFiles, EveryFileThatIsWrittenIsDeclared) {
  folder().write("taps.csv", "x,y,z\n0,0,-2\n");
  folder().write("hull.obj",
                 "v 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\nv 0 0 -1\n"
                 "f 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n");
  const fs::path file = folder().write("case.toml", R"(version = 1
[mesh]
file = "hull.obj"
[problem]
symmetry = ["z"]
free_surface = "z"
added_mass = true
[[output.probe]]
name = "plane"
kind = "plane"
origin = [-2, -2, 0]
size = [4, 4, 0]
cells = [4, 4, 1]
[[output.probe]]
name = "taps"
kind = "points"
file = "taps.csv"
[[output.section]]
name = "midship"
origin = [0, 0, 0]
normal = [1, 0, 0]
[[output.streamlines]]
name = "rake"
kind = "line"
from = [-2, 0, -1]
to = [-2, 0, -2]
count = 3
)");
  const fs::path results = in_folder("results"), other = in_folder("other");
  const auto solve = [&](const fs::path& place) {
    return std::vector<std::string>{"solve", file.string(), "--output", place.string()};
  };
  ASSERT_EQ(run_program(solve(results)).exit_code, 0);
  ASSERT_EQ(run_program(solve(results)).exit_code, 0) << "files of an earlier run are its own";
  const std::set<std::string> written = names_in(results);
  EXPECT_EQ(written.size(), 15u);
  for (const std::string& name : written) {
    fs::create_directory(other);
    std::ofstream(other / name) << "mine";
    const Outcome outcome = run_program(with(solve(other), {"--dry-run"}));
    EXPECT_EQ(outcome.exit_code, 2) << name;
    EXPECT_TRUE(says(outcome, name + ": exists, and no summary.json lists it"));
    fs::remove_all(other);
  }
  // Where points are read is where nothing is written.
  fs::create_directory(other);
  fs::create_hard_link(in_folder("taps.csv"), other / "midship.csv");
  expect_refused(with(solve(other), {"--force"}), "midship.csv: is an input of the case");
}

// After exit code 4, with every argument of the call, of whatever characters.
TEST_F(UserFiles, AnUnconvergedSolveCanBeResumedAsItSays) {
  const fs::path results = in_folder("it's here; $HOME \"and\" there");
  const std::vector<std::string> arguments =
      with({"solve"}, with(small_sphere(320, results.string()),
                           {"--set", "solver.max_iterations=1", "--backend", "cpu", "--set",
                            "problem.velocity=[2.0, 0.0, 0.0]"}));
  const Outcome stopped = run_program(arguments);
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(says(stopped, "iteration 1 is saved, go on with: "));
  EXPECT_TRUE(fs::exists(results / "checkpoint.bin"));
  EXPECT_EQ(run_program(with(arguments, {"--dry-run"})).exit_code, 0);

  // Of another mesh with as many panels, and of another condition: refused before it solves.
  const Json first = Json::parse(read_text(results / "summary.json"));
  for (const std::string other : {"mesh.radius=1.001", "mesh.panels=1280"}) {
    const Outcome refused = run_program(with(arguments, {"--resume", "--set", other}));
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_TRUE(says(refused, "run without --resume"));
  }
  int code = follow_advice(stopped);
  for (int more = 0; more < 20 && code == 4; ++more) {
    const Json summary = Json::parse(read_text(results / "summary.json"));
    EXPECT_EQ(summary["problem"]["velocity"][0], 2.0);
    code = follow_advice(stopped);
  }
  EXPECT_EQ(code, 0);
  const Json last = Json::parse(read_text(results / "summary.json"));
  EXPECT_LT(last["solver"]["true_residual"], first["solver"]["true_residual"]);
  EXPECT_FALSE(fs::exists(results / "checkpoint.bin")) << "it would mislead";
}

// The summary is the last file of a run. Without it there are results of nobody.
TEST_F(UserFiles, ResultsThatAreNotCompleteSaySoAndAreReplaced) {
  const fs::path results = in_folder("results");
  const std::vector<std::string> arguments =
      with({"solve"}, set(small_sphere(320, results.string()), {"solver.max_iterations=1"}));
  ASSERT_EQ(run_program(arguments).exit_code, 4);
  fs::rename(results / "summary.json", results / "unfinished.json");
  const Outcome checked = run_program(with(arguments, {"--dry-run"}));
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_TRUE(says(checked, "an earlier run was stopped while it put its results in place"));
  const Outcome resumed =
      run_program(with(arguments, {"--resume", "--set", "solver.max_iterations=50"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(says(resumed, "what it left is not complete"));
  const Json summary = Json::parse(read_text(results / "summary.json"));
  EXPECT_EQ(names_in(results), summary["files"].get<std::set<std::string>>());
}

}  // namespace
}  // namespace rankine::cases
