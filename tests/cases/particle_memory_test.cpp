// The memory of runs of particles against peaks that were measured, and the verdict on small
// machines.
#include "cases/particles/particle_memory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases/particles/read_particle_case.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::cases {
namespace {

using testing::message_of;
using testing::says;

constexpr auto host = bem::MemorySpace::host, device = bem::MemorySpace::device;

ParticleCase case_of(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_particle_case(RANKINE_SOURCE_FOLDER "/cases/" + name, overrides);
}

double host_bytes(const ParticleCase& given, std::size_t particles, std::size_t panels = 0) {
  return memory_of_run(given, particles, panels, host).host;
}

// Peaks of the program on the processor.
TEST(ParticleMemory, CoversThePeaksOfTheHost) {
  const ParticleCase cluster = case_of("plummer/plummer.toml");
  EXPECT_NEAR(host_bytes(cluster, 100000), 173e6, 0.35 * 173e6);
  EXPECT_NEAR(host_bytes(cluster, 1000000), 619e6, 0.35 * 619e6);
  EXPECT_NEAR(host_bytes(case_of("vortex-ring/core.toml"), 300000), 508e6, 0.35 * 508e6);
  // A sheet of 46 080 vortices at the start, and one after each step.
  EXPECT_NEAR(host_bytes(case_of("discoid/discoid.toml", {"time.steps=1"}), 0, 46080), 861e6,
              0.35 * 861e6);
  EXPECT_NEAR(host_bytes(case_of("discoid/discoid.toml"), 0, 46080), 1213e6, 0.35 * 1213e6);
}

/// A box of so many points along each edge.
std::string box_probe(int points) {
  return fmt::format(
      "output.probe=[{{name=\"b\", kind=\"box\", origin=[-2,-2,-2], size=[4,4,4], "
      "cells=[{0},{0},{0}]}}]",
      points - 1);
}

TEST(ParticleMemory, CoversThePeaksOfProbes) {
  EXPECT_NEAR(host_bytes(case_of("vortex-ring/core.toml", {box_probe(100)}), 23837), 458e6,
              0.35 * 458e6);
  EXPECT_NEAR(host_bytes(case_of("plummer/plummer.toml", {box_probe(100)}), 100000), 330e6,
              0.35 * 330e6);
  EXPECT_NEAR(host_bytes(case_of("discoid/discoid.toml", {"time.steps=1", box_probe(80)}), 0, 5120),
              533e6, 0.35 * 533e6);
}

TEST(ParticleMemory, GrowsWithWhatTakesIt) {
  const ParticleCase cluster = case_of("plummer/plummer.toml"),
                     vortices = case_of("vortex-ring/core.toml");
  constexpr std::size_t n = 1000000;
  EXPECT_GT(host_bytes(vortices, n), 1.5 * host_bytes(cluster, n)) << "three expansions, gradients";
  for (const ParticleCase& each : {cluster, vortices}) {
    const Memory there = memory_of_run(each, n, 0, device);
    EXPECT_GT(there.device, 100.0 * n);
    // Pairs that serve both bodies leave at least twelve sums of four numbers at each, in float.
    if (each.kind == ProblemKind::gravity) {
      EXPECT_GT(there.device, (100.0 + 12.0 * 4.0 * 4.0) * n);
    }
    EXPECT_LT(there.host, host_bytes(each, n) + 400e6);
  }
}

TEST(ParticleMemory, KnowsHowManyParticlesThereWillBe) {
  EXPECT_EQ(expected_particles(case_of("plummer/plummer.toml")), 100000u);
  EXPECT_EQ(expected_particles(case_of("vortex-ring/leapfrog.toml")), 400u);
  EXPECT_EQ(expected_particles(case_of("vortex-ring/core.toml")), 23837u);
  EXPECT_EQ(expected_particles(case_of("discoid/discoid.toml")), 0u);
}

TEST(ParticleMemory, IsRefusedWhereItIsClearlyMissingAndWarnedOfBefore) {
  const ParticleCase cluster = case_of("plummer/plummer.toml");
  constexpr std::size_t n = 10000000;
  const double needed = host_bytes(cluster, n);
  const auto judge = [&](double free, double swap = 0.0) {
    Log log(Log::Level::quiet, std::tmpfile());
    require_memory(cluster, n, 0, host,
                   {.host = free, .device = 0.0, .device_name = {}, .swap = swap}, log);
    return log.warnings();
  };
  EXPECT_TRUE(judge(needed).empty());
  const std::vector<std::string> warnings = judge(0.9 * needed);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(says(warnings[0], "a run of 10 000 000 particles needs about"));
  EXPECT_TRUE(says(warnings[0], "it may fit all the same"));
  EXPECT_EQ(judge(0.5 * needed, needed).size(), 1u) << "swap";
  const std::string refusal = message_of<DeviceError>([&] { judge(0.5 * needed); });
  EXPECT_TRUE(says(refusal, "use fewer particles, a looser fmm.tolerance, or a machine with more"));
  Log log(Log::Level::quiet, std::tmpfile());
  const std::string small_device = message_of<DeviceError>([&] {
    require_memory(cluster, n, 0, device, {.host = 1e12, .device = 1e8, .device_name = "a device"},
                   log);
  });
  EXPECT_TRUE(says(small_device, "a device has 100 MB free")) << small_device;
  EXPECT_TRUE(says(small_device, "--backend cpu")) << small_device;
}

}  // namespace
}  // namespace rankine::cases
