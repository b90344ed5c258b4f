// Bodies under their own gravity: orbits with a closed form, what is conserved, equilibrium.
// Sums by expansions: what is chosen where they are made, and kept while bodies move; resumed runs.
#include "rankine/bem/particles/gravity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"
#include "tests/support/counting_backend.hpp"

namespace rankine::bem {
namespace {

/// Two bodies about their centre of mass, on ellipses of eccentricity e that one full revolution
/// takes `period`. They start at the pericentre.
struct KeplerOrbit {
  double m1 = 0.7, m2 = 0.3, a = 1.3, e = 0.5, g = 2.0;

  double mean_motion() const { return std::sqrt(g * (m1 + m2) / (a * a * a)); }
  double period() const { return 2.0 * std::numbers::pi / mean_motion(); }
  double energy() const { return -g * m1 * m2 / (2.0 * a); }

  /// From the second body to the first, at time t: Kepler's equation by Newton's method.
  Vec3d separation(double t) const {
    const double mean = mean_motion() * t;
    double angle = mean;
    for (int i = 0; i < 50; ++i)
      angle -= (angle - e * std::sin(angle) - mean) / (1.0 - e * std::cos(angle));
    return {a * (std::cos(angle) - e), a * std::sqrt(1.0 - e * e) * std::sin(angle), 0.0};
  }
  Bodies start() const {
    const Vec3d r = separation(0.0);
    const Vec3d v{0.0, a * mean_motion() * std::sqrt((1.0 + e) / (1.0 - e)), 0.0};
    const double share1 = m2 / (m1 + m2), share2 = -m1 / (m1 + m2);
    return {{share1 * r, share2 * r}, {share1 * v, share2 * v}, {m1, m2}};
  }
};

GravityOptions exact_sums(double g) { return {.gravitational_constant = g, .sum = {}}; }

/// Of the separation after `time`.
double kepler_error(const KeplerOrbit& orbit, double time, int steps) {
  const auto backend = make_cpu_backend();
  BodySystem system(*backend, orbit.start(), exact_sums(orbit.g));
  for (int i = 0; i < steps; ++i) system.advance(time / steps);
  const Bodies end = system.bodies();
  return norm(end.positions[0] - end.positions[1] - orbit.separation(time));
}

TEST(Bodies, FollowKeplersEllipseWithSecondOrder) {
  const KeplerOrbit orbit;
  const double time = 0.8 * orbit.period();
  const double coarse = kepler_error(orbit, time, 400), fine = kepler_error(orbit, time, 800);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05);  // the next term is of fourth order
}

double relative_energy_error(BodySystem& system, const KeplerOrbit& orbit) {
  const Bodies bodies = system.bodies();
  const GravityMonitors found = monitor(bodies, system.potential(), orbit.g);
  return std::abs(found.energy / orbit.energy() - 1.0);
}

TEST(Bodies, KeepTheEnergyOfAnOrbitForEver) {
  const KeplerOrbit orbit;
  const auto backend = make_cpu_backend();
  BodySystem system(*backend, orbit.start(), exact_sums(orbit.g));
  constexpr int steps = 100, orbits = 8;
  double first = 0.0, last = 0.0;
  for (int turn = 0; turn < orbits; ++turn) {
    double worst = 0.0;
    for (int i = 0; i < steps; ++i) {
      system.advance(orbit.period() / steps);
      worst = std::max(worst, relative_energy_error(system, orbit));
    }
    if (turn == 0) first = worst;
    last = worst;
  }
  // Largest at the pericentre. Its phase drifts against the steps, which moves the largest sample.
  EXPECT_LE(last, 1.05 * first);
  EXPECT_GT(first, 1e-5) << "the step is too short to show anything";
}

/// A small cluster, whose sums are direct.
Bodies small_cluster(std::size_t n = 200) { return plummer_sphere(n, 1.0, 1.0, 1.0, 7); }

TEST(Bodies, GoBackTheWayTheyCame) {
  const auto backend = make_cpu_backend();
  const Bodies start = small_cluster(50);
  BodySystem forwards(*backend, start, exact_sums(1.0));
  for (int i = 0; i < 20; ++i) forwards.advance(0.001);
  Bodies turned = forwards.bodies();
  EXPECT_GT(norm(turned.positions[0] - start.positions[0]), 1e-3);
  for (Vec3d& v : turned.velocities) v = -v;
  BodySystem backwards(*backend, turned, exact_sums(1.0));
  for (int i = 0; i < 20; ++i) backwards.advance(0.001);
  const Bodies end = backwards.bodies();
  // Exact but for rounding, which close pairs enlarge.
  for (std::size_t i = 0; i < start.masses.size(); ++i)
    EXPECT_LE(norm(end.positions[i] - start.positions[i]), 1e-11);
}

TEST(Bodies, KeepMomentumToRoundingWhereSumsAreDirect) {
  const auto backend = make_cpu_backend();
  const Bodies start = small_cluster();
  BodySystem system(*backend, start, exact_sums(1.0));
  const GravityMonitors before = monitor(start, system.potential(), 1.0);
  EXPECT_LE(norm(before.momentum), 1e-16 * 200) << "the cluster rests";
  constexpr int steps = 20;
  for (int i = 0; i < steps; ++i) system.advance(1e-3);
  const GravityMonitors after = monitor(system.bodies(), system.potential(), 1.0);
  // Forces of a pair differ by a rounding each way, and every kick rounds every velocity.
  EXPECT_LE(norm(after.momentum - before.momentum), steps * 4e-16 * after.momentum_scale);
  EXPECT_LE(norm(after.angular_momentum - before.angular_momentum), 1e-12);
}

/// The radius about `centre` within which this share of bodies of equal masses lies.
double radius_of(const Bodies& bodies, const Vec3d& centre, double share) {
  std::vector<double> radii;
  for (const Vec3d& x : bodies.positions) radii.push_back(norm(x - centre));
  std::sort(radii.begin(), radii.end());
  return radii[static_cast<std::size_t>(share * static_cast<double>(radii.size())) - 1];
}

TEST(PlummerSphere, IsInEquilibriumAsDrawn) {
  // Sampling errors: of 2 T about 0.9 / sqrt(n), of the radius of half the mass about 0.7 /
  // sqrt(n).
  constexpr std::size_t n = 4000;
  const double mass = 3.0, scale = 2.0, g = 0.5, four_deviations = 4.0 / std::sqrt(double{n});
  const Bodies bodies = plummer_sphere(n, mass, scale, g, 3);
  const auto backend = make_cpu_backend();
  BodySystem system(*backend, bodies, exact_sums(g));
  const GravityMonitors found = monitor(bodies, system.potential(), g);
  const double potential = -3.0 * std::numbers::pi / 32.0 * g * mass * mass / scale;
  EXPECT_NEAR(found.potential / potential, 1.0, four_deviations);
  EXPECT_NEAR(found.virial_ratio, 1.0, four_deviations);
  EXPECT_LE(norm(found.centre), 1e-14);
  EXPECT_LE(norm(found.momentum), 1e-14);
  const double half = scale / std::sqrt(std::pow(0.5 * 0.999, -2.0 / 3.0) - 1.0);
  EXPECT_NEAR(radius_of(bodies, {}, 0.5) / half, 1.0, four_deviations);
}

TEST(PlummerSphere, StaysInEquilibrium) {
  constexpr std::size_t n = 2000;
  GravityOptions options = exact_sums(1.0);
  options.sum.kernel = fmm::Kernel::plummer;
  options.sum.softening = 0.05;
  const auto backend = make_cpu_backend();
  BodySystem system(*backend, plummer_sphere(n, 1.0, 1.0, 1.0, 11), options);
  constexpr double step = 0.025;  // in dynamical times
  constexpr int steps = 120;
  for (int i = 0; i < steps; ++i) system.advance(step);
  const Bodies bodies = system.bodies();
  const GravityMonitors found = monitor(bodies, system.potential(), 1.0);
  const double four_deviations = 4.0 / std::sqrt(double{n});
  EXPECT_NEAR(found.virial_ratio, 1.0, four_deviations);
  for (const double share : {0.1, 0.5, 0.9}) {
    const double inner = std::pow(0.999 * share, -2.0 / 3.0), radius = 1.0 / std::sqrt(inner - 1.0);
    // Of the radius that holds a share p: (p (1 - p) / n)^(1/2) over dp / d ln r.
    const double density = 3.0 * share / (1.0 + radius * radius);
    const double deviation = std::sqrt(share * (1.0 - share)) / density;
    EXPECT_NEAR(radius_of(bodies, found.centre, share) / radius, 1.0, four_deviations * deviation)
        << share;
  }
}

/// Monitors of bodies as they were drawn.
GravityMonitors monitors_of(const Bodies& bodies, double g) {
  const auto backend = make_cpu_backend();
  BodySystem system(*backend, bodies, exact_sums(g));
  return monitor(bodies, system.potential(), g);
}

TEST(OrbitingShell, IsInEquilibriumAsDrawn) {
  constexpr std::size_t n = 4000;
  const Bodies bodies = orbiting_shell(n, 3.0, 2.0, 0.5, 5);
  // Sums over pairs on a sphere scatter by about (2 ln n)^(1/2) / n, velocities have lost their
  // mean.
  const double four_deviations = 4.0 * std::sqrt(2.0 * std::log(n)) / n;
  const GravityMonitors found = monitors_of(bodies, 0.5);
  EXPECT_NEAR(found.potential / (-0.5 * 0.5 * 9.0 / 2.0), 1.0, four_deviations);
  EXPECT_NEAR(found.virial_ratio, 1.0, four_deviations);
  EXPECT_LE(norm(found.momentum), 1e-14);
}

TEST(ExpandingBall, GrowsAsABallThatJustEscapes) {
  constexpr std::size_t n = 2000;
  const double mass = 3.0, radius = 2.0, g = 0.5, rate = std::sqrt(2.0 * g * mass / 8.0);
  GravityOptions options = exact_sums(g);
  options.sum.kernel = fmm::Kernel::plummer;
  options.sum.softening = 0.02;
  const auto backend = make_cpu_backend();
  const Bodies start = expanding_ball(n, mass, radius, g, 7);
  // The mean of r^2 scatters by 0.44 / sqrt(n).
  EXPECT_NEAR(monitors_of(start, g).virial_ratio, 2.0, 2.0 * 4.0 * 0.44 / std::sqrt(double{n}));
  BodySystem system(*backend, start, options);
  constexpr int steps = 50;
  for (int i = 0; i < steps; ++i) system.advance(1.0 / rate / steps);
  const double grown = std::pow(2.5, 2.0 / 3.0);
  // A density that is off by d grows with the radius, and changes a radius by d / 3. Half of the
  // bodies scatter by (n/2)^(-1/2).
  EXPECT_NEAR(radius_of(system.bodies(), {}, 0.5) / radius_of(start, {}, 0.5) / grown, 1.0,
              4.0 * grown / 3.0 / std::sqrt(0.5 * n));
}

TEST(Bodies, AreSoftenedAsPlummersKernelSays) {
  // Two bodies of mass 1/2 on a circle of radius R/2: acceleration m R / (R^2 + eps^2)^(3/2).
  const double distance = 1.0, softening = 0.7,
               square = distance * distance + softening * softening;
  const double turn = std::sqrt(2.0 * 0.5 / std::pow(square, 1.5));
  GravityOptions options = exact_sums(1.0);
  options.sum.kernel = fmm::Kernel::plummer;
  options.sum.softening = softening;
  const auto backend = make_cpu_backend();
  const double v = 0.5 * distance * turn;
  BodySystem system(*backend, {{{0.5, 0, 0}, {-0.5, 0, 0}}, {{0, v, 0}, {0, -v, 0}}, {0.5, 0.5}},
                    options);
  const GravityMonitors start = monitor(system.bodies(), system.potential(), 1.0);
  EXPECT_NEAR(start.potential, -0.25 / std::sqrt(square), 1e-14);
  EXPECT_NEAR(start.kinetic, 0.5 * v * v, 1e-14);
  constexpr int steps = 400;
  for (int i = 0; i < steps; ++i) system.advance(1.0 / turn / steps);
  const Vec3d end = system.bodies().positions[0];
  // The leapfrog's phase errs by h^2/24 in the units of the turn, and its radius by as much.
  EXPECT_LE(norm(end - 0.5 * Vec3d{std::cos(1.0), std::sin(1.0), 0.0}), 1.0 / steps / steps);
}

void advance(BodySystem& system, int steps) {
  for (int i = 0; i < steps; ++i) system.advance(1e-3);
}

TEST(Bodies, StayInTheBackendsMemory) {
  testing::CountingBackend backend;
  BodySystem system(backend, small_cluster(), exact_sums(1.0));
  backend.crossings = 0;
  advance(system, 3);
  EXPECT_EQ(backend.crossings, 0);
}

TEST(Bodies, NeedOneOfEachPerBody) {
  const auto backend = make_cpu_backend();
  Bodies bodies = small_cluster(10);
  bodies.velocities.pop_back();
  EXPECT_THROW(BodySystem(*backend, bodies, exact_sums(1.0)), InputError);
}

/// Expansions even for few bodies.
GravityOptions expanded_sums() {
  GravityOptions options;
  options.sum.direct_pairs = 0;
  options.sum.tolerance = 1e-4;
  return options;
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
