// The memory model against peaks that were measured, the sizes against what is really built, and
// the verdict on small devices. No device is needed.
#include <gtest/gtest.h>

#include "cases/output/show.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/fit.hpp"
#include "cases/resources/solve_size.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"
#include "rankine/meshes/shapes/torus.hpp"

namespace rankine::cases {
namespace {

bem::FlowOptions options_of(bem::Formulation formulation, bool mixed_precision = false) {
  bem::FlowOptions options;
  options.formulation = formulation;
  options.mixed_precision = mixed_precision;
  return options;
}

/// A sphere of so many panels, without making it.
SolveSize sphere(double panels, const bem::FlowOptions& options = {}, double points = 0.0) {
  const bem::Panels few = bem::make_panels(meshes::make_sphere(5120));
  return measure(few, options, points, panels / static_cast<double>(few.size()));
}

double device_bytes(const SolveSize& size) {
  return memory_of(size, bem::MemorySpace::device).device;
}
double host_bytes(const SolveSize& size) { return memory_of(size, bem::MemorySpace::host).host; }

/// At least what was found, at most a third more.
void expect_enough(double estimate, double found) {
  EXPECT_GE(estimate, found);
  EXPECT_LE(estimate, 4.0 / 3.0 * found);
}

// Peaks on an H200 (docs/performance.md), unit sphere, residual 1e-6, far field 1e-7.
TEST(MemoryModel, CoversThePeaksOfTheDevice) {
  using enum bem::Formulation;
  expect_enough(device_bytes(sphere(1003520, options_of(green))), 2.44e9);
  expect_enough(device_bytes(sphere(1003520, options_of(source))), 2.55e9);
  expect_enough(device_bytes(sphere(1003520, options_of(green, true))), 2.44e9);
  expect_enough(device_bytes(sphere(1e7, options_of(green))), 23.68e9);
}

// Peaks of the program on the processor, in huge pages where the system has them: they differ by a
// tenth from run to run.
TEST(MemoryModel, CoversThePeaksOfTheHost) {
  EXPECT_NEAR(host_bytes(sphere(20480)), 122e6, 0.3 * 122e6);
  EXPECT_NEAR(host_bytes(sphere(20480, {}, 92162)), 256e6, 0.3 * 256e6);
  EXPECT_NEAR(host_bytes(sphere(100820)), 358e6, 0.3 * 358e6);
  EXPECT_NEAR(host_bytes(sphere(302580)), 984e6, 0.3 * 984e6);
  EXPECT_NEAR(host_bytes(sphere(302580, {}, 92162)), 1.4e9, 0.3 * 1.4e9);
  EXPECT_NEAR(host_bytes(sphere(1003520, {}, 92162)), 3.6e9, 0.3 * 3.6e9);
}

TEST(MemoryModel, GrowsWithPanelsAccuracyAndRightHandSides) {
  double on_device = 0.0, on_host = 0.0;
  for (const double panels : {1e4, 3e4, 1e5, 1e6, 1e7}) {
    const SolveSize size = sphere(panels);
    EXPECT_GT(device_bytes(size), on_device);
    EXPECT_GT(host_bytes(size), on_host);
    on_device = device_bytes(size);
    on_host = host_bytes(size);
  }
  bem::FlowOptions accurate, several, longer;
  accurate.fmm.tolerance = 1e-10;
  several.fmm.rhs = 4;
  longer.gmres.max_iterations = 3;
  EXPECT_GT(device_bytes(sphere(1e6, accurate)), device_bytes(sphere(1e6)));
  EXPECT_GT(device_bytes(sphere(1e6, several)), device_bytes(sphere(1e6)));
  EXPECT_LE(host_bytes(sphere(1e6, longer)), host_bytes(sphere(1e6)));
  EXPECT_GT(device_bytes(sphere(1e5, {}, 4000000)), device_bytes(sphere(1e5)));
}

// Against the near pairs and the octree of the whole mesh. The numbers of boxes of a sphere's
// neighbouring levels differ by four, their expectation over all planes is smooth.
TEST(SolveSize, ForeseesNearEntriesAndBoxes) {
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_sphere(81920), meshes::make_torus(60000, 2.0, 1.0),
        meshes::make_ellipsoid(81920, {5.0, 1.0, 0.5})}) {
    const bem::Panels panels = bem::make_panels(mesh);
    const bem::PanelNodes whole = bem::place_nodes(panels);
    bem::FlowOptions options;
    options.fmm.leaf_capacity = 100;
    const SolveSize size = measure(panels, options, 0);
    EXPECT_NEAR(size.nodes, whole.per_panel(), 0.02 * whole.per_panel());
    const auto entries =
        static_cast<double>(bem::find_near_pairs(panels.centroid, whole.balls).columns.size());
    EXPECT_NEAR(size.near_entries, entries, 0.05 * entries);
    const fmm::Octree tree = fmm::build_octree(whole.points, panels.centroid, 100);
    const auto boxes = static_cast<double>(tree.boxes.size());
    EXPECT_NEAR(size.far.on_device.boxes, boxes, 0.35 * boxes);
  }
}

TEST(SolveSize, PanelsThatFitFit) {
  for (const bem::MemorySpace place : {bem::MemorySpace::host, bem::MemorySpace::device}) {
    for (const double bytes : {2e9, 16e9, 100e9}) {
      const double panels = panels_that_fit(bytes, place);
      const auto needed = [&](double count) {
        const SolveSize size = typical_size(count);
        return place == bem::MemorySpace::host ? host_bytes(size) : device_bytes(size);
      };
      EXPECT_LE(needed(panels), bytes);
      EXPECT_GT(needed(1.05 * panels), bytes);
    }
  }
  EXPECT_EQ(panels_that_fit(1e6, bem::MemorySpace::host), 0.0);
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& each : words)
    EXPECT_NE(text.find(each), std::string::npos) << each << " is missing in: " << text;
}

constexpr auto cuda = BackendChoice::cuda, automatic = BackendChoice::automatic;

TEST(Verdict, RefusesWhatADeviceCannotHold) {
  const SolveSize size = sphere(1003520);
  const double needed = device_bytes(size);
  const Room room{.host = 64e9, .device = 1e9, .device_name = "Small GPU"};
  const Verdict verdict = judge(size, cuda, bem::MemorySpace::device, room);
  EXPECT_EQ(verdict.place, bem::MemorySpace::device);
  EXPECT_EQ(verdict.warning, "");
  expect_words(
      verdict.refusal,
      {"the solve needs about " + show_bytes(needed), "Small GPU has 1.0 GB free",
       show_bytes(needed - 1e9) + " are missing", "fewer panels (about ", "fmm.tolerance",
       "--backend cpu, which needs " + show_bytes(host_bytes(size)), "of the host's 64 GB"});
  try {
    require_room(verdict);
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.what(), verdict.refusal);
  }
}

TEST(Verdict, NamesWhatCostsMemory) {
  const bem::FlowOptions mixed = options_of(bem::Formulation::green, true);
  const Room room{.host = 64e9, .device = 1e9, .device_name = "Small GPU"};
  const Verdict verdict = judge(sphere(1003520, mixed, 1000), cuda, bem::MemorySpace::device, room);
  expect_words(verdict.refusal, {"solver.precision", "relaxation", "no probes"});
}

TEST(Verdict, FallsBackToTheHostWhereTheChoiceIsFree) {
  const SolveSize size = sphere(1003520);
  Room room{.host = 64e9, .device = 1e9, .device_name = "Small GPU"};
  const Verdict verdict = judge(size, automatic, bem::MemorySpace::device, room);
  EXPECT_EQ(verdict.place, bem::MemorySpace::host);
  EXPECT_EQ(verdict.refusal, "");
  expect_words(verdict.warning, {"Small GPU", "solving on the processor instead"});
  EXPECT_NO_THROW(require_room(verdict));
  room.host = 1e9;
  EXPECT_NE(judge(size, automatic, bem::MemorySpace::device, room).refusal, "");
}

TEST(Verdict, TriesWhatMayFit) {
  const SolveSize size = sphere(1003520);
  Room room{.host = 64e9, .device = 0.9 * device_bytes(size), .device_name = "GPU"};
  const Verdict tight = judge(size, cuda, bem::MemorySpace::device, room);
  EXPECT_EQ(tight.place, bem::MemorySpace::device);
  EXPECT_EQ(tight.refusal, "");
  expect_words(tight.warning, {"are missing", "it may fit all the same"});
  room.device = device_bytes(size);
  const Verdict enough = judge(size, cuda, bem::MemorySpace::device, room);
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
  EXPECT_THROW(require_room(small), DeviceError);
  EXPECT_EQ(judged(1e9, needed).refusal, "") << "it may swap";
  EXPECT_EQ(judged(needed, 0.0).warning + judged(needed, 0.0).refusal, "");
}

TEST(Verdict, NamesTheProbesWhereTheyTakeMost) {
  const SolveSize size = sphere(20480, {}, 1e9);
  const Room room{.host = 16e9, .device = 16e9, .device_name = "GPU"};
  for (const bem::MemorySpace place : {bem::MemorySpace::host, bem::MemorySpace::device}) {
    const Verdict verdict = judge(size, cuda, place, room);
    expect_words(verdict.refusal,
                 {"the evaluation at 1 000 000 000 probe points needs", "output.probe"});
    EXPECT_EQ(verdict.refusal.find("fewer panels"), std::string::npos) << verdict.refusal;
  }
}

TEST(Verdict, MindsTheHostOfADevice) {
  const Verdict verdict = judge(sphere(1e7), cuda, bem::MemorySpace::device,
                                {.host = 1e9, .device = 140e9, .device_name = "GPU"});
  expect_words(verdict.refusal, {"this machine has 1.0 GB free"});
}

}  // namespace
}  // namespace rankine::cases
