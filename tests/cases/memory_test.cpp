// The forecast of memory against peaks that were measured, and the verdict on small devices. No
// device is needed.
#include <gtest/gtest.h>

#include "cases/output/show.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/fit.hpp"
#include "cases/resources/solve_size.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::cases {
namespace {

using testing::says;

/// A sphere of so many panels with the near entries that were counted on it.
SolveSize sphere(double panels, double entries_per_panel = 40.0, double sources_per_panel = 6.0) {
  return {.panels = panels,
          .sources = sources_per_panel * panels,
          .near_entries = entries_per_panel * panels};
}

SolveSize with_probes(SolveSize size, double points) {
  size.probe_points = points;
  size.probe_sources = 6.0 * size.panels;
  return size;
}

double device_bytes(const SolveSize& size) {
  return memory_of(size, bem::MemorySpace::device).device;
}
double host_bytes(const SolveSize& size) { return memory_of(size, bem::MemorySpace::host).host; }

void expect_forecast(double forecast, double peak) { EXPECT_NEAR(forecast, peak, 0.3 * peak); }

// Peaks on an H200, unit sphere, residual 1e-6, far field 1e-7.
TEST(Memory, CoversThePeaksOfTheDevice) {
  SolveSize source = sphere(1003520);
  source.columns += 1.0;
  expect_forecast(device_bytes(sphere(1003520)), 3.52e9);
  expect_forecast(device_bytes(source), 3.23e9);
  expect_forecast(device_bytes(sphere(10025280, 78.8)), 40.87e9);
}

// Peaks of the program on the processor.
TEST(Memory, CoversThePeaksOfTheHost) {
  const SolveSize small = sphere(20480, 55.4, 3.0), middle = sphere(81920, 17.2);
  expect_forecast(host_bytes(small), 118e6);
  expect_forecast(host_bytes(middle), 435e6);
  expect_forecast(host_bytes(sphere(327680, 20.2)), 1.52e9);
  expect_forecast(host_bytes(sphere(1003520, 32.3)), 4.42e9);
  SolveSize modes = middle, source = modes;
  modes.columns = 6.0;
  source.columns = 2.0;
  expect_forecast(host_bytes(modes), 957e6);
  expect_forecast(host_bytes(source), 428e6);
  SolveSize conductor = sphere(81920, 51.5, 3.0);
  conductor.patch = 128.0;
  expect_forecast(host_bytes(conductor), 529e6);
  expect_forecast(host_bytes(with_probes(small, 85184)), 216e6);
  expect_forecast(host_bytes(with_probes(middle, 85184)), 600e6);
  expect_forecast(host_bytes(with_probes(small, 8120601)), 4.81e9);
  // Ellipsoids of semi-axes 50:5:0.5 and 500:5:0.5.
  expect_forecast(
      host_bytes(
          {.panels = 81920, .sources = 5.08 * 81920, .near_entries = 11538588, .patch = 128.0}),
      926e6);
  expect_forecast(host_bytes({.panels = 20480,
                              .sources = 13.98 * 20480,
                              .near_entries = 2916241,
                              .second_operator = true}),
                  310e6);
}

TEST(Memory, GrowsWithPanelsProbesAndRightHandSides) {
  const SolveSize size = sphere(1e6);
  SolveSize several = size;
  several.columns = 4.0;
  for (const auto bytes : {device_bytes, host_bytes}) {
    EXPECT_GT(bytes(sphere(2e6)), 1.8 * bytes(size));
    EXPECT_GT(bytes(several), bytes(size));
    EXPECT_GT(bytes(with_probes(size, 1e8)), bytes(size));
  }
}

// Against the near pairs of the whole mesh.
TEST(SolveSize, CountsSourcesAndNearEntries) {
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_sphere(81920), meshes::make_torus(60000, 2.0, 1.0),
        meshes::make_ellipsoid(81920, {5.0, 1.0, 0.5})}) {
    const bem::Panels panels = bem::make_panels(mesh);
    const bem::PanelNodes whole = bem::place_nodes(panels);
    const SolveSize size = measure(panels, {}, 0);
    const auto count = static_cast<double>(panels.size());
    EXPECT_EQ(size.panels, count);
    EXPECT_NEAR(size.sources, whole.per_panel() * count, 0.02 * whole.per_panel() * count);
    const auto entries =
        static_cast<double>(bem::find_near_pairs(panels.centroid, whole.balls).columns.size());
    EXPECT_NEAR(size.near_entries, entries, 0.05 * entries);
  }
}

TEST(SolveSize, FollowsTheOptions) {
  const bem::Panels panels = bem::make_panels(meshes::make_sphere(1280));
  bem::FlowOptions options;
  options.fmm.rhs = 6;
  options.formulation = bem::Formulation::source;
  options.preconditioner = bem::Preconditioner::block;
  options.mixed_precision = true;
  const SolveSize size = measure(panels, options, 1000.0);
  EXPECT_EQ(size.columns, 7.0);
  EXPECT_EQ(size.patch, 128.0);
  EXPECT_TRUE(size.second_operator);
  EXPECT_EQ(size.probe_points, 1000.0);
  EXPECT_GE(size.probe_sources, size.sources);
  EXPECT_EQ(measure(panels, {}, 0.0, true).patch, 512.0);
  options.formulation = bem::Formulation::doublet;
  const SolveSize sheets = measure(panels, options, 0.0);
  EXPECT_EQ(sheets.columns, 18.0);
  EXPECT_EQ(sheets.near_entries, 2.0 * size.near_entries);
  EXPECT_EQ(sheets.probe_points + sheets.probe_sources, 0.0);
}

TEST(SolveSize, PanelsThatFitFit) {
  for (const bem::MemorySpace place : {bem::MemorySpace::host, bem::MemorySpace::device}) {
    for (const double bytes : {2e9, 16e9, 100e9}) {
      const SolveSize size = sphere(panels_that_fit(bytes, place));
      EXPECT_NEAR(place == bem::MemorySpace::host ? host_bytes(size) : device_bytes(size), bytes,
                  1e-6 * bytes);
    }
  }
  EXPECT_EQ(panels_that_fit(1e6, bem::MemorySpace::host), 0.0);
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& each : words) EXPECT_TRUE(says(text, each)) << each << " is missing in: ";
}

constexpr auto cuda = BackendChoice::cuda, automatic = BackendChoice::automatic;

TEST(Verdict, RefusesWhatADeviceCannotHold) {
  const SolveSize size = sphere(1003520);
  const double needed = device_bytes(size);
  const FreeMemory available{.host = 64e9, .device = 1e9, .device_name = "Small GPU"};
  const Verdict verdict = judge(size, cuda, bem::MemorySpace::device, available);
  EXPECT_EQ(verdict.place, bem::MemorySpace::device);
  EXPECT_EQ(verdict.warning, "");
  expect_words(
      verdict.refusal,
      {"the solve needs about " + show_bytes(needed), "Small GPU has 1.0 GB free",
       show_bytes(needed - 1e9) + " are missing", "fewer panels (about ", "fmm.tolerance",
       "--backend cpu, which needs " + show_bytes(host_bytes(size)), "of the host's 64 GB"});
  try {
    require_memory(verdict);
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.what(), verdict.refusal);
  }
}

TEST(Verdict, NamesWhatCostsMemory) {
  SolveSize mixed = with_probes(sphere(1003520), 1000);
  mixed.probe_sources = 2.0 * mixed.sources;
  mixed.second_operator = true;
  const FreeMemory available{.host = 64e9, .device = 1e9, .device_name = "Small GPU"};
  const Verdict verdict = judge(mixed, cuda, bem::MemorySpace::device, available);
  expect_words(verdict.refusal, {"solver.precision", "relaxation", "no probes"});
}

TEST(Verdict, FallsBackToTheHostWhereTheChoiceIsFree) {
  const SolveSize size = sphere(1003520);
  FreeMemory available{.host = 64e9, .device = 1e9, .device_name = "Small GPU"};
  const Verdict verdict = judge(size, automatic, bem::MemorySpace::device, available);
  EXPECT_EQ(verdict.place, bem::MemorySpace::host);
  EXPECT_EQ(verdict.refusal, "");
  expect_words(verdict.warning, {"Small GPU", "solving on the processor instead"});
  EXPECT_NO_THROW(require_memory(verdict));
  available.host = 1e9;
  EXPECT_NE(judge(size, automatic, bem::MemorySpace::device, available).refusal, "");
}

TEST(Verdict, TriesWhatMayFit) {
  const SolveSize size = sphere(1003520);
  FreeMemory available{.host = 64e9, .device = 0.9 * device_bytes(size), .device_name = "GPU"};
  const Verdict tight = judge(size, cuda, bem::MemorySpace::device, available);
  EXPECT_EQ(tight.place, bem::MemorySpace::device);
  EXPECT_EQ(tight.refusal, "");
  expect_words(tight.warning, {"are missing", "it may fit all the same"});
  available.device = device_bytes(size);
  const Verdict enough = judge(size, cuda, bem::MemorySpace::device, available);
  EXPECT_EQ(enough.warning + enough.refusal, "");
}

TEST(Verdict, WarnsOfAFullHostAndRefusesWhereItIsClear) {
  const SolveSize size = sphere(1003520);
  const double needed = host_bytes(size);
  const auto judged = [&](double host, double swap) {
    return judge(size, BackendChoice::cpu, bem::MemorySpace::host,
                 {.host = host, .device = 0.0, .device_name = {}, .swap = swap});
  };
  const Verdict tight = judged(0.9 * needed, 0.0), small = judged(1e9, 0.0);
  EXPECT_EQ(tight.refusal, "");
  expect_words(tight.warning, {"this machine has", "it may fit all the same", "fewer panels"});
  EXPECT_EQ(small.place, bem::MemorySpace::host);
  expect_words(small.refusal, {"this machine has 1.0 GB free", "fewer panels"});
  EXPECT_THROW(require_memory(small), DeviceError);
  EXPECT_EQ(judged(1e9, needed).refusal, "") << "it may swap";
  EXPECT_EQ(judged(needed, 0.0).warning + judged(needed, 0.0).refusal, "");
}

TEST(Verdict, NamesTheProbesWhereTheyTakeMost) {
  const SolveSize size = with_probes(sphere(20480), 1e9);
  const FreeMemory available{.host = 16e9, .device = 16e9, .device_name = "GPU"};
  for (const bem::MemorySpace place : {bem::MemorySpace::host, bem::MemorySpace::device}) {
    const Verdict verdict = judge(size, cuda, place, available);
    expect_words(verdict.refusal,
                 {"the evaluation at 1 000 000 000 probe points needs", "output.probe"});
    EXPECT_FALSE(says(verdict.refusal, "fewer panels"));
  }
}

TEST(Verdict, MindsTheHostOfADevice) {
  const Verdict verdict = judge(sphere(1e7), cuda, bem::MemorySpace::device,
                                {.host = 1e9, .device = 140e9, .device_name = "GPU"});
  expect_words(verdict.refusal, {"this machine has 1.0 GB free"});
}

}  // namespace
}  // namespace rankine::cases
