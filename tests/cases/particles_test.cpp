// The program on cases of particles: results, conservation, runs that are interrupted and resumed.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The example with few bodies and steps; more would be enough for direct sums.
std::vector<std::string> cluster(const fs::path& results, int steps, int bodies = 4200) {
  return set({example("plummer/plummer.toml"), "--output", results.string()},
             {"time.steps=" + std::to_string(steps), "particles.n=" + std::to_string(bodies),
              "particles.softening=0.03", "output.every=8", "output.checkpoint_every=12",
              "output.probe=[{name=\"plane\", kind=\"plane\", origin=[-1,-1,0], size=[2,2,0], "
              "cells=[9,9,1]}]"});
}

Outcome run_solve(const std::vector<std::string>& arguments,
                  const testing::Surroundings& surroundings = {}) {
  return run_program(with({"solve"}, arguments), surroundings);
}

TEST(Particles, GiveASeriesForParaView) {
  const TemporaryFolder folder;
  const Json summary = testing::solve(with(cluster(folder.path(), 20), {"--backend", "cpu"}));
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(summary["problem"]["particles"], 4200);
  EXPECT_EQ(summary["time"]["steps_done"], 20);
  const std::set<std::string> expected{"particles_000000.vtp",
                                       "particles_000008.vtp",
                                       "particles_000016.vtp",
                                       "particles_000020.vtp",
                                       "plane_000000.vti",
                                       "plane_000008.vti",
                                       "plane_000016.vti",
                                       "plane_000020.vti",
                                       "plane.pvd",
                                       "particles.pvd",
                                       "monitors.csv",
                                       "case.resolved.toml",
                                       "view.py",
                                       "summary.json"};
  EXPECT_EQ(names_in(folder.path()), expected);
  EXPECT_EQ(summary["files"].get<std::set<std::string>>(), expected);
  const std::string collection = read_text(folder.path() / "particles.pvd");
  EXPECT_TRUE(says(collection, "particles_000016.vtp"));
  EXPECT_TRUE(says(collection, "timestep=\"0.16"));
  EXPECT_LE(summary["results"]["energy_drift"], 1e-4);
  // Errors of single forces are up to 1e-4 of their size and of any direction: sums of 4200 of them
  // over 20 kicks of half a per cent of a speed stay far below.
  EXPECT_LE(summary["results"]["momentum_drift"], 1e-5);
  // The sampling error of 4200 bodies, four deviations of it.
  EXPECT_NEAR(summary["results"]["virial_ratio"], 1.0, 0.06);
  EXPECT_GT(summary["results"]["steps_per_second"], 0.0);
  EXPECT_GT(summary["results"]["sum_error"], 0.0) << "sums have expansions";
  EXPECT_LE(summary["results"]["sum_error"], 1e-4);
  EXPECT_EQ(summary["warnings"], Json::array());

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
    if (name == "summary.json") continue;  // has times
    EXPECT_TRUE(read_text(found / name) == read_text(expected / name)) << name;
  }
}

TEST(Particles, GoOnAfterAnInterruptWithTheSameBits) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  constexpr int steps = 44;
  ASSERT_EQ(run_solve(cluster(whole, steps)).exit_code, 0);
  // Between two checkpoints, and soon after one.
  std::vector<std::string> resume;
  for (const std::string after : {"\n         8  ", "\n        24  "}) {
    const Outcome stopped =
        run_solve(with(cluster(parts, steps), resume), {.signal = SIGTERM, .when = after});
    resume = {"--resume"};
    ASSERT_TRUE(ended(stopped, 130, "is saved, go on with: "));
    EXPECT_TRUE(fs::exists(parts / "checkpoint.bin"));
    const Json summary = Json::parse(read_text(parts / "summary.json"));
    EXPECT_EQ(summary["status"], "interrupted");
    for (const auto& name : summary["files"])
      EXPECT_TRUE(fs::exists(parts / name.get<std::string>())) << name;
  }
  ASSERT_EQ(run_solve(with(cluster(parts, steps), {"--resume"})).exit_code, 0);
  expect_same_particles(parts, whole);
}

TEST(Particles, GoOnFromTheLastCheckpointOfARunThatWasKilled) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  constexpr int steps = 28;
  ASSERT_EQ(run_solve(cluster(whole, steps)).exit_code, 0);
  ASSERT_EQ(
      run_solve(cluster(parts, steps), {.signal = SIGKILL, .when = "\n        16  "}).exit_code,
      128 + SIGKILL);
  EXPECT_EQ(Json::parse(read_text(parts / "summary.json"))["status"], "running");
  const Outcome other =
      run_solve(with(cluster(parts, steps), {"--resume", "--set", "time.step=0.02"}));
  EXPECT_TRUE(ended(other, 2, "the checkpoint is of another case"));
  ASSERT_EQ(run_solve(with(cluster(parts, steps), {"--resume"})).exit_code, 0);
  expect_same_particles(parts, whole);
}

// With --resume, since that is what a scheduler repeats.
TEST(Particles, BeginAgainAfterARunThatWasKilledBeforeItsFirstCheckpoint) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  const auto long_steps = [](const fs::path& results) {
    return set(cluster(results, 60), {"output.every=60", "output.checkpoint_every=60"});
  };
  ASSERT_EQ(run_solve(long_steps(whole)).exit_code, 0);
  ASSERT_EQ(run_solve(long_steps(parts), {.signal = SIGKILL, .when = "\n         0  "}).exit_code,
            128 + SIGKILL);
  const Outcome again = run_solve(with(long_steps(parts), {"--resume"}));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(says(again.err, "killed before its first checkpoint; this one begins at step 0"));
  expect_same_particles(parts, whole);
}

TEST(Particles, AreCheckedWithoutATrace) {
  const TemporaryFolder folder;
  const Outcome checked = run_program(with({"check"}, cluster(folder.path() / "results", 100)));
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_TRUE(says(checked.out, "the case can be solved"));
  EXPECT_TRUE(says(checked.out, "4 200 particles"));
  // Nine numbers of 8 bytes for each particle in each of 13 files are 3.9 MB; probes are added.
  EXPECT_TRUE(says(checked.out, "whose files take about 4.0 MB")) << checked.out;
  const Outcome dry = run_solve(with(cluster(folder.path() / "results", 100), {"--dry-run"}));
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(Particles, BadCasesExitWithTwoAndLeaveNothing) {
  const TemporaryFolder folder;
  for (const std::string change :
       {"time.steps=0", "particles.generator=file", "mesh.shape=sphere", "problem.kind=flow",
        "particles.softening=-1", "time.scheme=rk3", "particles.sigma=1"}) {
    const Outcome outcome = run_solve(set(cluster(folder.path() / "results", 10), {change}));
    EXPECT_EQ(outcome.exit_code, 2) << change << outcome.err;
    EXPECT_TRUE(says(outcome.err, "error: "));
    EXPECT_EQ(entries(folder.path()), 0u) << change;
  }
  const Outcome resumed = run_solve(with(cluster(folder.path() / "results", 10), {"--resume"}));
  EXPECT_TRUE(ended(resumed, 2, "no checkpoint to resume from"));
  EXPECT_EQ(entries(folder.path()), 0u);
}

/// The example of a line of particles.
std::vector<std::string> filament(const fs::path& results) {
  return {example("vortex-ring/filament.toml"), "--output", results.string(), "--backend", "cpu"};
}

TEST(Particles, OfARingMoveAsFastAsTheFilament) {
  const TemporaryFolder folder;
  const Json summary = testing::solve(filament(folder.path()));
  // Gamma/(4 pi R) int q(2 R sin(s)/sigma)/sin(s) ds, as tests/bem/vortices_test.cpp computes it.
  EXPECT_NEAR(summary["results"]["ring_speed"], 0.308818, 1e-6 * 10);
  EXPECT_LE(summary["results"]["impulse_drift"], 1e-5);
  EXPECT_LE(summary["results"]["vorticity_drift"], 1e-13);
  EXPECT_EQ(summary["time"]["stretching"], "transpose");
  const std::string heading = read_text(folder.path() / "monitors.csv");
  EXPECT_TRUE(heading.starts_with("step,time,total_vorticity_x,")) << heading.substr(0, 80);
}

TEST(Particles, OfVorticesGoOnWithTheSameBits) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  const std::vector<std::string> core{
      "particles.n=1200",
      "time.steps=6",
      "output.every=2",
      "output.checkpoint_every=3",
      "output.probe=[{name=\"line\", kind=\"line\", from=[0,0,-1], to=[0,0,1]}]",
      "particles.ring=[{core_radius=0.1}, {core_radius=0.1, centre=[0.4, 0.0, 0.3]}]"};
  ASSERT_EQ(run_solve(set(filament(whole), core)).exit_code, 0);
  const Outcome stopped =
      run_solve(set(filament(parts), core), {.signal = SIGINT, .when = "\n         4  "});
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  ASSERT_EQ(run_solve(with(set(filament(parts), core), {"--resume"})).exit_code, 0);
  expect_same_particles(parts, whole);
  const Json results = Json::parse(read_text(whole / "summary.json"))["results"];
  // Rings of radius 1 that leapfrog: the rear one contracts and catches up. R1^2 + R2^2 is that of
  // the impulse, apart from the cores.
  const double rear = results["ring_1_radius"], front = results["ring_2_radius"];
  EXPECT_LT(rear, front);
  EXPECT_NEAR(rear * rear + front * front, 2.0, 0.05);
  EXPECT_GT(results["ring_1_speed"], results["ring_2_speed"]);
}

// A cloud that is small compared with its softening has no far field.
TEST(Particles, AreSummedDirectlyWhereNoExpansionIsPossible) {
  const TemporaryFolder folder;
  const auto soft = set(cluster(folder.path(), 2, 5000), {"particles.softening=0.5"});
  const Outcome outcome = run_solve(soft);
  ASSERT_TRUE(ended(outcome, 0, "sums are direct: softening 0.5 m is too large for fmm"));
  const Json summary = Json::parse(read_text(folder.path() / "summary.json"));
  EXPECT_EQ(summary["fmm"]["method"], "direct");
  EXPECT_EQ(summary["warnings"], Json::array());
  const Json asked = testing::solve(set(soft, {"fmm.method=treecode"}));
  ASSERT_EQ(asked["warnings"].size(), 1u);
  EXPECT_TRUE(says(asked["warnings"][0].get<std::string>(), "fmm.method is \"treecode\", but"));
}

// Particles that a step of 10^100 s throws out of the range of numbers.
TEST(Particles, LeaveResultsAndACheckpointWhenAStepFails) {
  const TemporaryFolder folder;
  const auto wild = set(filament(folder.path()), {"time.step=1e100"});
  const Outcome outcome = run_solve(wild);
  EXPECT_TRUE(ended(outcome, 2, "step 2: "));
  EXPECT_TRUE(says(outcome.err, "step 0 is saved"));
  const Json summary = Json::parse(read_text(folder.path() / "summary.json"));
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["exit_code"], 2);
  EXPECT_EQ(summary["time"]["steps_done"], 0);
  for (const auto& name : summary["files"])
    EXPECT_TRUE(fs::exists(folder.path() / name.get<std::string>())) << name;
  const Outcome resumed = run_solve(with(wild, {"--resume"}));
  EXPECT_TRUE(ended(resumed, 2, "step 2: "));
}

// Of a run that is killed nothing but its files is left: output step 16 is under way, no checkpoint
// was due.
TEST(Particles, CanBeWatchedAtEveryOutputStep) {
  const TemporaryFolder folder;
  const auto run = set(cluster(folder.path(), 20), {"output.checkpoint_every=1000"});
  ASSERT_EQ(run_solve(run, {.signal = SIGKILL, .when = "\n        16  "}).exit_code, 128 + SIGKILL);
  const Json summary = Json::parse(read_text(folder.path() / "summary.json"));
  EXPECT_EQ(summary["status"], "running");
  const std::string collection = read_text(folder.path() / "particles.pvd");
  for (const char* name : {"particles_000000.vtp", "particles_000008.vtp"}) {
    EXPECT_TRUE(says(collection, name));
    EXPECT_TRUE(fs::exists(folder.path() / name));
  }
  EXPECT_EQ(run_solve(with(run, {"--resume"})).exit_code, 0);
}

/// A ring that diffuses, with few particles.
std::vector<std::string> viscous(const fs::path& results, const std::string& change) {
  return set(filament(results),
             {"particles.n=60", "particles.sigma=0.15", "particles.core=gaussian",
              "particles.viscosity=0.02", "time.step=0.05", "time.steps=8", "output.every=4",
              "output.checkpoint_every=5", change});
}

TEST(Particles, ThatDiffuseKeepVorticityAndImpulseAndGoOnWithTheSameBits) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  const std::string change = "particles.most=5000";
  const Json summary = testing::solve(viscous(whole, change)), results = summary["results"];
  EXPECT_GT(results["added"], 500);
  EXPECT_EQ(results["undiffused"], 0.0);
  EXPECT_EQ(results["particles"], summary["problem"]["particles"]);
  EXPECT_LE(results["vorticity_drift"], 1e-12);
  // Of the third order of rk3 alone: the ring turns by 0.1 rad in a step.
  EXPECT_LE(results["impulse_drift"], 1e-4);
  EXPECT_EQ(summary["warnings"], Json::array());
  const Outcome stopped =
      run_solve(viscous(parts, change), {.signal = SIGINT, .when = "\n         4  "});
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  ASSERT_EQ(run_solve(with(viscous(parts, change), {"--resume"})).exit_code, 0);
  expect_same_particles(parts, whole);
}

TEST(Particles, ThatDiffuseAreNoMoreThanTheyMayBe) {
  const TemporaryFolder folder;
  const Json summary = testing::solve(viscous(folder.path(), "particles.most=300"));
  EXPECT_LE(summary["problem"]["particles"], 300);
  EXPECT_GT(summary["results"]["undiffused"], 0.01);
  ASSERT_FALSE(summary["warnings"].empty());
  EXPECT_TRUE(says(summary["warnings"][0].get<std::string>(), "use a larger particles.most"))
      << summary["warnings"];
}

// Rings that meet widen, and their strengths grow by the same factor. Without splitting, cores come
// apart, and strengths grow by less.
TEST(Particles, AreSplitAsTheyAreStretchedAndGoOnWithTheSameBits) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  const auto meeting = [](const fs::path& results) {
    return set(filament(results),
               {"particles.n=80", "time.steps=90", "output.every=30", "output.checkpoint_every=40",
                "particles.ring=[{centre=[0,0,-0.5]}, {centre=[0,0,0.5], axis=[0,0,-1]}]"});
  };
  const Json summary = testing::solve(meeting(whole)), results = summary["results"];
  EXPECT_EQ(summary["problem"]["particles"], 160 + results["split"].get<int>());
  EXPECT_EQ(results["unsplit"], 0.0);
  const double radius = results["ring_1_radius"];
  EXPECT_GT(radius, 3.0);
  EXPECT_NEAR(results["ring_2_radius"], radius, 1e-3 * radius);
  EXPECT_NEAR(results["stretched"], radius, 0.02 * radius);
  EXPECT_LE(results["impulse_change"], 1e-12);
  const Outcome stopped = run_solve(meeting(parts), {.signal = SIGINT, .when = "\n        60  "});
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  ASSERT_EQ(run_solve(with(meeting(parts), {"--resume"})).exit_code, 0);
  expect_same_particles(parts, whole);
  const Json unsplit =
      testing::solve(set(meeting(folder.path() / "unsplit"), {"particles.split=false"}))["results"];
  EXPECT_LE(unsplit["stretched"], 0.92 * unsplit["ring_1_radius"].get<double>());
  EXPECT_FALSE(unsplit.contains("split"));
}

// 8 000 parts of a step of 10 s, which takes minutes.
TEST(Particles, AreStoppedBetweenTwoPartsOfAStep) {
  const TemporaryFolder folder;
  const auto run = set(viscous(folder.path(), "particles.most=2000"),
                       {"particles.spacing=0.1", "particles.viscosity=1", "time.step=10"});
  const Outcome stopped = run_solve(run, {.signal = SIGTERM, .when = "\n         0  "});
  ASSERT_TRUE(ended(stopped, 130, "step 0 is saved, go on with: "));
  EXPECT_TRUE(says(stopped.err, "in 8 000 parts of each step"));
  EXPECT_TRUE(fs::exists(folder.path() / "checkpoint.bin"));
  const Json summary = Json::parse(read_text(folder.path() / "summary.json"));
  EXPECT_EQ(summary["status"], "interrupted");
  EXPECT_EQ(summary["time"]["steps_done"], 0);
}

// Cores of the variance s^2 that grow to s^2 + 2 nu t.
TEST(Particles, SpreadTheirCores) {
  const TemporaryFolder folder;
  const Json summary = testing::solve(viscous(folder.path(), "particles.diffusion=core-spreading"));
  EXPECT_EQ(summary["problem"]["particles"], 60);
  EXPECT_EQ(summary["problem"]["viscosity"], 0.02);
  const Outcome bad =
      run_solve(with(viscous(folder.path(), "particles.viscosity=-1"), {"--force"}));
  EXPECT_EQ(bad.exit_code, 2) << bad.err;
}

}  // namespace
}  // namespace rankine::cases
