// Diffusion of vortex particles: fractions with given moments, diffusing vortices and rings against
// the heat kernel, what is conserved, walls, and clouds that are crowded or full.
#include "rankine/bem/particles/redistribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/bem/particles/moment_fractions.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/bem/simd/functions.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "tests/support/vortex_parts.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;
using testing::no_sheet;

constexpr auto gaussian = fmm::Kernel::vortex_gaussian;

/// Points of a lattice with the spacing 1/2, each shifted by up to a quarter of that.
std::vector<Vec3d> shaken_lattice(std::uint64_t seed, bool half = false) {
  Uniform uniform(seed);
  std::vector<Vec3d> points{{}};
  for (int x = half ? 0 : -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      for (int z = -2; z <= 2; ++z) {
        Vec3d point{0.5 * x, 0.5 * y, 0.5 * z};
        for (int axis = 0; axis < 3; ++axis) point[axis] += uniform.between(-0.125, 0.125);
        if (half) point.x = std::abs(point.x) + 0.01;
        points.push_back(point);
      }
    }
  }
  return points;
}

FractionPoints<> listed(const std::vector<Vec3d>& points) {
  FractionPoints<> list;
  for (const Vec3d& each : points) list.add(each);
  return list;
}

TEST(MomentFractions, HaveTheirMomentsAndNoneIsNegative) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<Vec3d> points = shaken_lattice(seed);
    for (const double spread : {0.25, 0.05, 0.01}) {
      const double s = 0.25 * spread;  // in units of the radius, two spacings
      const Moments moments{1.0, 0.0, 0.0, 0.0, s, s, s, 0.0, 0.0, 0.0};
      Moments multipliers, found{};
      ASSERT_TRUE(listed(points).find(moments, multipliers)) << seed << " " << spread;
      for (const Vec3d& r : points) {
        const double f = fraction(multipliers, r);
        EXPECT_GE(f, 0.0);
        const Moments p = monomials(r);
        for (std::size_t k = 0; k < p.size(); ++k) found[k] += f * p[k];
      }
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], moments[k], 1e-12);
    }
  }
}

// A polynomial that is larger in the mean than at any point proves it (Farkas' lemma).
TEST(MomentFractions, DoNotExistOnOneSide) {
  const Moments moments{1.0, 0.0, 0.0, 0.0, 0.05, 0.05, 0.05, 0.0, 0.0, 0.0};
  Moments multipliers;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<Vec3d> points = shaken_lattice(seed, true);
    EXPECT_FALSE(listed(points).find(moments, multipliers)) << seed;
    FractionCloud cloud{};
    std::fill_n(cloud.x, FractionCloud::capacity, 1.0);
    for (const Vec3d& r : points) {
      cloud.x[cloud.count] = r.x, cloud.y[cloud.count] = r.y, cloud.z[cloud.count] = r.z;
      ++cloud.count;
    }
    EXPECT_FALSE(simd_functions().find_fractions(cloud, moments, multipliers)) << seed;
    const Moments& proof = cloud.refutation;
    for (const Vec3d& r : points) {
      if (norm(r) >= 1.0) continue;
      EXPECT_LT(polynomial(proof, r), dot(proof, moments)) << seed;
    }
  }
}

/// Particles on a lattice within `extent` of the origin, with the strength along z of a Gaussian
/// vorticity of the variance `variance`.
VortexParticles blob(double spacing, double variance, double extent) {
  VortexParticles particles;
  const int n = static_cast<int>(extent / spacing);
  for (int x = -n; x <= n; ++x) {
    for (int y = -n; y <= n; ++y) {
      for (int z = -n; z <= n; ++z) {
        const Vec3d at{spacing * x, spacing * y, spacing * z};
        const double size = std::pow(spacing, 3) * std::pow(2.0 * pi * variance, -1.5) *
                            std::exp(-0.5 * dot(at, at) / variance);
        particles.positions.push_back(at);
        particles.strengths.push_back({0.0, 0.0, size});
        particles.core_radii.push_back(spacing);
      }
    }
  }
  return particles;
}

Vec3d vorticity(const VortexParticles& particles, const Vec3d& at) {
  Vec3d sum{};
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    const double sigma = particles.core_radii[i];
    sum += core_vorticity(gaussian, norm(particles.positions[i] - at) / sigma) /
           std::pow(sigma, 3) * particles.strengths[i];
  }
  return sum;
}

double heat_kernel(double distance, double variance) {
  return std::pow(2.0 * pi * variance, -1.5) * std::exp(-0.5 * distance * distance / variance);
}

RedistributionOptions options_for(double spacing) {
  RedistributionOptions options;
  options.viscosity = 0.5;  // so that the variance is the time
  options.spacing = options.core_radius = spacing;
  return options;
}

Vec3d total(const VortexParticles& particles) {
  Vec3d sum{};
  for (const Vec3d& each : particles.strengths) sum += each;
  return sum;
}

VortexMonitors moments_of(const VortexParticles& particles) {
  return monitor(particles, std::vector<Vec3d>(particles.positions.size()));
}

// One particle with the core of the spacing h is the heat kernel of the variance h^2. Within 1 % at
// the centre and at one standard deviation of a core ten times as large.
TEST(Redistribution, OfAVortexIsTheHeatKernelOverATenfoldArea) {
  const double h = 0.3;
  VortexParticles particles{{{0.01, 0.02, 0.03}}, {{1.0, -2.0, 3.0}}, {h}};
  RedistributionRecord record;
  for (int step = 0; step < 36; ++step)
    record = redistribute(particles, no_sheet, 0.25 * h * h, options_for(h));
  EXPECT_EQ(record.left_out, 0u);
  EXPECT_EQ(record.substeps, 1);
  const double variance = 10.0 * h * h, s = std::sqrt(variance);
  for (const double distance : {0.0, s}) {
    const Vec3d at = Vec3d{0.01, 0.02, 0.03} + distance * normalized(Vec3d{1.0, 2.0, 2.0});
    const Vec3d found = vorticity(particles, at) / heat_kernel(distance, variance);
    EXPECT_LE(norm(found - Vec3d{1.0, -2.0, 3.0}), 0.01 * std::sqrt(14.0)) << distance;
  }
  EXPECT_LE(norm(total(particles) - Vec3d{1.0, -2.0, 3.0}), 1e-12);
  const VortexMonitors after = moments_of(particles);
  EXPECT_LE(norm(after.impulse - 0.5 * cross(Vec3d{0.01, 0.02, 0.03}, Vec3d{1.0, -2.0, 3.0})),
            1e-12);
  for (const Vec3d& each : particles.strengths) EXPECT_GE(each.z, 0.0);
}

/// Largest error at points up to two standard deviations, over the vorticity at the centre.
double blob_error(double spacing) {
  VortexParticles particles = blob(spacing, 1.0 - spacing * spacing, 4.2);  // and the cores
  RedistributionOptions options = options_for(spacing);
  options.weak = 1e-3;
  const int steps = static_cast<int>(std::lround(0.5 / (spacing * spacing)));
  for (int step = 0; step < steps; ++step)
    redistribute(particles, no_sheet, 0.25 * spacing * spacing, options);
  const double variance = 1.125;
  double worst = 0.0;
  for (int k = 0; k <= 8; ++k) {
    const double distance = 0.25 * k * std::sqrt(variance);
    const Vec3d at = distance * normalized(Vec3d{1.0, 0.5, 0.2});
    worst = std::max(worst, std::abs(vorticity(particles, at).z - heat_kernel(distance, variance)));
  }
  return worst / heat_kernel(0.0, variance);
}

// The next term of the error, of fourth order, has the other sign.
TEST(Redistribution, IsOfSecondOrderInTheSpacing) {
  const double coarse = blob_error(0.25 * std::numbers::sqrt2), fine = blob_error(0.25);
  EXPECT_LE(coarse, 1e-3);
  EXPECT_GE(std::log(coarse / fine) / std::log(std::numbers::sqrt2), 1.7) << coarse << " " << fine;
}

/// The vorticity of a ring of radius 1 in the plane z = 0, diffused to `variance`, at (r, 0, z).
double ring_vorticity(double r, double z, double variance) {
  constexpr int points = 2000;
  double sum = 0.0;
  for (int i = 0; i < points; ++i) {
    const double angle = 2.0 * pi * i / points;
    sum += std::cos(angle) *
           heat_kernel(std::hypot(r - std::cos(angle), std::sin(angle), z), variance);
  }
  return sum * 2.0 * pi / points;
}

TEST(Redistribution, OfARingKeepsItsImpulsesOverATenfoldArea) {
  const double h = 0.1;
  VortexParticles ring = vortex_rings({VortexRing{}}, 80, h, gaussian);
  for (Vec3d& each : ring.positions)
    each += Vec3d{0.3, -0.2, 0.5};  // no symmetry about the lattice
  const VortexMonitors before = moments_of(ring);
  for (int step = 0; step < 36; ++step)
    EXPECT_EQ(redistribute(ring, no_sheet, 0.25 * h * h, options_for(h)).left_out, 0u);
  const VortexMonitors after = moments_of(ring);
  EXPECT_LE(norm(after.total_vorticity), 1e-12);
  EXPECT_LE(norm(after.impulse - before.impulse), 1e-12 * norm(before.impulse));
  // Of weak particles, which do not diffuse, the strengths add up to nearly zero around the ring.
  EXPECT_LE(norm(after.angular_impulse - before.angular_impulse), 1e-7 * norm(before.impulse));
  const double variance = 10.0 * h * h, s = std::sqrt(variance);
  const double peak = ring_vorticity(1.0, 0.0, variance);
  for (const auto& [r, z] : {std::pair{1.0, 0.0}, {1.0 + s, 0.0}, {1.0 - s, 0.0}, {1.0, s}}) {
    EXPECT_NEAR(vorticity(ring, Vec3d{0.3, -0.2, 0.5} + Vec3d{r, 0.0, z}).y,
                ring_vorticity(r, z, variance), 0.01 * peak)
        << r << " " << z;
  }
}

TEST(Redistribution, HasTheSameBitsOnAnyNumberOfThreads) {
  std::vector<VortexParticles> found;
  for (const int threads : {1, 3}) {
    Execution{.threads = threads}.run([&] {
      VortexParticles ring = vortex_rings({VortexRing{}}, 60, 0.15, gaussian);
      for (int step = 0; step < 3; ++step) redistribute(ring, no_sheet, 0.005, options_for(0.15));
      found.push_back(ring);
    });
  }
  EXPECT_EQ(found[0].positions, found[1].positions);
  EXPECT_EQ(found[0].strengths, found[1].strengths);
}

// In parts that are short enough for the spacing.
// The second moment of one vortex after a step, from the mean vorticity in two spacings around it.
TEST(Redistribution, DiffusesByTheEddyViscosityOfTheVorticityThere) {
  constexpr double spacing = 0.1, step = 1e-4, c = 0.2, strength = 0.1;
  const auto moment_after = [&](double smagorinsky) {
    VortexParticles vortex{{{}}, {{0.0, 0.0, strength}}, {0.1}};
    RedistributionOptions options = options_for(spacing);
    options.smagorinsky = smagorinsky;
    redistribute(vortex, no_sheet, step, options);
    double moment = 0.0;
    for (std::size_t i = 0; i < vortex.positions.size(); ++i)
      moment += vortex.strengths[i].z / strength * dot(vortex.positions[i], vortex.positions[i]);
    return moment;
  };
  const double viscosity = options_for(spacing).viscosity, radius = 2.0 * spacing,
               vorticity = strength / (4.0 / 3.0 * pi * radius * radius * radius),
               eddy = c * c * spacing * spacing * vorticity;
  EXPECT_NEAR(moment_after(0.0), 6.0 * viscosity * step, 1e-15);
  EXPECT_NEAR(moment_after(c), 6.0 * (viscosity + eddy) * step, 1e-15);
  EXPECT_NEAR(moment_after(1e3), 0.75 * spacing * spacing, 1e-14) << "the bound";
}

TEST(Redistribution, OfALongStepIsThatOfItsParts) {
  VortexParticles once{{{}}, {{0.0, 0.0, 1.0}}, {0.1}}, parts = once;
  EXPECT_EQ(redistribute(once, no_sheet, 0.01, options_for(0.1)).substeps, 4);
  for (int part = 0; part < 4; ++part) redistribute(parts, no_sheet, 0.0025, options_for(0.1));
  EXPECT_EQ(once.positions, parts.positions);
  EXPECT_EQ(once.strengths, parts.strengths);
}

/// The fluid above z = 0.
std::vector<NearWall> floor_below(std::span<const Vec3d> points) {
  std::vector<NearWall> walls;
  for (const Vec3d& each : points) walls.push_back({each.z, {0.0, 0.0, 1.0}});
  return walls;
}

// A vortex at the height d, reflected at the floor: the mean height is d erf(d/s 2^(1/2)) +
// s (2/pi)^(1/2) exp(-d^2/2 s^2), the mean square d^2 + s^2.
TEST(Redistribution, ReflectsAtAWall) {
  const double h = 0.1, spread = 0.25 * h * h, s = std::sqrt(spread), d = 0.4 * h;
  RedistributionOptions options = options_for(h);
  options.wall = floor_below;
  VortexParticles particles{{{0.03, 0.01, d}}, {{1.0, 0.0, 0.0}}, {h}};
  EXPECT_EQ(redistribute(particles, no_sheet, spread, options).left_out, 0u);
  double mean = 0.0, square = 0.0;
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    EXPECT_GE(particles.positions[i].z, 0.0);
    mean += particles.strengths[i].x * particles.positions[i].z;
    square += particles.strengths[i].x * std::pow(particles.positions[i].z, 2);
  }
  const double at = d / s;
  EXPECT_NEAR(
      mean,
      d * std::erf(at / std::numbers::sqrt2) + s * std::sqrt(2.0 / pi) * std::exp(-0.5 * at * at),
      1e-13);
  EXPECT_NEAR(square, d * d + spread, 1e-14);
  for (int step = 0; step < 10; ++step) redistribute(particles, no_sheet, spread, options);
  EXPECT_NEAR(total(particles).x, 1.0, 1e-12);
  for (const Vec3d& each : particles.positions) EXPECT_GE(each.z, 0.0);
}

// Vorticity on one side of a plate of half a spacing gives nothing to the other.
TEST(Redistribution, DoesNotPassAThinBody) {
  const double h = 0.1;
  RedistributionOptions options = options_for(h);
  options.wall = [&](std::span<const Vec3d> points) {
    std::vector<NearWall> walls;
    for (const Vec3d& each : points)
      walls.push_back({std::abs(each.z) - 0.25 * h, {0.0, 0.0, each.z > 0.0 ? 1.0 : -1.0}});
    return walls;
  };
  VortexParticles particles{
      {{0.0, 0.0, 0.5 * h}, {0.0, 0.0, -0.5 * h}}, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, {h, h}};
  for (int step = 0; step < 4; ++step) redistribute(particles, no_sheet, 0.1 * h * h, options);
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    const bool above = particles.positions[i].z > 0.0;
    EXPECT_EQ(above ? particles.strengths[i].y : particles.strengths[i].x, 0.0);
  }
  EXPECT_NEAR(total(particles).x, 1.0, 1e-12);
}

// Between walls two spacings apart, which face each other, vorticity becomes uniform.
TEST(Redistribution, CrossesAGapBetweenBodies) {
  const double h = 0.1;
  RedistributionOptions options = options_for(h);
  options.wall = [&](std::span<const Vec3d> points) {
    std::vector<NearWall> walls;
    for (const Vec3d& each : points)
      walls.push_back({h - std::abs(each.z), {0.0, 0.0, each.z > 0.0 ? -1.0 : 1.0}});
    return walls;
  };
  VortexParticles particles{{{0.01, 0.02, 0.6 * h}}, {{1.0, 0.0, 0.0}}, {h}};
  for (int step = 0; step < 24; ++step)
    EXPECT_EQ(redistribute(particles, no_sheet, 0.25 * h * h, options).left_out, 0u) << step;
  double mean = 0.0;
  for (std::size_t i = 0; i < particles.positions.size(); ++i)
    mean += particles.strengths[i].x * particles.positions[i].z;
  EXPECT_NEAR(mean, 0.0, 0.1 * h);
  EXPECT_NEAR(total(particles).x, 1.0, 1e-12);
}

TEST(Redistribution, GivesASheetAndCrowdedParticlesToTheOthers) {
  const double h = 0.2;
  VortexParticles particles = blob(h, 0.2, 1.0);
  const std::size_t count = particles.positions.size();
  // A weak particle beside another, and two of a sheet: with room around, and with none.
  for (const Vec3d& at : {Vec3d{0.05, 0.02, 0.01}, Vec3d{0.3, 0.31, 0.08}, Vec3d{5.0, 0.0, 0.0}}) {
    particles.positions.push_back(at);
    particles.strengths.push_back({0.001, 0.0, 0.0});
    particles.core_radii.push_back(h);
  }
  const VortexMonitors before = moments_of(particles);
  const RedistributionRecord record =
      redistribute(particles, count + 1, 0.01 * h * h, options_for(h));
  EXPECT_EQ(record.removed, 2u);
  EXPECT_EQ(particles.positions.size(), count + 3 + record.added - record.removed);
  const VortexMonitors after = moments_of(particles);
  EXPECT_LE(norm(after.total_vorticity - before.total_vorticity), 1e-13);
  EXPECT_LE(norm(after.impulse - before.impulse), 1e-13);
}

TEST(Redistribution, AddsNoMoreParticlesThanItMay) {
  RedistributionOptions options = options_for(0.1);
  options.most = 20;
  VortexParticles particles{{{}}, {{0.0, 0.0, 1.0}}, {0.1}};
  std::size_t left_out = 0;
  for (int step = 0; step < 5; ++step)
    left_out += redistribute(particles, no_sheet, 0.0025, options).left_out;
  EXPECT_LE(particles.positions.size(), 20u);
  EXPECT_GT(left_out, 0u);
  EXPECT_NEAR(total(particles).z, 1.0, 1e-12);
}

TEST(Redistribution, RefusesParticlesThatAreNotFinite) {
  VortexParticles particles{{{std::nan(""), 0.0, 0.0}}, {{0.0, 0.0, 1.0}}, {0.1}};
  EXPECT_THROW(redistribute(particles, no_sheet, 0.01, options_for(0.1)), InputError);
}

// A Gaussian core grows as the heat kernel; another kernel's core keeps its shape with the same
// variance.
TEST(CoreSpreading, GrowsTheVarianceByTwoViscosityTimesTime) {
  for (const fmm::Kernel kernel : {gaussian, fmm::Kernel::vortex_exponential}) {
    VortexParticles particles{{{}}, {{0.0, 0.0, 1.0}}, {0.2}};
    for (int step = 0; step < 10; ++step) spread_cores(particles, kernel, 0.03, 0.1);
    const double variance = core_variance(kernel);
    EXPECT_NEAR(variance * std::pow(particles.core_radii[0], 2), variance * 0.04 + 0.06, 1e-14);
  }
}

}  // namespace
}  // namespace rankine::bem
