// Vortex particles: motions with a closed form, rings against the speed of a filament, orders in
// time, what is conserved, and runs that are resumed.
#include "rankine/bem/particles/vortices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/conserved_moments.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "tests/support/counting_backend.hpp"
#include "tests/support/vortex_parts.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;
using testing::core_share;
using enum fmm::Kernel;

Backend& cpu() {
  static const std::unique_ptr<Backend> backend = make_cpu_backend();
  return *backend;
}

VortexOptions options_with(fmm::Kernel kernel = vortex_exponential,
                           Stretching stretching = Stretching::transpose,
                           RungeKutta scheme = RungeKutta::williamson) {
  VortexOptions options;
  options.scheme = scheme;
  options.stretching = stretching;
  options.sum.kernel = kernel;
  return options;
}

void advance(VortexSystem& system, int steps, double step = 0.01) {
  for (int i = 0; i < steps; ++i) system.advance(step);
}

/// Of a filament on a circle, by the midpoint rule on a smooth integrand.
double filament_speed(fmm::Kernel kernel, double radius, double circulation, double sigma) {
  constexpr int points = 20000;
  double sum = 0.0;
  for (int i = 0; i < points; ++i) {
    const double s = 0.5 * pi * (i + 0.5) / points;
    sum += core_share(kernel, 2.0 * radius * std::sin(s) / sigma) / std::sin(s);
  }
  return circulation / (4.0 * pi * radius) * sum * 0.5 * pi / points;
}

struct Core {
  fmm::Kernel kernel;
  double constant;  ///< C of vortex_rings.hpp
};
const std::vector<Core> cores{
    {vortex_exponential, std::numbers::ln2 - std::numbers::egamma / 3.0},
    // ln 2 and half of ln 2 + psi(3/2), where psi(3/2) = 2 - gamma - 2 ln 2
    {vortex_gaussian, std::numbers::ln2 + 0.5 * (2.0 - std::numbers::egamma - std::numbers::ln2)}};

TEST(VortexRing, IsAsFastAsAFilamentWithItsCore) {
  for (const auto& [kernel, constant] : cores) {
    const double radius = 1.3, circulation = 2.0, sigma = 0.15;
    const double thin = filament_speed(kernel, radius, circulation, 0.01 * radius);
    // Of a thin core but for terms of second order in its thickness.
    EXPECT_NEAR(thin / (circulation / (4.0 * pi * radius) * (std::log(800.0) - constant)), 1.0,
                1e-4);
    // Particles two to a core radius: the sum is a trapezoidal rule on a periodic smooth function.
    const VortexParticles ring =
        vortex_rings({{.radius = radius, .circulation = circulation, .axis = {1.0, 2.0, -0.5}}},
                     140, sigma, kernel);
    VortexSystem system(cpu(), ring, options_with(kernel));
    const Vec3d expected =
        filament_speed(kernel, radius, circulation, sigma) * normalized(Vec3d{1.0, 2.0, -0.5});
    for (const Vec3d& u : system.velocities()) EXPECT_LE(norm(u - expected), 1e-3 * norm(expected));
  }
}

TEST(VortexRing, KeepsItsShapeAndImpulse) {
  const double radius = 1.0, circulation = 1.0, sigma = 0.2;
  const VortexParticles ring = vortex_rings({{}}, 80, sigma, vortex_exponential);
  for (const Stretching stretching : {Stretching::classic, Stretching::transpose}) {
    VortexSystem system(cpu(), ring, options_with(vortex_exponential, stretching));
    const VortexMonitors before = monitor(ring, system.velocities());
    EXPECT_NEAR(before.impulse.z / (circulation * pi * radius * radius), 1.0, 1e-12);
    advance(system, 10, 0.1);
    const VortexParticles moved = system.particles();
    const VortexMonitors after = monitor(moved, system.velocities());
    EXPECT_LE(norm(after.impulse - before.impulse), 1e-12);
    EXPECT_LE(norm(after.angular_impulse), 1e-12);
    EXPECT_LE(norm(after.total_vorticity), 1e-13);
    EXPECT_LE(std::abs(after.helicity), 1e-13);
    EXPECT_NEAR(after.centroid.z, filament_speed(vortex_exponential, radius, circulation, sigma),
                1e-3);
    const RingPlace place = ring_place(moved, 0, moved.positions.size());
    EXPECT_NEAR(place.radius, radius, 1e-12);
    for (const Vec3d& x : moved.positions) EXPECT_NEAR(x.z, after.centroid.z, 1e-12);
  }
}

TEST(VortexRing, WithAResolvedCoreHasItsCirculationImpulseAndWidth) {
  for (const auto& [kernel, constant] : cores) {
    const VortexRing ring{
        .radius = 2.0, .circulation = 3.0, .core_radius = 0.3, .centre = {0, 0, 5}};
    const double sigma = 0.12;
    const VortexParticles particles = vortex_rings({ring}, 4000, sigma, kernel);
    EXPECT_EQ(particles.positions.size(), particles_of(ring, 4000, sigma, kernel));
    EXPECT_GE(particles.positions.size(), 4000u);
    double strength = 0.0, width = 0.0, impulse = 0.0;
    for (std::size_t i = 0; i < particles.positions.size(); ++i) {
      const Vec3d x = particles.positions[i] - ring.centre;
      const double own = norm(particles.strengths[i]), out = std::hypot(x.x, x.y) - ring.radius;
      EXPECT_LE(std::abs(dot(x, particles.strengths[i])), 1e-13);
      strength += own;
      width += own * (out * out + x.z * x.z);
      impulse += 0.5 * cross(x, particles.strengths[i]).z;
    }
    EXPECT_NEAR(strength / (2.0 * pi * ring.radius * ring.circulation), 1.0, 1e-12);
    // Mean square distance from the centre line: a^2, of which the end of the core cuts off a
    // hundredth.
    const double own_width = 2.0 * core_variance(kernel) * sigma * sigma;
    const double square = ring.core_radius * ring.core_radius;
    EXPECT_NEAR((width / strength + own_width) / square, 1.0, 0.03);
    // pi Gamma times the mean square distance from the axis.
    const double carried = square - own_width;
    EXPECT_NEAR(impulse / (pi * ring.circulation) - ring.radius * ring.radius, 0.5 * carried,
                0.03 * carried);
  }
  EXPECT_THROW(vortex_rings({{.core_radius = 0.1}}, 100, 0.1, vortex_gaussian), InputError);
  EXPECT_THROW(vortex_rings({{}}, 100, 0.0, vortex_gaussian), InputError);
}

TEST(VortexRings, HaveTheMomentsOfTheirPlaceAndTheHelicityOfTheirLink) {
  const VortexRing first{.circulation = 2.0, .centre = {0.0, 3.0, 1.0}, .axis = {1.0, 0.0, 0.0}};
  const auto monitors = [&](const std::vector<VortexRing>& rings) {
    const VortexParticles particles = vortex_rings(rings, 200, 0.1, vortex_exponential);
    VortexSystem system(cpu(), particles, options_with());
    return monitor(particles, system.velocities());
  };
  const VortexMonitors one = monitors({first});
  const Vec3d impulse = first.circulation * pi * first.radius * first.radius * first.axis;
  EXPECT_LE(norm(one.impulse - impulse), 1e-12);
  EXPECT_LE(norm(one.angular_impulse - cross(first.centre, impulse)), 1e-12);
  EXPECT_LE(norm(one.centroid - first.centre), 1e-12);
  EXPECT_NEAR(one.strength, first.circulation * 2.0 * pi * first.radius, 1e-12);
  EXPECT_NEAR(one.helicity, 0.0, 1e-12);
  // Through the middle of the first. Gauss' linking integral is 4 pi for lines that link once; sums
  // over circles, ten core radii apart, are trapezoidal rules on periodic smooth functions.
  const VortexRing second{.circulation = 3.0, .centre = {0.0, 4.0, 1.0}, .axis = {0.0, 0.0, 1.0}};
  EXPECT_NEAR(std::abs(monitors({first, second}).helicity), 2.0 * 2.0 * 3.0, 1e-10);
}

TEST(VortexRings, LeapThroughEachOtherInTurn) {
  const std::vector<VortexRing> pair{{}, {.centre = {0.0, 0.0, 0.6}}};
  const VortexParticles start = vortex_rings(pair, 60, 0.15, vortex_exponential);
  VortexSystem system(cpu(), start, options_with());
  int leaps = 0;
  bool first_leads = false;
  for (int i = 0; i < 60; ++i) {
    system.advance(0.1);
    const VortexParticles now = system.particles();
    const RingPlace one = ring_place(now, 0, 60), other = ring_place(now, 60, 120);
    const bool leads = one.centre.z > other.centre.z;
    if (leads != first_leads) {
      ++leaps;
      first_leads = leads;
      // The one that passes is inside.
      EXPECT_LT(leads ? one.radius : other.radius, leads ? other.radius : one.radius);
    }
  }
  EXPECT_GE(leaps, 2);
  const VortexMonitors before = monitor(start, std::vector<Vec3d>(120)),
                       after = monitor(system.particles(), std::vector<Vec3d>(120));
  // Conserved by filaments; by polygons to the error of their sums, below a thousandth.
  EXPECT_LE(norm(after.impulse - before.impulse), 1e-3 * norm(before.impulse));
}

TEST(VortexPair, TurnsAboutItsCentre) {
  const double distance = 0.8, sigma = 0.5, strength = 2.0;
  for (const auto& [kernel, constant] : cores) {
    for (const Stretching stretching :
         {Stretching::none, Stretching::classic, Stretching::transpose}) {
      VortexSystem system(cpu(),
                          {{{0.5 * distance, 0, 0}, {-0.5 * distance, 0, 0}},
                           {{0, 0, strength}, {0, 0, strength}},
                           {sigma, sigma}},
                          options_with(kernel, stretching));
      const double turn = core_share(kernel, distance / sigma) * strength /
                          (2.0 * pi * distance * distance * distance);
      constexpr int steps = 100;
      for (int i = 0; i < steps; ++i) system.advance(1.0 / turn / steps);  // one radian
      const VortexParticles end = system.particles();
      // h^3/24 per radian and unit, h = 0.01
      EXPECT_LE(norm(end.positions[0] - 0.5 * distance * Vec3d{std::cos(1.0), std::sin(1.0), 0.0}),
                1e-7);
      EXPECT_LE(norm(end.strengths[0] - Vec3d{0, 0, strength}), 1e-14);
    }
  }
}

/// What a particle at the origin does to the velocity at x, by a plain formula.
Vec3d velocity_of_one(const Vec3d& gamma, const Vec3d& x, double sigma, fmm::Kernel kernel) {
  const double r = norm(x);
  return core_share(kernel, r / sigma) / (4.0 * pi * r * r * r) * cross(gamma, x);
}

TEST(VortexStretching, IsTheDerivativeAlongTheStrengthOrItsTranspose) {
  const Vec3d gamma{0.3, -0.5, 0.7}, x{0.4, 0.5, -0.2}, weak{1e-9, 2e-9, -1.5e-9};
  const double sigma = 0.6, h = 1e-5, step = 1e-4;
  for (const auto& [kernel, constant] : cores) {
    Vec3d along{}, transposed{};
    for (int j = 0; j < 3; ++j) {
      Vec3d e{};
      e[j] = h;
      const Vec3d derivative = (velocity_of_one(gamma, x + e, sigma, kernel) -
                                velocity_of_one(gamma, x - e, sigma, kernel)) /
                               (2.0 * h);  // d u / d x_j
      along += weak[j] * derivative;
      transposed[j] = dot(weak, derivative);
    }
    for (const auto& [stretching, expected] :
         {std::pair{Stretching::classic, along}, std::pair{Stretching::transpose, transposed},
          std::pair{Stretching::none, Vec3d{}}}) {
      VortexSystem system(cpu(), {{{}, x}, {gamma, weak}, {sigma, sigma}},
                          options_with(kernel, stretching, RungeKutta::midpoint));
      system.advance(step);
      const Vec3d found = (system.particles().strengths[1] - weak) / step;
      EXPECT_LE(norm(found - expected), 1e-3 * norm(along)) << static_cast<int>(stretching);
    }
  }
}

/// A tangle of thick vortices.
VortexParticles tangle(std::size_t n, double sigma = 0.7) {
  Uniform uniform(5);
  VortexParticles particles{{}, {}, std::vector<double>(n, sigma)};
  const auto vector = [&] {
    return Vec3d{uniform.between(-1, 1), uniform.between(-1, 1), uniform.between(-1, 1)};
  };
  for (std::size_t i = 0; i < n; ++i) {
    particles.positions.push_back(vector());
    particles.strengths.push_back(vector());
  }
  return particles;
}

/// A second later.
VortexParticles tangle_after(int steps, const VortexOptions& options) {
  VortexSystem system(cpu(), tangle(12), options);
  advance(system, steps, 1.0 / steps);
  return system.particles();
}

double distance(const VortexParticles& a, const VortexParticles& b) {
  double square = 0.0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) {
    const Vec3d x = a.positions[i] - b.positions[i], gamma = a.strengths[i] - b.strengths[i];
    square += dot(x, x) + dot(gamma, gamma);
  }
  return std::sqrt(square);
}

TEST(RungeKutta, HasTheOrderOfItsScheme) {
  for (const auto& [scheme, order] :
       {std::pair{RungeKutta::midpoint, 2.0}, std::pair{RungeKutta::williamson, 3.0}}) {
    for (const Stretching stretching : {Stretching::classic, Stretching::transpose}) {
      const VortexOptions options = options_with(vortex_gaussian, stretching, scheme);
      const VortexParticles coarse = tangle_after(16, options), middle = tangle_after(32, options),
                            fine = tangle_after(64, options);
      const double first = distance(coarse, middle), second = distance(middle, fine);
      EXPECT_NEAR(std::log2(first / second), order, 0.25);
      EXPECT_GT(second, 1e-11) << "rounding, no order";
    }
  }
}

TEST(VortexRelaxation, TurnsStrengthsTowardsTheVorticity) {
  const VortexParticles start = tangle(50);
  constexpr double step = 1e-6, rate = 0.7;
  const auto strengths_after = [&](double relaxation) {
    VortexOptions options = options_with();
    options.relaxation = relaxation;
    VortexSystem system(cpu(), start, options);
    system.advance(step);
    return system.particles().strengths;
  };
  const std::vector<Vec3d> with = strengths_after(rate), without = strengths_after(0.0);
  const std::vector<Vec3d> vorticity =
      VortexSystem(cpu(), start, options_with()).field_at(start.positions).vorticity;
  std::vector<Vec3d> turns;
  for (std::size_t i = 0; i < vorticity.size(); ++i)
    turns.push_back(
        rate * (norm(start.strengths[i]) * vorticity[i] - norm(vorticity[i]) * start.strengths[i]));
  Array changes = uploaded(cpu(), turns);
  conserve_moments(cpu(), {}, uploaded(cpu(), start.positions), changes);
  turns = downloaded_vectors(cpu(), changes);
  // Of second order in the step, whose product with the vorticity is below 1e-5.
  for (std::size_t i = 0; i < turns.size(); ++i)
    EXPECT_LE(norm((with[i] - without[i]) / step - turns[i]),
              1e-4 * norm(vorticity[i]) * norm(start.strengths[i]));
}

TEST(VortexSystem, KeepsTheTotalVorticityInTheTransposeFormAlone) {
  for (const auto& [stretching, relaxation] :
       {std::pair{Stretching::classic, 0.0}, std::pair{Stretching::transpose, 0.0},
        std::pair{Stretching::transpose, 1.0}}) {
    VortexOptions options = options_with(vortex_exponential, stretching);
    options.relaxation = relaxation;
    VortexSystem system(cpu(), tangle(50), options);
    const VortexMonitors before = monitor(system.particles(), system.velocities());
    advance(system, 10);
    const VortexMonitors after = monitor(system.particles(), system.velocities());
    const double change = norm(after.total_vorticity - before.total_vorticity) / before.strength;
    if (stretching == Stretching::transpose) {
      EXPECT_LE(change, 1e-14) << relaxation;
    } else {
      EXPECT_GE(change, 1e-6);
    }
    EXPECT_GE(std::abs(after.strength / before.strength - 1.0), 1e-4) << "nothing is stretched";
  }
}

TEST(VortexSystem, IsCarriedAlongByAStream) {
  VortexOptions options = options_with();
  VortexSystem resting(cpu(), tangle(20), options);
  options.stream = {1.0, -2.0, 0.5};
  VortexSystem carried(cpu(), tangle(20), options);
  advance(resting, 8, 0.05);
  advance(carried, 8, 0.05);
  const VortexParticles without = resting.particles(), with = carried.particles();
  const std::vector<Vec3d> u = resting.velocities(), u_carried = carried.velocities();
  for (std::size_t i = 0; i < u.size(); ++i) {
    EXPECT_LE(norm(with.positions[i] - without.positions[i] - 0.4 * options.stream), 1e-13);
    EXPECT_LE(norm(with.strengths[i] - without.strengths[i]), 1e-13);
    EXPECT_LE(norm(u_carried[i] - u[i] - options.stream), 1e-13);
  }
}

/// Expansions even for few particles.
VortexOptions expanded_vortices() {
  VortexOptions options = options_with();
  options.sum.direct_pairs = 0;
  options.sum.tolerance = 1e-3;
  return options;
}

TEST(VortexSystem, GoesOnWithTheSameBitsFromAnyStep) {
  VortexSystem whole(cpu(), tangle(2000, 0.05), expanded_vortices());
  ASSERT_EQ(whole.info().method, fmm::Method::fmm);
  advance(whole, 1);
  whole.renew();
  const VortexParticles at_renewal = whole.particles();
  const SumPoints made_at = whole.made_at();
  advance(whole, 1);
  const VortexParticles between = whole.particles();
  whole.velocities();  // looking at it changes nothing
  advance(whole, 1);
  const VortexParticles end = whole.particles();

  VortexSystem from_renewal(cpu(), at_renewal, expanded_vortices(), made_at);
  advance(from_renewal, 2);
  EXPECT_EQ(from_renewal.particles().positions, end.positions);
  EXPECT_EQ(from_renewal.particles().strengths, end.strengths);
  VortexSystem from_between(cpu(), between, expanded_vortices(), made_at);
  advance(from_between, 1);
  EXPECT_EQ(from_between.particles().positions, end.positions);
  EXPECT_EQ(from_between.particles().strengths, end.strengths);
}

TEST(VortexSystem, SaysTheVelocitiesOfWhereItsParticlesAre) {
  const VortexOptions options = options_with();
  VortexSystem moved(cpu(), tangle(20), options);
  advance(moved, 2);
  VortexSystem fresh(cpu(), moved.particles(), options);
  EXPECT_EQ(moved.velocities(), fresh.velocities());
}

TEST(VortexSystem, StaysInTheBackendsMemory) {
  testing::CountingBackend backend;
  VortexOptions options = options_with();
  options.stream = {1.0, 0.0, 0.0};
  VortexSystem system(backend, tangle(20), options);
  backend.crossings = 0;
  advance(system, 3);
  EXPECT_EQ(backend.crossings, 0);
}

TEST(VortexSystem, NeedsOneOfEachPerParticle) {
  VortexParticles particles = tangle(5);
  particles.core_radii.pop_back();
  EXPECT_THROW(VortexSystem(cpu(), particles, options_with()), InputError);
}

}  // namespace
}  // namespace rankine::bem
