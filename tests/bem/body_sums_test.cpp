// Sums of bodies by expansions: what is chosen where they are made, and kept while bodies move;
// runs that are resumed.
#include <gtest/gtest.h>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/gravity.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::bem {
namespace {

Bodies small_cluster(std::size_t n) { return plummer_sphere(n, 1.0, 1.0, 1.0, 7); }

/// Expansions even for few bodies.
GravityOptions expanded_sums() {
  GravityOptions options;
  options.sum.direct_pairs = 0;
  options.sum.tolerance = 1e-4;
  return options;
}

void advance(BodySystem& system, int steps) {
  for (int i = 0; i < steps; ++i) system.advance(1e-3);
}

TEST(Bodies, GoOnWithTheSameBitsFromAnyStep) {
  const auto backend = make_cpu_backend();
  BodySystem whole(*backend, small_cluster(3000), expanded_sums());
  ASSERT_EQ(whole.info().method, fmm::Method::fmm);
  advance(whole, 2);
  whole.renew();
  const Bodies at_renewal = whole.bodies();
  const std::vector<Vec3d> made_at = whole.made_at();
  EXPECT_EQ(made_at, at_renewal.positions);
  advance(whole, 2);
  const Bodies between = whole.bodies();
  EXPECT_EQ(whole.made_at(), made_at);
  advance(whole, 2);
  const Bodies end = whole.bodies();

  BodySystem from_renewal(*backend, at_renewal, expanded_sums(), made_at);
  advance(from_renewal, 4);
  EXPECT_EQ(from_renewal.bodies().positions, end.positions);
  EXPECT_EQ(from_renewal.bodies().velocities, end.velocities);
  BodySystem from_between(*backend, between, expanded_sums(), made_at);
  advance(from_between, 2);
  EXPECT_EQ(from_between.bodies().positions, end.positions);
  EXPECT_EQ(from_between.bodies().velocities, end.velocities);
}

TEST(Bodies, KeepWhatWasChosenWhereTheirSumsWereMade) {
  // From a cube into a sphere within a step: places for which sums are made differently.
  constexpr double step = 1e-3;
  Bodies bodies = small_cluster(3000);
  const std::vector<Vec3d> cube = fmm::make_points("cube", 3000, 1);
  for (std::size_t i = 0; i < cube.size(); ++i)
    bodies.velocities[i] = (bodies.positions[i] - cube[i]) / step;
  bodies.positions = cube;
  const auto backend = make_cpu_backend();
  BodySystem whole(*backend, bodies, expanded_sums());
  whole.advance(step);
  for (const bool renewed : {false, true}) {
    if (renewed) whole.renew();
    const Bodies here = whole.bodies();
    const std::vector<Vec3d> made_at = whole.made_at();
    BodySystem resumed(*backend, here, expanded_sums(), made_at);
    BodySystem another(*backend, here, expanded_sums());
    EXPECT_EQ(made_at == cube, !renewed);
    whole.advance(1e-6);
    resumed.advance(1e-6);
    another.advance(1e-6);
    EXPECT_EQ(resumed.bodies().velocities, whole.bodies().velocities);
    EXPECT_EQ(another.bodies().velocities == whole.bodies().velocities, renewed)
        << "or both are made alike, and this shows nothing";
  }
}

/// Sums with expansions of bodies that begin at rest, or drift apart as x does times `expansion`.
BodySystem cold_cube(Backend& backend, double expansion, GravityOptions& options) {
  constexpr std::size_t n = 2000;
  Bodies bodies{fmm::make_points("cube", n, 5), std::vector<Vec3d>(n),
                std::vector<double>(n, 1.0 / n)};
  for (std::size_t i = 0; i < n; ++i)
    bodies.velocities[i] = expansion * (bodies.positions[i] - Vec3d{0.5, 0.5, 0.5});
  options = expanded_sums();
  options.sum.kernel = fmm::Kernel::plummer;
  options.sum.softening = 1e-3;
  return {backend, bodies, options};
}

/// Mean distance from the centre of the cube.
double extent(const Bodies& bodies) {
  double sum = 0.0;
  for (const Vec3d& x : bodies.positions) sum += norm(x - Vec3d{0.5, 0.5, 0.5});
  return sum / static_cast<double>(bodies.positions.size());
}

// The bodies of a cube at rest meet at its centre after a free fall of (3 pi/32)^(1/2) = 0.54.
TEST(Bodies, KeepTheToleranceWhileTheyCollapseAndWhileTheyFlyApart) {
  const auto backend = make_cpu_backend();
  for (const double expansion : {0.0, 10.0}) {
    GravityOptions options;
    BodySystem system = cold_cube(*backend, expansion, options);
    ASSERT_EQ(system.info().method, fmm::Method::fmm);
    const double start = extent(system.bodies());
    for (int part = 1; part <= 6; ++part) {
      for (int step = 0; step < 10; ++step) system.advance(0.01);
      EXPECT_LE(system.sum_error(), options.sum.tolerance) << part;
      if (part % 2 == 1) continue;
      system.renew();
      EXPECT_LE(system.sum_error(), options.sum.tolerance) << part;
    }
    const double change = extent(system.bodies()) / start;
    if (expansion > 0.0) {
      EXPECT_GT(change, 5.0);
    } else {
      EXPECT_LT(change, 0.5);
    }
  }
}

TEST(Bodies, AreSummedDirectlyWhereNoExpansionIsPossible) {
  // Within a step to a tenth of the cube, for which the softening is too large, and out again.
  const auto backend = make_cpu_backend();
  GravityOptions options;
  BodySystem system = cold_cube(*backend, -900.0, options);
  EXPECT_EQ(system.refusal(), "");
  system.advance(1e-3);
  system.renew();
  EXPECT_EQ(system.info().method, fmm::Method::direct);
  EXPECT_NE(system.refusal().find("softening 0.001 m is too large for fmm"), std::string::npos)
      << system.refusal();
  EXPECT_EQ(system.sum_error(), 0.0);
  BodySystem resumed(*backend, system.bodies(), options, system.made_at());
  for (BodySystem* each : {&system, &resumed}) each->advance(2e-3);
  EXPECT_EQ(resumed.bodies().velocities, system.bodies().velocities);
  system.renew();
  EXPECT_EQ(system.info().method, fmm::Method::fmm);
  EXPECT_EQ(system.refusal(), "");
  EXPECT_LE(system.sum_error(), options.sum.tolerance);
}

TEST(Bodies, KnowWhatTheirSumsErrBy) {
  // An order that is given keeps no tolerance: fewer terms, more error.
  const auto backend = make_cpu_backend();
  GravityOptions options = expanded_sums();
  double before = 1.0;
  for (const int order : {3, 6, 12}) {
    options.sum.order = order;
    const double error = BodySystem(*backend, small_cluster(3000), options).sum_error();
    EXPECT_LT(error, before / 5.0) << order;
    before = error;
  }
  EXPECT_GT(before, 0.0);
  EXPECT_EQ(BodySystem(*backend, small_cluster(100), GravityOptions{}).sum_error(), 0.0)
      << "direct";
}

}  // namespace
}  // namespace rankine::bem
