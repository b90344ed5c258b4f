// Moving particles on the device: the same results as on the host, and the same bits after
// resuming.
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/conserved_moments.hpp"
#include "rankine/bem/particles/gravity.hpp"
#include "rankine/bem/particles/splitting.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/bem/particles/vortices.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

class DeviceParticles : public testing::DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    device_ = make_cuda_backend();
  }

  std::unique_ptr<bem::Backend> device_;
  std::unique_ptr<bem::Backend> host_ = bem::make_cpu_backend();
};

/// Direct sums and expansions for the same number of particles.
constexpr std::int64_t direct = 1 << 30, expanded = 0;

bem::GravityOptions softened(std::int64_t direct_pairs) {
  bem::GravityOptions options;
  options.sum.kernel = fmm::Kernel::plummer;
  options.sum.softening = 0.005;
  options.sum.tolerance = 1e-3;
  options.sum.direct_pairs = direct_pairs;
  return options;
}

template <class System>
void advance(System& system, int steps) {
  for (int i = 0; i < steps; ++i) system.advance(0.01);
}

std::vector<double> components(const std::vector<Vec3d>& vectors) {
  const auto values = as_doubles(std::span(vectors));
  return {values.begin(), values.end()};
}

TEST_F(DeviceParticles, FallAsOnTheHost) {
  const bem::Bodies start = bem::plummer_sphere(5000, 1.0, 1.0, 1.0, 1);
  bem::BodySystem there(*device_, start, softened(direct)), here(*host_, start, softened(direct));
  advance(there, 3);
  advance(here, 3);
  // Rounding errors of sums of 5000 terms, which close encounters amplify.
  EXPECT_LE(
      relative_error(components(there.bodies().positions), components(here.bodies().positions)),
      1e-12);
  EXPECT_LE(
      relative_error(components(there.bodies().velocities), components(here.bodies().velocities)),
      1e-11);
  EXPECT_LE(relative_error(there.potential(), here.potential()), 1e-11);
}

TEST_F(DeviceParticles, OfGravityGoOnWithTheSameBits) {
  const bem::Bodies start = bem::plummer_sphere(20000, 1.0, 1.0, 1.0, 1);
  bem::BodySystem whole(*device_, start, softened(expanded));
  advance(whole, 2);
  const bem::Bodies between = whole.bodies();
  advance(whole, 2);
  bem::BodySystem resumed(*device_, between, softened(expanded), whole.made_at());
  advance(resumed, 2);
  EXPECT_EQ(resumed.bodies().positions, whole.bodies().positions);
  EXPECT_EQ(resumed.bodies().velocities, whole.bodies().velocities);
}

bem::VortexOptions vortices(std::int64_t direct_pairs) {
  bem::VortexOptions options;
  options.stream = {0.5, 0.0, 0.0};
  options.sum.kernel = fmm::Kernel::vortex_exponential;
  options.sum.tolerance = 1e-3;
  options.sum.direct_pairs = direct_pairs;
  return options;
}

bem::VortexParticles linked_rings(std::size_t least) {
  return bem::vortex_rings({{.core_radius = 0.1}, {.core_radius = 0.1, .centre = {0.4, 0.0, 0.3}}},
                           least, 0.06, fmm::Kernel::vortex_exponential);
}

// Alone, and beside two planes without a stream through them.
TEST_F(DeviceParticles, OfVorticesMoveAsOnTheHost) {
  const meshes::Symmetry planes({{.axis = 1, .place = -1.5}, {.axis = 2, .place = 2.0}});
  for (const auto& [stretching, symmetry] :
       {std::pair{bem::Stretching::classic, meshes::Symmetry{}},
        std::pair{bem::Stretching::transpose, planes}}) {
    const bem::VortexParticles start = linked_rings(1000);
    bem::VortexOptions options = vortices(direct);
    options.stretching = stretching;
    options.symmetry = symmetry;
    options.relaxation = 2.0;
    bem::VortexSystem there(*device_, start, options), here(*host_, start, options);
    advance(there, 2);
    advance(here, 2);
    const bem::VortexParticles found = there.particles(), expected = here.particles();
    EXPECT_LE(relative_error(components(found.positions), components(expected.positions)), 1e-12);
    EXPECT_LE(relative_error(components(found.strengths), components(expected.strengths)), 1e-12);
  }
}

// Points around the particles, and one at a particle.
TEST_F(DeviceParticles, SayTheirFieldsAsOnTheHost) {
  std::vector<Vec3d> points = fmm::make_points("cube", 300, 5);
  const bem::VortexParticles rings = linked_rings(1000);
  points.push_back(rings.positions[3]);
  const bem::VortexField there =
                             bem::VortexSystem(*device_, rings, vortices(direct)).field_at(points),
                         here = bem::VortexSystem(*host_, rings, vortices(direct)).field_at(points);
  EXPECT_LE(relative_error(components(there.velocity), components(here.velocity)), 1e-12);
  EXPECT_LE(relative_error(components(there.vorticity), components(here.vorticity)), 1e-12);
  const bem::Bodies bodies = bem::plummer_sphere(2000, 1.0, 1.0, 1.0, 1);
  const bem::GravityField found =
                              bem::BodySystem(*device_, bodies, softened(direct)).field_at(points),
                          expected =
                              bem::BodySystem(*host_, bodies, softened(direct)).field_at(points);
  EXPECT_LE(relative_error(found.potential, expected.potential), 1e-12);
  EXPECT_LE(relative_error(components(found.acceleration), components(expected.acceleration)),
            1e-12);
}

// One part, and many with a last one that is not full.
TEST_F(DeviceParticles, ConserveMomentsAsOnTheHost) {
  const meshes::Symmetry planes({{.axis = 0, .place = 2.5}, {.axis = 2, .place = -0.5}});
  for (const std::size_t n : {7, 300, 100003}) {
    for (const meshes::Symmetry& symmetry : {meshes::Symmetry{}, planes}) {
      const std::vector<double> places = fmm::make_strengths(3 * n, 1),
                                changes = fmm::make_strengths(3 * n, 2);
      const auto conserved = [&](bem::Backend& backend) {
        bem::Array there = uploaded(backend, std::span(changes));
        conserve_moments(backend, symmetry, uploaded(backend, std::span(places)), there);
        return downloaded(backend, there, 3 * n);
      };
      const std::vector<double> once = conserved(*device_);
      EXPECT_LE(relative_error(once, conserved(*host_)), 1e-13) << n;
      EXPECT_EQ(once, conserved(*device_)) << n;
    }
  }
}

// Without a limit, and up to a number that is reached. Beside a plane some halves cross it.
TEST_F(DeviceParticles, AreSplitAsOnTheHost) {
  constexpr std::size_t n = 10001;
  const std::vector<double> strengths = fmm::make_strengths(3 * n, 2);
  bem::VortexParticles start{fmm::make_points("cube", n, 1), std::vector<Vec3d>(n),
                             std::vector<double>(n, 0.2)};
  for (std::size_t i = 0; i < n; ++i) start.strengths[i] = bem::vector_at(strengths.data(), i);
  const std::vector<double> circulations(n, 2.0);
  const meshes::SymmetryPlane plane{.axis = 1};
  for (const std::size_t most : {n + 2000, 3 * n, n}) {
    const bem::SplittingOptions options{
        .most = most, .symmetry = meshes::Symmetry({plane}), .inside = {0.5, 0.5, 0.5}};
    bem::VortexParticles here = start;
    std::vector<double> kappas = circulations;
    const bem::SplittingRecord expected = bem::split(here, kappas, options);
    bem::VortexArrays there = uploaded(*device_, start);
    bem::Array array = uploaded(*device_, std::span(circulations));
    const bem::SplittingRecord found = device_->split(there, array, options);
    EXPECT_EQ(found.split, expected.split);
    EXPECT_EQ(found.split.empty(), most == n);
    EXPECT_EQ(found.left_out, expected.left_out);
    EXPECT_EQ(downloaded(*device_, array, array.size()), kappas);
    const bem::VortexParticles back = downloaded(*device_, there);
    EXPECT_EQ(back.core_radii, here.core_radii);
    EXPECT_LE(relative_error(components(back.positions), components(here.positions)), 1e-15);
    EXPECT_LE(relative_error(components(back.strengths), components(here.strengths)), 1e-15);
  }
}

TEST_F(DeviceParticles, OfVorticesGoOnWithTheSameBits) {
  bem::VortexOptions options = vortices(expanded);
  options.relaxation = 2.0;
  bem::VortexSystem whole(*device_, linked_rings(8000), options);
  advance(whole, 1);
  const bem::VortexParticles between = whole.particles();
  advance(whole, 1);
  bem::VortexSystem resumed(*device_, between, options, whole.made_at());
  advance(resumed, 1);
  EXPECT_EQ(resumed.particles().positions, whole.particles().positions);
  EXPECT_EQ(resumed.particles().strengths, whole.particles().strengths);
}

}  // namespace
}  // namespace rankine::gpu
