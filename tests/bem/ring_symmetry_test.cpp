// A vortex ring has the symmetry of a circle, its sum by expansions does not: boxes know nothing of
// the ring.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {
namespace {

/// The least and the largest of some numbers.
struct Range {
  double least = 1e300, largest = -1e300;

  void add(double value) {
    least = std::min(least, value);
    largest = std::max(largest, value);
  }
  double width() const { return largest - least; }
};

/// Particles come cross-section by cross-section, in one order: how far those of one place in it
/// are from a circle, across its plane and within it.
double asymmetry(const VortexParticles& particles, std::size_t in_a_section) {
  double found = 0.0;
  for (std::size_t c = 0; c < in_a_section; ++c) {
    Range along, outwards, strength;
    for (std::size_t i = c; i < particles.positions.size(); i += in_a_section) {
      const Vec3d& x = particles.positions[i];
      along.add(x.z);
      outwards.add(std::hypot(x.x, x.y));
      strength.add(norm(particles.strengths[i]) * static_cast<double>(particles.positions.size()));
    }
    found = std::max({found, along.width(), outwards.width(), strength.width()});
  }
  return found;
}

/// Particles of the first cross-section, which lie in a plane with the axis.
std::size_t in_first_section(const VortexParticles& ring) {
  const Vec3d& first = ring.positions[0];
  const auto beyond =
      std::find_if(ring.positions.begin(), ring.positions.end(),
                   [&](const Vec3d& x) { return std::abs(x.x * first.y - x.y * first.x) > 1e-6; });
  return static_cast<std::size_t>(beyond - ring.positions.begin());
}

/// Of a ring of radius 1 m and 1 m^2/s with a resolved core, after `steps`, by which it goes 0.3 m
/// in 100.
double asymmetry_after(int steps, const fmm::Options& sum) {
  const double sigma = 0.06;
  const VortexParticles ring = vortex_rings({{.core_radius = 0.12}}, 600, sigma, sum.kernel);
  const std::size_t in_a_section = in_first_section(ring);
  EXPECT_EQ(ring.positions.size() % in_a_section, 0u);
  EXPECT_GT(in_a_section, 8u) << "circles about the centre line";
  EXPECT_LE(asymmetry(ring, in_a_section), 1e-12);
  const auto backend = make_cpu_backend();
  VortexSystem system(*backend, ring, {.sum = sum});
  EXPECT_EQ(system.info().method, fmm::Method::fmm);
  for (int step = 1; step <= steps; ++step) {
    system.advance(0.01);
    if (step % 50 == 0) system.renew();
  }
  const VortexParticles end = system.particles();
  EXPECT_GT(end.positions[0].z - ring.positions[0].z, 0.002 * steps) << "it has not moved";
  return asymmetry(end, in_a_section);
}

TEST(VortexRing, StaysSymmetricToTenTimesTheToleranceOverAHundredSteps) {
  fmm::Options sum{.kernel = fmm::Kernel::vortex_exponential, .tolerance = 1e-4, .direct_pairs = 0};
  EXPECT_LE(asymmetry_after(100, sum), 10.0 * sum.tolerance);
  sum.order = 2;
  EXPECT_GT(asymmetry_after(100, sum), 10.0 * sum.tolerance) << "any sum would pass";
}

}  // namespace
}  // namespace rankine::bem
