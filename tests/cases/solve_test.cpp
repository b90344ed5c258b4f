// rankine solve from end to end: files, and the contract of summary.json.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/support/octahedron.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;
using Json = nlohmann::json;

TEST(Solve, WritesWhatItPromises) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments =
      set(small_sphere(320, folder.path().string()),
          {"output.probe=[{name=\"plane\", kind=\"plane\", origin=[-2, -2, 0], size=[4, 4, 0], "
           "cells=[4, 4, 1]}, {name=\"line\", kind=\"line\", from=[0, 0, -2], to=[0, 0, 2], "
           "count=5}]"});
  const Json s = solve(arguments);
  const std::set<std::string> present = names_in(folder.path());
  EXPECT_EQ(present, (std::set<std::string>{"surface.vtp", "plane.vti", "line.vtp", "residuals.csv",
                                            "case.resolved.toml", "view.py", "summary.json"}));
  EXPECT_EQ(s["files"].get<std::set<std::string>>(), present);
  EXPECT_EQ(Json::parse(read_text(folder.path() / "summary.json")), s);
  EXPECT_EQ(read_text(folder.path() / "view.py"), read_text(example("view.py")));
  const std::string csv = read_text(folder.path() / "residuals.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2 + s["solver"]["iterations"].get<int>());
  EXPECT_FALSE(says(read_text(folder.path() / "surface.vtp"), "<AppendedData"));
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
      {"fmm",
       {"backend", "method", "precision", "tolerance", "tolerance_used", "raised", "order", "depth",
        "samples", "sampled_error", "sampled_errors"}},
      {"solver", {"formulation", "iterations", "residual", "true_residual", "restart"}},
      {"results", {"force", "Cp_min", "Cp_max", "U_max"}},
      {"verify", {"exact", "potential_l2", "velocity_l2", "velocity_max", "pass"}},
      {"seconds",
       {"mesh", "setup", "solve", "evaluate", "write", "total", "matvec", "check", "raise"}},
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

// A far field that misses its tolerance gives a warning, and the log has every refinement:
// results_test.cpp.
TEST(Solve, KeepsTheToleranceOfTheFarFieldOrWarns) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "box.toml";
  std::ofstream(file) << "version = 1\n[mesh]\nshape = \"box\"\npanels = 3000\n"
                         "[solver]\nbackend = \"cpu\"\ntolerance = 1e-6\n";
  const std::vector<std::string> arguments{
      "solve", file.string(), "--output", (folder.path() / "results").string(), "--json", "-"};

  const Outcome kept = run_program(arguments);
  ASSERT_EQ(kept.exit_code, 0) << kept.err;
  const Json good = Json::parse(kept.out);
  EXPECT_EQ(good["fmm"]["tolerance"], 1e-7);
  EXPECT_LE(good["fmm"]["tolerance_used"].get<double>(), 3.1e-7);  // sums err less at first
  EXPECT_LE(good["fmm"]["sampled_error"].get<double>(), 1.1e-7);
  EXPECT_EQ(good["fmm"]["sampled_errors"]["solution"], good["fmm"]["sampled_error"]);
  EXPECT_GE(good["fmm"]["samples"].get<int>(), 64);
  // The edges of the box are warned of, the far field is not.
  EXPECT_FALSE(says(good["warnings"].dump(), "fmm.tolerance")) << good["warnings"];

  const Outcome coarse = run_program(set(arguments, {"fmm.order=4"}));
  ASSERT_EQ(coarse.exit_code, 0) << coarse.err;
  const Json bad = Json::parse(coarse.out);
  EXPECT_EQ(bad["fmm"]["raised"], 0);
  EXPECT_EQ(bad["fmm"]["order"], 4);
  ASSERT_EQ(bad["warnings"].size(), good["warnings"].size() + 1);
  const std::string warning = bad["warnings"][0];
  EXPECT_TRUE(says(warning, "fmm.tolerance asks for 1.0e-07"));
  EXPECT_TRUE(says(warning, "fmm.order is given"));
  EXPECT_TRUE(says(coarse.err, "warning W25: " + warning));
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
  EXPECT_TRUE(says(outcome.out, "the case can be solved"));
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

// The number asked for holds to the end of the run, also where Gmsh, which sets its own, reads a
// mesh.
TEST(Solve, KeepsTheThreadsAskedFor) {
  const TemporaryFolder folder;
  const fs::path file = octahedron_case(folder);
  for (const std::string threads : {"1", "3"}) {
    const Json s = solve({file.string(), "--threads", threads});
    EXPECT_EQ(s["host"]["threads"], std::stoi(threads));
  }
}

/// What a run of the program shows on a terminal.
std::string on_terminal(const std::vector<std::string>& arguments) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ::grantpt(terminal);
  ::unlockpt(terminal);
  const int other_end =
      ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);  // so that it does not hang up at the end
  std::string shown;
  std::thread reader([&] {
    std::array<char, 4096> part{};
    while (shown.find("the end") == std::string::npos) {
      const ssize_t got = ::read(terminal, part.data(), part.size());
      if (got <= 0) return;
      shown.append(part.data(), static_cast<std::size_t>(got));
    }
  });
  ::setenv("TERM", "vt100", 1);
  EXPECT_EQ(run_program(arguments, {.err = ::ptsname(terminal)}).exit_code, 0);
  EXPECT_EQ(::write(other_end, "the end", 7), 7);
  reader.join();
  ::close(other_end);
  ::close(terminal);
  return shown;
}

TEST(Solve, NamesTheStagesOfSetUpAsTheyBeginAndTheirSecondsInTheLog) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments =
      with({"solve"}, small_sphere(320, folder.path().string()));
  const std::string log = run_program(arguments).err, shown = on_terminal(arguments);
  for (const std::string stage : {"near field", "far field", "right-hand side", "GMRES"}) {
    const std::size_t at = log.find("stage      " + stage);
    ASSERT_NE(at, std::string::npos) << log;
    EXPECT_EQ(log.substr(log.find('\n', at) - 1, 1), "s") << "no seconds: " << log;
    EXPECT_TRUE(says(shown, "\033[K  " + stage + " ..."));
  }
  EXPECT_FALSE(says(log, "\033")) << "nothing moves where there is no terminal";
  EXPECT_FALSE(says(log, "..."));
  const std::string quiet = on_terminal(with(arguments, {"--quiet"}));
  EXPECT_EQ(quiet, "the end");
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
