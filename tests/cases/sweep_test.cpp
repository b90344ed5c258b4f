// rankine sweep: the cases of [sweep], what they share, and what survives a bad one and a kill.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Sweep : public FolderTest {
 protected:
  fs::path results() const { return in_folder("results"); }

  /// A case with this table [sweep] and further lines of [problem].
  std::string case_file(const std::string& mesh, const std::string& sweep,
                        const std::string& problem = "") const {
    return folder()
        .write("case.toml", "version = 1\n[mesh]\n" + mesh + "\n[problem]\n" + problem +
                                "\n[solver]\ntolerance = 1e-8\n[sweep]\n" + sweep + "\n")
        .string();
  }
  Outcome sweep(const std::string& file, const std::vector<std::string>& more = {}) const {
    return run_program(with({"sweep", file}, more));
  }
  Json summary(const std::string& of) const {
    return Json::parse(read_text(results() / of / "summary.json"));
  }
  /// The rows of sweep.csv below its heading.
  std::vector<std::string> rows() const {
    std::istringstream stream(read_text(results() / "sweep.csv"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    EXPECT_FALSE(lines.empty());
    if (!lines.empty()) lines.erase(lines.begin());
    return lines;
  }
};

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

/// Values of two solves, which differ by the tolerance times the condition of the system and that
/// of gradients from panel to panel, below 1000 together.
void expect_near(const Json& a, const Json& b, double scale) {
  EXPECT_NEAR(a.get<double>(), b.get<double>(), 1e3 * 1e-8 * scale);
}

// Four streams of several bodies: one part, and in it the answers of four solves.
TEST_F(Sweep, OfStreamsGivesWhatSingleSolvesGive) {
  for (const std::string mesh : {"shape = \"ellipsoid\"\npanels = 320\n",
                                 "shape = \"box\"\npanels = 300\nsize = [2.0, 1.0, 0.5]\n",
                                 "shape = \"torus\"\npanels = 500\n"}) {
    const std::string file = case_file(mesh, "alpha = [0, 8]\nbeta = [-5, 5]", "speed = 2.0");
    const Outcome plan = sweep(file, {"--dry-run"});
    EXPECT_EQ(count(plan.out, "\n   1  case_00"), 4u) << plan.out;
    const Outcome found = sweep(file);
    ASSERT_EQ(found.exit_code, 0) << found.err;
    EXPECT_EQ(count(found.err, "converged"), 4u) << found.err;
    EXPECT_EQ(rows().size(), 4u);
    int k = 0;
    for (const std::string alpha : {"0", "8"}) {
      for (const std::string beta : {"-5", "5"}) {
        const Json alone = solve({file, "--quiet", "--output", in_folder("alone").string(), "--set",
                                  "problem.alpha=" + alpha, "--set", "problem.beta=" + beta});
        const Json swept = summary("case_00" + std::to_string(++k));
        EXPECT_EQ(swept["problem"]["velocity"], alone["problem"]["velocity"]);
        EXPECT_LE(swept["solver"]["true_residual"].get<double>(), 1e-8);
        for (const char* key : {"U_max", "Cp_min", "phi_max"})
          expect_near(swept["results"][key], alone["results"][key], 5.0);
        for (int axis = 0; axis < 3; ++axis) {
          expect_near(swept["results"]["added_mass"][axis], alone["results"]["added_mass"][axis],
                      2.0);
          // Pressures of order 2 Pa over areas of order 20 m^2 at 2 m.
          expect_near(swept["results"]["moment"][axis], alone["results"]["moment"][axis], 80.0);
        }
        EXPECT_EQ(read_text(results() / ("case_00" + std::to_string(k)) / "case.resolved.toml"),
                  read_text(in_folder("alone") / "case.resolved.toml"));
      }
    }
  }
}

TEST_F(Sweep, WritesOneFolderPerCaseAndOneTable) {
  const std::string file =
      case_file("shape = \"sphere\"\npanels = 320",
                "velocity = [[1, 0, 0], [0, 2, 0]]\nmesh.panels = [320, 1280]");
  const Outcome found = sweep(file, {"--json"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(names_in(results()),
            (std::set<std::string>{"case_001", "case_002", "case_003", "case_004", "sweep.csv",
                                   "sweep.json", "sweep.nc", "sweep.pvd"}));
  EXPECT_EQ(Json::parse(found.out), Json::parse(read_text(results() / "sweep.json")));
  // The last key is the fastest.
  EXPECT_EQ(summary("case_002")["mesh"]["panels"], 1280);
  EXPECT_EQ(summary("case_002")["problem"]["velocity"], Json({1.0, 0.0, 0.0}));
  EXPECT_EQ(summary("case_003")["problem"]["velocity"], Json({0.0, 2.0, 0.0}));
  const std::string csv = read_text(results() / "sweep.csv");
  EXPECT_TRUE(csv.starts_with("case,velocity_x,velocity_y,velocity_z,mesh.panels,status,")) << csv;
  EXPECT_TRUE(says(csv, "\ncase_003,0,2,0,320,converged,0,"));
  const std::string pvd = read_text(results() / "sweep.pvd");
  for (int k = 1; k <= 4; ++k)
    EXPECT_TRUE(says(pvd, "case_00" + std::to_string(k) + "/surface.vtp"));
}

TEST_F(Sweep, ZipsValuesOneByOne) {
  const std::string file = case_file("shape = \"sphere\"\npanels = 320",
                                     "combine = \"zip\"\nspeed = [1, 2]\nalpha = [3, 4]");
  ASSERT_EQ(sweep(file).exit_code, 0);
  ASSERT_EQ(rows().size(), 2u);
  EXPECT_TRUE(rows()[1].starts_with("case_002,2,4,converged")) << rows()[1];
}

// Four meshes are solved beside one that is missing and one that is open.
TEST_F(Sweep, SurvivesBrokenMeshes) {
  std::string files;
  for (int k = 0; k < 6; ++k) {
    const std::string name = "body" + std::to_string(k) + ".msh";
    files += (k == 0 ? "\"" : ", \"") + name + "\"";
    if (k == 2) continue;
    ASSERT_EQ(run_program({"mesh", "sphere", "--panels", "80", "--radius", std::to_string(1 + k),
                           "--output", in_folder(name).string()})
                  .exit_code,
              0);
  }
  folder().write("body4.msh", read_text(in_folder("body4.msh")).substr(0, 2000));
  const std::string file = case_file("file = \"body0.msh\"", "file = [" + files + "]");
  const Outcome found = sweep(file);
  EXPECT_EQ(found.exit_code, 3) << found.err;  // of the first that failed
  ASSERT_EQ(rows().size(), 6u);
  for (int k = 0; k < 6; ++k) {
    const std::string row = rows()[static_cast<std::size_t>(k)];
    const bool broken = k == 2 || k == 4;
    EXPECT_EQ(count(row, ",converged,0,"), broken ? 0u : 1u) << row;
    EXPECT_EQ(count(row, ",failed,3,"), broken ? 1u : 0u) << row;
    EXPECT_EQ(fs::exists(results() / row.substr(0, 8) / "surface.vtp"), !broken);
  }
  EXPECT_TRUE(says(rows()[2], "there is no mesh file"));
  EXPECT_TRUE(says(found.err, "4 of 6"));
}

TEST_F(Sweep, ListsCasesThatCannotBeRead) {
  const std::string file =
      case_file("shape = \"sphere\"\npanels = 320", "solver.tolerance = [1e-4, 2.0, 1e-5]");
  const Outcome found = sweep(file);
  EXPECT_EQ(found.exit_code, 2);
  ASSERT_EQ(rows().size(), 3u);
  EXPECT_TRUE(says(rows()[1], ",failed,2,"));
  EXPECT_TRUE(says(rows()[1], "solver.tolerance must be between"));
}

// A kill leaves whole cases; --resume keeps these as they are and solves the others.
TEST_F(Sweep, GoesOnAfterAKill) {
  const std::string file =
      case_file("shape = \"sphere\"\npanels = 320", "mesh.panels = [320, 1280, 20480, 24500]");
  const Outcome killed =
      run_program({"sweep", file}, {.signal = SIGKILL, .when = "case_002 (2/4)"});
  EXPECT_EQ(killed.exit_code, 128 + SIGKILL);
  EXPECT_FALSE(fs::exists(results() / "sweep.csv"));
  const auto written = fs::last_write_time(results() / "case_001" / "summary.json");
  const Outcome resumed = sweep(file, {"--resume"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(fs::last_write_time(results() / "case_001" / "summary.json"), written);
  EXPECT_GE(count(resumed.err, "of an earlier run"), 2u) << resumed.err;
  EXPECT_EQ(rows().size(), 4u);
  EXPECT_EQ(summary("case_004")["mesh"]["panels"], 24500);
  // The table is that of a sweep in one go.
  const std::string table = read_text(results() / "sweep.csv");
  ASSERT_EQ(sweep(file, {"--resume"}).exit_code, 0);
  EXPECT_EQ(read_text(results() / "sweep.csv"), table);
}

TEST_F(Sweep, IsInterruptedWithAdvice) {
  const std::string file =
      case_file("shape = \"sphere\"\npanels = 320", "mesh.panels = [320, 81920, 163840]");
  const Outcome stopped =
      run_program({"sweep", file}, {.signal = SIGINT, .when = "case_001 (1/3)"});
  EXPECT_TRUE(ended(stopped, 130, "--resume"));
}

// What is kept is of the same keys and of files that have not changed.
TEST_F(Sweep, SolvesAgainWhatHasChanged) {
  const auto mesh = [&](const char* radius) {
    run_program({"mesh", "sphere", "--panels", "80", "--radius", radius, "--output",
                 in_folder("body.msh").string()});
  };
  mesh("1");
  const std::string file = case_file("file = \"body.msh\"", "speed = [1, 2]");
  ASSERT_EQ(sweep(file).exit_code, 0);
  Outcome again = sweep(file, {"--resume"});
  EXPECT_EQ(count(again.err, "of an earlier run"), 2u);
  again = sweep(file, {"--resume", "--set", "problem.density=3.0"});
  EXPECT_EQ(count(again.err, "of an earlier run"), 0u);
  mesh("2");
  fs::last_write_time(
      in_folder("body.msh"),
      fs::last_write_time(results() / "case_002" / "summary.json") + std::chrono::seconds(1));
  again = sweep(file, {"--resume", "--set", "problem.density=3.0"});
  EXPECT_EQ(count(again.err, "of an earlier run"), 0u) << again.err;
}

TEST_F(Sweep, IsSolvedPartByPart) {
  const std::string file =
      case_file("shape = \"sphere\"\npanels = 320", "mesh.panels = [320, 1280]\nspeed = [1, 2]");
  const Outcome script = sweep(file, {"--slurm", in_folder("job.sh").string()});
  ASSERT_EQ(script.exit_code, 0) << script.err;
  const std::string text = read_text(in_folder("job.sh"));
  EXPECT_TRUE(says(text, "#SBATCH --array=1-2\n"));
  EXPECT_TRUE(says(text, "sweep " + file + " --resume --part \"$SLURM_ARRAY_TASK_ID\"\n"));
  EXPECT_FALSE(fs::exists(results()));
  for (const char* part : {"2", "1"})
    ASSERT_EQ(sweep(file, {"--resume", "--part", part}).exit_code, 0);
  EXPECT_EQ(names_in(results()),
            (std::set<std::string>{"case_001", "case_002", "case_003", "case_004"}));
  const Outcome table = sweep(file, {"--resume"});
  EXPECT_EQ(count(table.err, "of an earlier run"), 4u) << table.err;
  EXPECT_EQ(rows().size(), 4u);
  EXPECT_EQ(sweep(file, {"--part", "3"}).exit_code, 2);
}

TEST_F(Sweep, RefusesWhatIsNoSweep) {
  const std::string mesh = "shape = \"sphere\"\npanels = 320";
  for (const auto& [table, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "nothing to combine"},
           {"combine = \"zap\"\nalpha = [1]", "did you mean \"zip\"?"},
           {"alpa = [1, 2]", "did you mean \"alpha\"?"},
           {"alpha = 3", "sweep.alpha must be a list of values"},
           {"alpha = []", "must be a list of values"},
           {"alpha = [1]\nproblem.alpha = [2]", "problem.alpha twice"},
           {"combine = \"zip\"\nalpha = [1, 2]\nspeed = [1, 2, 3]", "lists of one length"}}) {
    const Outcome found = sweep(case_file(mesh, table));
    EXPECT_EQ(found.exit_code, 2) << table;
    EXPECT_TRUE(says(found.err, words));
    EXPECT_TRUE(says(found.err, "case.toml:"));
    EXPECT_FALSE(fs::exists(results()));
  }
  folder().write("plain.toml", "version = 1\n[mesh]\n" + mesh + "\n");
  EXPECT_TRUE(says(sweep(in_folder("plain.toml").string()).err, "no table [sweep]"));
}

TEST_F(Sweep, DoesNotReplaceATableOfTheUser) {
  const std::string file = case_file("shape = \"sphere\"\npanels = 80", "speed = [1, 2]");
  fs::create_directory(results());
  folder().write("results/sweep.csv", "mine");
  EXPECT_EQ(sweep(file).exit_code, 2);
  EXPECT_EQ(read_text(results() / "sweep.csv"), "mine");
  EXPECT_EQ(sweep(file, {"--force"}).exit_code, 0);
  EXPECT_EQ(sweep(file).exit_code, 0) << "its own";
}

// Solves of the case itself say that the table is left out.
TEST_F(Sweep, IsLeftOutBySolveWithAWarning) {
  const std::string file = case_file("shape = \"sphere\"\npanels = 80", "speed = [1, 2]");
  const Outcome found = run_program({"solve", file});
  EXPECT_TRUE(ended(found, 0, "rankine sweep"));
}

// Cases of particles have keys of their own, and go one by one.
TEST_F(Sweep, TakesParticles) {
  const std::string file =
      folder()
          .write(
              "case.toml",
              "version = 1\n[problem]\nkind = \"gravity\"\n[particles]\ngenerator = \"plummer\"\n"
              "n = 100\nsoftening = 0.1\n[time]\nstep = 0.1\nsteps = 2\n[sweep]\nn = [100, 200]\n")
          .string();
  const Outcome found = sweep(file);
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(rows().size(), 2u);
  EXPECT_EQ(count(sweep(file, {"--resume"}).err, "of an earlier run"), 2u);
}

}  // namespace
}  // namespace rankine::cases
