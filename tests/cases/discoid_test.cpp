// The program on a body that starts among its own vortices.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The example with few panels, and cores as large as these.
std::vector<std::string> discoid(const fs::path& results, int steps) {
  return set({example("discoid/discoid.toml"), "--backend", "cpu", "--output", results.string()},
             {"mesh.panels=320", "particles.sigma=0.1", "shedding.distance=0.1",
              "time.steps=" + std::to_string(steps), "output.checkpoint_every=1",
              "output.probe=[{name=\"middle\", kind=\"plane\", origin=[-0.8,0,-0.25], "
              "size=[1.6,0,0.6], cells=[16,1,6]}]"});
}

TEST(Discoid, ShedsItsSlipAndNoTotalVorticity) {
  const TemporaryFolder folder;
  const Json summary = testing::solve(discoid(folder.path(), 2)), results = summary["results"];
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(results["panels"], 320);
  EXPECT_EQ(summary["problem"]["particles"], 3 * 320);  // at the start and after each step
  EXPECT_EQ(results["panel_solves_not_converged"], 0);
  EXPECT_LE(results["panel_residual"], 1e-4);
  EXPECT_LE(results["net_flux"], 1e-2);
  EXPECT_LE(results["total_vorticity"], 1e-14);
  EXPECT_LE(results["slip"], 0.6);
  EXPECT_GT(results["slip"], 0.0);
  for (const char* name : {"surface.pvd", "surface_000000.vtp", "surface_000002.vtp"})
    EXPECT_TRUE(fs::exists(folder.path() / name)) << name;
  EXPECT_TRUE(says(read_text(folder.path() / "surface_000002.vtp"), "NumberOfPolys=\"320\""));
  // The flow drives the disc along the stream and along its axis, and not across.
  EXPECT_GT(results["force_z"], 0.0);
  EXPECT_LE(std::abs(results["force_y"].get<double>()), 1e-3 * results["force_z"].get<double>());
}

TEST(Discoid, GoesOnAfterAnInterruptWithTheSameBits) {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts";
  // Diffusion changes the number of particles, and no checkpoint makes their sums anew before.
  const auto viscous = [](const fs::path& results) {
    return set(discoid(results, 4),
               {"particles.viscosity=0.01", "output.checkpoint_every=4", "output.every=2"});
  };
  Json expected = testing::solve(viscous(whole))["results"];
  const Outcome stopped =
      run_program(with({"solve"}, viscous(parts)), {.signal = SIGTERM, .when = "\n         2  "});
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  Json found = testing::solve(with(viscous(parts), {"--resume"}))["results"];
  for (const char* time : {"panel_seconds", "steps_per_second"}) {
    expected.erase(time);
    found.erase(time);
  }
  EXPECT_EQ(found, expected);
  for (const char* name :
       {"particles_000004.vtp", "surface_000000.vtp", "surface_000004.vtp", "surface.pvd",
        "monitors.csv", "middle_000000.vti", "middle_000004.vti", "middle.pvd"})
    EXPECT_TRUE(read_text(parts / name) == read_text(whole / name)) << name;
}

// Cores of a fifth of a panel do not resolve the strain that they make: without a limit strengths
// are infinite after 14 steps.
TEST(Discoid, RunsToItsEndWithCoresThatAreTooThin) {
  const TemporaryFolder folder;
  const Json summary =
      testing::solve(set(discoid(folder.path(), 16),
                         {"mesh.panels=80", "particles.sigma=0.02", "shedding.distance=0.02",
                          "output.every=16", "output.probe=[]"}));
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_GT(summary["results"]["limited"], 0);
  EXPECT_TRUE(
      std::any_of(summary["warnings"].begin(), summary["warnings"].end(), [](const Json& warning) {
        return warning.get<std::string>().find("growth of strengths") != std::string::npos;
      }));
}

TEST(Discoid, IsCheckedWithBoundsOfAGrowingCloud) {
  const TemporaryFolder folder;
  const Outcome checked = run_program(with({"check"}, with(discoid(folder.path(), 5), {"--json"})));
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  const Json estimate = Json::parse(checked.out);
  EXPECT_EQ(estimate["particles"], 320);
  EXPECT_EQ(estimate["particles_most"], 6 * 320);
  // Five steps among 320 to 1600 particles, from the time of one among 640.
  const double step = estimate["estimate"]["step"];
  EXPECT_NEAR(estimate["estimate"]["seconds_least"], 5 * step, 1e-9);
  EXPECT_NEAR(estimate["estimate"]["seconds"], step * (3.0 + 16.0 / 9.0 + 25.0 / 9.0), 1e-9);
}

// The case of the paper [SG08] at Re = 128, with an impulsive start, to t = 0.8. Particles are half
// as far apart as the body is thick.
TEST(Discoid, ShedsAndDiffusesForTwentySteps) {
  const TemporaryFolder folder;
  const Json summary = testing::solve(
      set(discoid(folder.path(), 20),
          {"mesh.panels=5120", "particles.sigma=0.05", "shedding.distance=0.025",
           "particles.viscosity=0.0078125", "solver.tolerance=0.001", "fmm.tolerance=0.001",
           "fmm.precision=float", "time.step=0.04", "time.scheme=rk2", "time.stretching=classic",
           "output.every=10", "output.checkpoint_every=20", "output.probe=[]"}));
  const Json results = summary["results"];
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(results["panel_solves_not_converged"], 0);
  // Sheets are given to the particles that there are: a third of them is left at most.
  EXPECT_LE(results["particles"], 21 * 5120 / 3);
  EXPECT_EQ(results["limited"], 0);
  EXPECT_LE(results["undiffused"], 0.01);
  EXPECT_LE(results["total_vorticity"], 1e-12);
  EXPECT_LE(results["sum_error"], 1e-3);
  EXPECT_LT(results["slip_left"], results["slip"]);
  EXPECT_LE(results["slip_left_mean"], 0.05);
  // The flow drives the disc along its axis, and not across.
  const double force = results["force_z"], shed = results["shed_force_z"];
  EXPECT_LE(std::abs(results["force_y"].get<double>()), 0.01 * force);
  // Half of the friction is missing in the force from the sheets. The motion of the particles
  // changes the impulse by the square of the slip.
  const double wall = results["wall_force_z"];
  EXPECT_LE(shed, wall);
  EXPECT_NEAR(force, wall, 0.03 * wall);
  EXPECT_LE(results["force_difference"], 0.03);
}

}  // namespace
}  // namespace rankine::cases
