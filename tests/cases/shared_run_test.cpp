// Runs that several processes share: the results of one process, and how they end.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::testing {
namespace {

/// While it lives, the program is started as this many processes.
class AsProcesses {
 public:
  explicit AsProcesses(int count) {
    ::setenv("RANKINE_PROGRAM", RANKINE_SHARED_PROGRAM_FILE, 1);
    ::setenv("RANKINE_TEST_PROCESSES", std::to_string(count).c_str(), 1);
  }
  ~AsProcesses() { ::unsetenv("RANKINE_PROGRAM"); }
  AsProcesses(const AsProcesses&) = delete;
  AsProcesses& operator=(const AsProcesses&) = delete;
};

/// Every number of `one` is that of `other` within `tolerance` of the largest number of its array.
void expect_near(const nlohmann::json& one, const nlohmann::json& other, double tolerance,
                 const std::string& where) {
  ASSERT_EQ(one.type(), other.type()) << where;
  if (one.is_object()) {
    ASSERT_EQ(one.size(), other.size()) << where;
    for (const auto& [key, value] : one.items()) {
      if (key == "steps_per_second") continue;
      ASSERT_TRUE(other.contains(key)) << where << "." << key;
      expect_near(value, other.at(key), tolerance, where + "." + key);
    }
  } else if (one.is_array()) {
    ASSERT_EQ(one.size(), other.size()) << where;
    for (std::size_t i = 0; i < one.size(); ++i)
      expect_near(one[i], other[i], tolerance, where + "[" + std::to_string(i) + "]");
  } else if (one.is_number()) {
    EXPECT_NEAR(one.get<double>(), other.get<double>(),
                tolerance * std::max(1.0, std::abs(one.get<double>())))
        << where;
  } else {
    EXPECT_EQ(one, other) << where;
  }
}

/// Of seconds and bytes over processes.
void expect_spread(const nlohmann::json& processes) {
  std::vector<nlohmann::json> each = {processes.at("bytes_sent")};
  for (const auto& seconds : processes.at("seconds")) each.push_back(seconds);
  EXPECT_GE(each.size(), 5u);
  EXPECT_GT(each.front().at("least").get<double>(), 0.0);
  for (const nlohmann::json& of_all : each) {
    EXPECT_LE(of_all.at("least"), of_all.at("mean").get<double>() * (1.0 + 1e-12));
    EXPECT_LE(of_all.at("mean"), of_all.at("most").get<double>() * (1.0 + 1e-12));
  }
}

// The cases have sizes, speeds and densities of about 1, so that forces that vanish are compared
// with 1. Solutions are accurate to the tolerance of the solver, 1e-6, times the condition of the
// equations.
TEST(SharedRun, HasTheResultsOfOneProcess) {
  struct Case {
    int processes;
    std::string file;
    std::vector<std::string> set;
  };
  const std::vector<Case> cases = {
      {8, "sphere/sphere.toml", {"mesh.panels=1280", "verify.max_error={potential_l2=1.0}"}},
      {5, "wing/wing.toml", {"mesh.panels=[30, 12]"}},
      {2, "dielectric-sphere/dielectric-sphere.toml", {"mesh.panels=1280"}},
      {3, "capacitor/cube.toml", {}},
      {5, "vortex-ring/leapfrog.toml", {"time.steps=2"}}};
  for (const auto& each : cases) {
    const TemporaryFolder folder;
    const auto arguments = [&](const std::string& results) {
      std::vector<std::string> all = {example(each.file), "--output",
                                      (folder.path() / results).string(), "--backend", "cpu"};
      for (const std::string& key : each.set) {
        all.emplace_back("--set");
        all.push_back(key);
      }
      return all;
    };
    const nlohmann::json one = solve(arguments("one"));
    const AsProcesses shared(each.processes);
    const nlohmann::json several = solve(arguments("several"));
    expect_near(one.at("results"), several.at("results"), 2e-5, each.file);
    EXPECT_EQ(one.at("files"), several.at("files"));
    EXPECT_FALSE(one.contains("processes"));
    if (several.contains("processes")) expect_spread(several.at("processes"));
    for (const auto& file : several.at("files"))
      EXPECT_TRUE(std::filesystem::exists(folder.path() / "several" / file.get<std::string>()));
  }
}

TEST(SharedRun, TimesSumsThatKeepTheirTolerance) {
  const AsProcesses shared(2);
  const Outcome outcome = run_program({"bench", "--n", "6e3", "--tolerance", "1e-4", "--repeat",
                                       "2", "--backend", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto found = nlohmann::json::parse(outcome.out);  // of the first process alone
  EXPECT_EQ(found.at("processes"), 2);
  EXPECT_LE(found.at("error").at("potential").get<double>(), 1e-4);
}

TEST(SharedRun, SolvesByPetscWithTheIterationsOfOurGmres) {
#ifndef RANKINE_PETSC
  GTEST_SKIP() << "this build has no module with PETSc";
#endif
  const TemporaryFolder folder;
  const auto arguments = [&](const std::string& krylov) {
    return std::vector<std::string>{example("torus/torus.toml"),
                                    "-o",
                                    (folder.path() / krylov).string(),
                                    "--backend",
                                    "cpu",
                                    "--set",
                                    "mesh.panels=1000",
                                    "--set",
                                    "output.probe=[]",
                                    "--set",
                                    "solver.krylov=\"" + krylov + "\""};
  };
  const nlohmann::json own = solve(arguments("own"));
  for (const int count : {1, 3}) {
    std::optional<AsProcesses> shared;
    if (count > 1) shared.emplace(count);
    const nlohmann::json found = solve(arguments("petsc"));
    EXPECT_NEAR(found["solver"]["iterations"].get<int>(), own["solver"]["iterations"].get<int>(),
                1);
    expect_near(own.at("results"), found.at("results"), 2e-5, "results");
  }
}

TEST(SharedRun, RefusesWhatPetscRefuses) {
#ifndef RANKINE_PETSC
  GTEST_SKIP() << "this build has no module with PETSc";
#endif
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {"solve",     example("torus/torus.toml"),
                                              "-o",        (folder.path() / "results").string(),
                                              "--backend", "cpu",
                                              "--set",     "mesh.panels=200",
                                              "--set",     "solver.krylov=\"petsc\""};
  ::setenv("PETSC_OPTIONS", "-pc_type ilu", 1);
  for (const int count : {1, 2}) {
    std::optional<AsProcesses> shared;
    if (count > 1) shared.emplace(count);
    EXPECT_TRUE(ended(run_program(arguments), 2, "PETSC_OPTIONS"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "results"));
  }
  ::unsetenv("PETSC_OPTIONS");
}

// The pieces replace the file of an earlier run, and are replaced by those of the next.
TEST(SharedRun, WritesLargeSurfacesInPieces) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {example("sphere/sphere.toml"),
                                              "-o",
                                              (folder.path() / "results").string(),
                                              "--backend",
                                              "cpu",
                                              "--set",
                                              "mesh.panels=320",
                                              "--set",
                                              "output.probe=[]",
                                              "--set",
                                              "verify.max_error={potential_l2=1.0}"};
  solve(arguments);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "results" / "surface.vtp"));
  ::setenv("RANKINE_PANELS_PER_FILE", "300", 1);
  const AsProcesses shared(3);
  solve(arguments);
  const nlohmann::json several = solve(arguments);
  ::unsetenv("RANKINE_PANELS_PER_FILE");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results" / "surface.vtp"));
  std::size_t written = 0;
  for (const auto& file : several.at("files")) {
    const std::string name = file.get<std::string>();
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "results" / name)) << name;
    written += name == "surface.pvtp" || name.rfind("surface_", 0) == 0 ? 1 : 0;
  }
  EXPECT_EQ(written, 4u);
}

TEST(SharedRun, EndsWithOneMessage) {
  const AsProcesses shared(3);
  const Outcome outcome = run_program({"solve", "missing.toml"});
  EXPECT_EQ(outcome.exit_code, 2);
  const auto first = outcome.err.find("missing.toml: no such case file");
  EXPECT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("no such case file", first + 20), std::string::npos) << outcome.err;
}

TEST(SharedRun, IsForSolves) {
  const AsProcesses shared(2);
  EXPECT_TRUE(ended(run_program({"check", example("sphere/sphere.toml")}), 2, "start one process"));
}

TEST(SharedRun, OnGpusNeedsThem) {
  const AsProcesses shared(2);
  const TemporaryFolder folder;
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  const Outcome outcome = run_program({"solve", example("sphere/sphere.toml"), "--backend", "cuda",
                                       "-o", (folder.path() / "results").string()});
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_TRUE(ended(outcome, 6, "--backend cpu"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results"));
}

}  // namespace
}  // namespace rankine::testing
