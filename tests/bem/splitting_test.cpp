// Splitting of long vortex particles: what is conserved, a line and a ring in a strain, and runs
// that are resumed.
#include "rankine/bem/particles/splitting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/monitors.hpp"
#include "rankine/bem/particles/vortex_flow.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "tests/support/vortex_parts.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

constexpr auto kernel = fmm::Kernel::vortex_exponential;

Backend& host() {
  static const std::unique_ptr<Backend> backend = make_cpu_backend();
  return *backend;
}

/// The velocity rate (-x/2, -y/2, z) or its reverse, which stretches vortices by the same.
class Strain final : public Surroundings {
 public:
  explicit Strain(double rate) : rate_(rate) {}
  void add_to(const VortexArrays& particles, Array& velocity, Array& strength_rate) override {
    const double a = 4.0 * pi * rate_;
    const auto add = [&](const Array& x, Array& y) {
      host().each(
          particles.size(),
          AddMapped{
              {{-0.5 * a, 0.0, 0.0}, {0.0, -0.5 * a, 0.0}, {0.0, 0.0, a}}, {}, x.data(), y.data()});
    };
    add(particles.positions, velocity);
    add(particles.strengths, strength_rate);
  }

 private:
  double rate_;
};

constexpr std::size_t no_limit = 1000000;

/// `steps` of a hundredth of a second in a strain of 1/s or -2/s.
VortexFlow strained(const VortexParticles& start, Strain& strain, int steps,
                    std::size_t split_up_to = no_limit) {
  VortexFlowOptions options;
  options.system.sum.kernel = kernel;
  options.system.surroundings = &strain;
  options.split_up_to = split_up_to;
  VortexFlow flow(host(), start, options);
  for (int k = 0; k < steps; ++k) flow.advance(0.01);
  return flow;
}

/// Relative to the size of its terms.
double change(const VortexParticles& a, const VortexParticles& b, int moment) {
  const auto sum = [&](const VortexParticles& particles, double& size) {
    Vec3d total{};
    for (std::size_t i = 0; i < particles.positions.size(); ++i) {
      Vec3d term = particles.strengths[i];
      for (int k = 0; k < moment; ++k) term = cross(particles.positions[i], term);
      total += term;
      size += norm(term);
    }
    return total;
  };
  double size = 0.0;
  return norm(sum(a, size) - sum(b, size)) / size;
}

TEST(Splitting, ChangesNeitherTheTotalVorticityNorTheImpulses) {
  Uniform uniform(7);
  const auto vector = [&] {
    return Vec3d{uniform.between(-1.0, 1.0), uniform.between(-1.0, 1.0),
                 uniform.between(-1.0, 1.0)};
  };
  VortexParticles particles;
  std::vector<double> kappas;
  for (int i = 0; i < 1000; ++i) {
    particles.positions.push_back(vector());
    particles.strengths.push_back(vector());
    particles.core_radii.push_back(0.2);
    kappas.push_back(2.0);  // 0.6 m^3/s are split
  }
  const VortexParticles before = particles;
  const SplittingRecord record = split(particles, kappas, {});
  EXPECT_GT(record.split.size(), 500u);
  EXPECT_EQ(record.left_out, 0u);
  ASSERT_EQ(particles.positions.size(), 1000 + record.split.size());
  EXPECT_EQ(kappas.size(), particles.positions.size());
  for (int moment = 0; moment < 3; ++moment)
    EXPECT_LE(change(before, particles, moment), 1e-15) << moment;
  // Halves take the place of the whole, a quarter of the length from it along the tube.
  const auto first = static_cast<std::size_t>(record.split.front());
  const Vec3d& gamma = before.strengths[first];
  EXPECT_EQ(particles.strengths[first], 0.5 * gamma);
  EXPECT_EQ(particles.strengths[first + 1], 0.5 * gamma);
  EXPECT_LE(norm(particles.positions[first + 1] - before.positions[first] - gamma / 8.0), 1e-15);
  EXPECT_LE(norm(particles.positions[first] - before.positions[first] + gamma / 8.0), 1e-15);
}

TEST(Splitting, EndsAtTheLargestNumber) {
  VortexParticles particles{{{}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}},
                            {{1.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                            {0.1, 0.1, 0.1}};
  std::vector<double> kappas{1.0, 1.0, 1.0};
  SplittingRecord record = split(particles, kappas, {.most = 4});
  EXPECT_EQ(record.split, std::vector<std::int32_t>{0});
  EXPECT_EQ(record.left_out, 1u);
  record = split(particles, kappas, {.most = 2});
  EXPECT_TRUE(record.split.empty());
  EXPECT_EQ(record.left_out, 3u);
  EXPECT_EQ(particles.positions.size(), 4u);
}

TEST(Splitting, OfAParticleIsBesideItsImage) {
  VortexParticles particles{{{0.05, 0.0, 0.0}}, {{1.0, 0.0, 0.5}}, {0.1}};
  std::vector<double> kappas{1.0};
  split(particles, kappas,
        {.symmetry = meshes::Symmetry({{.axis = 0, .place = 0.0, .sign = 1.0}}),
         .inside = {1.0, 0.0, 0.0}});
  ASSERT_EQ(particles.positions.size(), 2u);
  // One half is behind the plane; its image has the component along the plane reversed.
  EXPECT_LE(norm(particles.positions[0] - Vec3d{0.2, 0.0, -0.125}), 1e-15);
  EXPECT_LE(norm(particles.strengths[0] - Vec3d{0.5, 0.0, -0.25}), 1e-15);
  EXPECT_LE(norm(particles.positions[1] - Vec3d{0.3, 0.0, 0.125}), 1e-15);
}

// Points of a straight line move apart as exp(t), and strengths grow by the same. Of equal pieces
// the halves are equidistant again, and the vorticity on the line stays that of a filament, kappa
// over 2 pi sigma^2 times int core_vorticity drho.
TEST(Splitting, KeepsALineInAStrainWhole) {
  constexpr double sigma = 0.1, kappa = 1e-6;
  VortexParticles line;
  for (int i = -10; i <= 10; ++i) {
    line.positions.push_back({0.0, 0.0, 0.05 * i});
    line.strengths.push_back({0.0, 0.0, 0.05 * kappa});
    line.core_radii.push_back(sigma);
  }
  Strain strain(1.0);
  const VortexFlow flow = strained(line, strain, 208);  // exp(2.08) = 8.004
  const VortexParticles found = flow.system().particles();
  EXPECT_EQ(found.positions.size(), 4 * line.positions.size());  // split at a factor of 3 and 6
  EXPECT_EQ(flow.record().split, 3 * line.positions.size());
  std::vector<double> heights;
  for (std::size_t i = 0; i < found.positions.size(); ++i) {
    heights.push_back(found.positions[i].z);
    EXPECT_NEAR(found.strengths[i].z / (0.05 * kappa), 0.25 * std::exp(2.08), 1e-5);
  }
  std::sort(heights.begin(), heights.end());
  for (std::size_t i = 1; i < heights.size(); ++i)
    EXPECT_NEAR(heights[i] - heights[i - 1], 0.0125 * std::exp(2.08), 1e-5);
  EXPECT_GT(strained(line, strain, 208, 21).record().unsplit, 0.99);
}

// A ring that a strain of -2/s widens as exp(t), with the strength of the strain alone: circulation
// 1e-6 moves it by nothing. Its speed is that of a filament of its radius.
TEST(Splitting, KeepsTheSpeedOfAWidenedRing) {
  constexpr double sigma = 0.1, circulation = 1e-6;
  const VortexParticles ring = vortex_rings({{.circulation = circulation}}, 100, sigma, kernel);
  Strain strain(-2.0);
  const double radius = std::exp(1.5);
  const auto speed_error = [&](std::size_t split_up_to) {
    const VortexParticles wide = strained(ring, strain, 150, split_up_to).system().particles();
    VortexOptions options;
    options.sum.kernel = kernel;
    // Fine enough that its particles make a filament.
    const VortexParticles fine =
        vortex_rings({{.radius = radius, .circulation = circulation}}, 2000, sigma, kernel);
    const double expected = VortexSystem(host(), fine, options).velocities().front().z;
    double largest = 0.0;
    for (const Vec3d& u : VortexSystem(host(), wide, options).velocities())
      largest = std::max(largest, std::abs(u.z / expected - 1.0));
    return largest;
  };
  EXPECT_LE(speed_error(no_limit), 0.01);
  EXPECT_GE(speed_error(0), 0.1);
}

TEST(Splitting, GoesOnWithTheSameBits) {
  const VortexParticles ring = vortex_rings({{}}, 100, 0.1, kernel);
  Strain strain(-2.0);
  const VortexParticles expected = strained(ring, strain, 120).system().particles();
  const VortexFlow half = strained(ring, strain, 100);
  ASSERT_GT(half.record().split, 0u);
  VortexFlow resumed(host(), half.system().particles(), half.options(), nullptr,
                     half.system().made_at());
  resumed.start_from(half.record(), half.circulations());
  for (int k = 100; k < 120; ++k) resumed.advance(0.01);
  EXPECT_EQ(resumed.system().particles().positions, expected.positions);
  EXPECT_EQ(resumed.system().particles().strengths, expected.strengths);
}

}  // namespace
}  // namespace rankine::bem
