// Changes of strengths that conserve the total vorticity and the impulse of vortices.
#include "rankine/bem/particles/conserved_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortices.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/uniform.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;
using meshes::SymmetryPlane;

/// Points with changes of strengths of many sizes.
VortexParticles changes_at_random(std::size_t n) {
  Uniform uniform(3);
  VortexParticles random{{}, {}, std::vector<double>(n, 1.0)};
  const auto vector = [&](double size) {
    return size * Vec3d{uniform.between(0, 2), uniform.between(-1, 2), uniform.between(-1, 1)};
  };
  for (std::size_t i = 0; i < n; ++i) {
    random.positions.push_back(vector(1.0) + Vec3d{0.5, 3.0, 1.5});
    random.strengths.push_back(vector(uniform.between(0, 1)));
  }
  return random;
}

void conserve_moments(const Symmetry& symmetry, VortexParticles& changes) {
  const auto backend = make_cpu_backend();
  VortexArrays arrays = uploaded(*backend, changes);
  bem::conserve_moments(*backend, symmetry, arrays.positions, arrays.strengths);
  changes.strengths = downloaded_vectors(*backend, arrays.strengths);
}

double sum_of_sizes(const VortexParticles& particles) {
  double sum = 0.0;
  for (const Vec3d& each : particles.strengths) sum += norm(each);
  return sum;
}

std::vector<Symmetry> symmetries() {
  const SymmetryPlane x{.axis = 0, .place = 0.1}, y{.axis = 1, .place = 0.7},
      z{.axis = 2, .place = -0.2};
  return {Symmetry{},       Symmetry({x}),       Symmetry({z}),
          Symmetry({x, y}), Symmetry({x, y, z}), Symmetry::by_rotation({.count = 3}),
          Symmetry({y, z})};
}

TEST(ConservedMoments, AreTheVorticityAndTheImpulse) {
  constexpr std::size_t n = 300;
  for (const Symmetry& symmetry : symmetries()) {
    VortexParticles changes = changes_at_random(n);
    const double scale = sum_of_sizes(changes);
    conserve_moments(symmetry, changes);
    // Rounding errors of n terms, with points up to 10 m from the origin.
    const double rounding = static_cast<double>(n) * 1e-15 * scale;
    const VortexParticles all = with_images(symmetry, changes);
    Vec3d sum{}, sum_here{};
    for (const Vec3d& each : all.strengths) sum += each;
    for (const Vec3d& each : changes.strengths) sum_here += each;
    EXPECT_LE(norm(sum), rounding);
    EXPECT_LE(norm(impulse_of(all)), rounding);
    EXPECT_LE(norm(symmetric_vorticity(symmetry, sum_here)), rounding);
    EXPECT_LE(norm(symmetry.common_part(impulse_of(changes, symmetry.origin()))), rounding);
    EXPECT_GE(sum_of_sizes(changes), 0.3 * scale);
  }
}

TEST(ConservedMoments, AreThoseOfTheWholeFlow) {
  for (const Symmetry& symmetry : symmetries()) {
    VortexParticles changes = changes_at_random(40), all = with_images(symmetry, changes);
    conserve_moments({}, all);
    conserve_moments(symmetry, changes);
    for (std::size_t i = 0; i < changes.positions.size(); ++i)
      EXPECT_LE(norm(changes.strengths[i] - all.strengths[i]), 1e-13) << i;
  }
}

// The rigid motion of the masses is the projection of their motion.
TEST(ConservedMoments, NeedTheLeastChange) {
  const VortexParticles before = changes_at_random(300);
  VortexParticles changes = before;
  changes.strengths[7] = {};
  conserve_moments({}, changes);
  EXPECT_EQ(changes.strengths[7], Vec3d{});
  double product = 0.0, correction = 0.0;
  for (std::size_t i = 0; i < before.positions.size(); ++i) {
    if (i == 7) continue;
    const Vec3d e = before.strengths[i] - changes.strengths[i];
    product += dot(e, changes.strengths[i]) / norm(before.strengths[i]);
    correction += dot(e, e) / norm(before.strengths[i]);
  }
  EXPECT_NEAR(product, 0.0, 1e-12 * sum_of_sizes(before));
  EXPECT_LE(correction, sum_of_sizes(before));
  EXPECT_GE(correction, 0.1 * sum_of_sizes(before));
  const std::vector<Vec3d> once = changes.strengths;
  conserve_moments({}, changes);
  for (std::size_t i = 0; i < once.size(); ++i)
    EXPECT_LE(norm(changes.strengths[i] - once[i]), 1e-13);
}

// Particles at one point, and on a line about which nothing can rotate.
TEST(ConservedMoments, ExistForParticlesOnALine) {
  for (const Vec3d& along : {Vec3d{}, Vec3d{0.3, -0.7, 0.2}, Vec3d{0.0, 0.0, 1.0}}) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{20}}) {
      VortexParticles changes = changes_at_random(n);
      for (std::size_t i = 0; i < n; ++i)
        changes.positions[i] = Vec3d{1.0, 2.0, 3.0} + static_cast<double>(i * i) * along;
      const double scale = sum_of_sizes(changes);
      conserve_moments({}, changes);
      Vec3d sum{};
      for (const Vec3d& each : changes.strengths) sum += each;
      EXPECT_LE(norm(sum), 1e-14 * scale);
      // Points up to 400 m from the origin, and the width of a line of that length by rounding.
      EXPECT_LE(norm(impulse_of(changes)), 1e-11 * scale);
    }
  }
}

// With the order of the Runge-Kutta scheme, and beside a plane, where only a part is conserved.
TEST(ConservedMoments, AreKeptWhileVorticesStretchOneAnother) {
  const auto backend = make_cpu_backend();
  for (const Symmetry& symmetry :
       {Symmetry{}, Symmetry({SymmetryPlane{.axis = 2, .place = 0.2}})}) {
    VortexParticles start = changes_at_random(60);
    start.core_radii.assign(60, 0.8);
    for (Vec3d& each : start.strengths) each = 0.3 * each;
    const auto drift = [&](Stretching stretching, bool keeps, int steps) {
      VortexOptions options;
      options.stretching = stretching;
      options.keeps_impulse = keeps;
      options.symmetry = symmetry;
      options.sum.kernel = fmm::Kernel::vortex_gaussian;
      VortexSystem system(*backend, start, options);
      for (int k = 0; k < steps; ++k) system.advance(1.0 / steps);
      const VortexParticles end = system.particles();
      Vec3d sum{};
      for (std::size_t i = 0; i < 60; ++i) sum += end.strengths[i] - start.strengths[i];
      const Vec3d origin = symmetry.origin(),
                  change = impulse_of(end, origin) - impulse_of(start, origin);
      return std::pair{norm(symmetric_vorticity(symmetry, sum)) / sum_of_sizes(start),
                       norm(symmetry.common_part(change)) / sum_of_sizes(start)};
    };
    for (const Stretching stretching : {Stretching::classic, Stretching::transpose}) {
      const auto [sum, coarse] = drift(stretching, true, 8);
      const double fine = drift(stretching, true, 16).second;
      EXPECT_LE(sum, 1e-14);
      EXPECT_NEAR(std::log2(coarse / fine), 3.0, 0.4);
      EXPECT_LE(coarse, 1e-2 * drift(stretching, false, 8).second);
    }
  }
}

TEST(ConservedMoments, HaveTheSameBitsForAnyNumberOfThreads) {
  constexpr std::size_t n = 20000;
  const auto with_threads = [&](int threads) {
    VortexParticles changes = changes_at_random(n);
    Execution{.threads = threads}.run([&] { conserve_moments({}, changes); });
    return changes.strengths;
  };
  EXPECT_TRUE(with_threads(1) == with_threads(3));
}

}  // namespace
}  // namespace rankine::bem
