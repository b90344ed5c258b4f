// The program on cases of particles: results, conservation, runs that are interrupted and resumed.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using testing::entries;
using testing::example;
using testing::names_in;
using testing::Outcome;
using testing::read_text;
using testing::run_program;
using testing::TemporaryFolder;
using testing::with;

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The example with few bodies and steps, and expansions.
std::vector<std::string> cluster(const fs::path& results, int steps, int bodies = 3000) {
  return {"solve",    example("plummer/plummer.toml"),
          "--set",    "time.steps=" + std::to_string(steps),
          "--set",    "particles.n=" + std::to_string(bodies),
          "--set",    "output.every=20",
          "--set",    "output.checkpoint_every=30",
          "--output", results.string()};
}

TEST(Particles, GiveASeriesForParaView) {
  const TemporaryFolder folder;
  const Json summary = testing::solve(with(cluster(folder.path(), 50), {"--backend", "cpu"}));
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(summary["problem"]["particles"], 3000);
  EXPECT_EQ(summary["time"]["steps_done"], 50);
  const std::set<std::string> expected{"particles_000000.vtp", "particles_000020.vtp",
                                       "particles_000040.vtp", "particles_000050.vtp",
                                       "particles.pvd",        "monitors.csv",
                                       "case.resolved.toml",   "summary.json"};
  EXPECT_EQ(names_in(folder.path()), expected);
  EXPECT_EQ(summary["files"].get<std::set<std::string>>(), expected);
  const std::string collection = read_text(folder.path() / "particles.pvd");
  EXPECT_NE(collection.find("particles_000040.vtp"), std::string::npos);
  EXPECT_NE(collection.find("timestep=\"0.4"), std::string::npos) << collection;
  EXPECT_LE(summary["results"]["energy_drift"], 1e-4);
  // Errors of single forces are up to 1e-4 of their size and of any direction: sums of 3000 of them
  // over 50 kicks of half a per cent of a speed stay far below.
  EXPECT_LE(summary["results"]["momentum_drift"], 1e-5);
  // The sampling error of 3000 bodies, four deviations of it.
  EXPECT_NEAR(summary["results"]["virial_ratio"], 1.0, 0.07);
  EXPECT_GT(summary["results"]["steps_per_second"], 0.0);

  const fs::path again = folder.path() / "again";
  EXPECT_EQ(run_program({"solve", (folder.path() / "case.resolved.toml").string(), "--backend",
                         "cpu", "--output", again.string()})
                .exit_code,
            0);
  EXPECT_EQ(read_text(again / "monitors.csv"), read_text(folder.path() / "monitors.csv"));
}

void expect_same_particles(const fs::path& found, const fs::path& expected) {
  EXPECT_EQ(names_in(found), names_in(expected));
  for (const std::string& name : names_in(expected)) {
    if (name.starts_with("particles") || name == "monitors.csv")
      EXPECT_TRUE(read_text(found / name) == read_text(expected / name)) << name;
  }
}

TEST(Particles, GoOnAfterAnInterruptWithTheSameBits) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  constexpr int steps = 110;
  ASSERT_EQ(run_program(cluster(whole, steps)).exit_code, 0);
  // Between two checkpoints, and soon after one.
  for (const std::string after : {"\n        20  ", "\n        60  "}) {
    const Outcome stopped = run_program(
        with(cluster(parts, steps),
             after[9] == '6' ? std::vector<std::string>{"--resume"} : std::vector<std::string>{}),
        {.signal = SIGTERM, .when = after});
    ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
    EXPECT_NE(stopped.err.find("is saved, go on with: rankine solve"), std::string::npos);
    EXPECT_TRUE(fs::exists(parts / "checkpoint.bin"));
    const Json summary = Json::parse(read_text(parts / "summary.json"));
    EXPECT_EQ(summary["status"], "interrupted");
    for (const auto& name : summary["files"])
      EXPECT_TRUE(fs::exists(parts / name.get<std::string>())) << name;
  }
  ASSERT_EQ(run_program(with(cluster(parts, steps), {"--resume"})).exit_code, 0);
  expect_same_particles(parts, whole);
}

TEST(Particles, GoOnFromTheLastCheckpointOfARunThatWasKilled) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  constexpr int steps = 80;
  ASSERT_EQ(run_program(cluster(whole, steps)).exit_code, 0);
  ASSERT_EQ(
      run_program(cluster(parts, steps), {.signal = SIGKILL, .when = "\n        40  "}).exit_code,
      128 + SIGKILL);
  EXPECT_EQ(Json::parse(read_text(parts / "summary.json"))["status"], "running");
  const Outcome other =
      run_program(with(cluster(parts, steps), {"--resume", "--set", "time.step=0.02"}));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("the checkpoint is of another case"), std::string::npos) << other.err;
  ASSERT_EQ(run_program(with(cluster(parts, steps), {"--resume"})).exit_code, 0);
  expect_same_particles(parts, whole);
}

TEST(Particles, AreCheckedWithoutATrace) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = cluster(folder.path() / "results", 100);
  arguments[0] = "check";
  const Outcome checked = run_program(arguments);
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_NE(checked.out.find("the case can be solved"), std::string::npos) << checked.out;
  EXPECT_NE(checked.out.find("3 000 particles"), std::string::npos) << checked.out;
  const Outcome dry = run_program(with(cluster(folder.path() / "results", 100), {"--dry-run"}));
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(Particles, BadCasesExitWithTwoAndLeaveNothing) {
  const TemporaryFolder folder;
  for (const std::string change :
       {"time.steps=0", "particles.generator=file", "mesh.shape=sphere", "problem.kind=flow",
        "particles.softening=-1", "time.scheme=rk3"}) {
    const Outcome outcome =
        run_program(with(cluster(folder.path() / "results", 10), {"--set", change}));
    EXPECT_EQ(outcome.exit_code, 2) << change << outcome.err;
    EXPECT_NE(outcome.err.find("error: "), std::string::npos) << outcome.err;
    EXPECT_EQ(entries(folder.path()), 0u) << change;
  }
  const Outcome resumed = run_program(with(cluster(folder.path() / "results", 10), {"--resume"}));
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_NE(resumed.err.find("no checkpoint to resume from"), std::string::npos) << resumed.err;
  EXPECT_EQ(entries(folder.path()), 0u);
}

}  // namespace
}  // namespace rankine::cases
