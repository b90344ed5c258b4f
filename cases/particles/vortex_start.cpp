#include "cases/particles/vortex_start.hpp"

#include "cases/particles/particle_file.hpp"
#include "cases/particles/simulation.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

/// Positions uniform in a cube of edge `scale`, strengths in one of edge 2/n, both about the
/// origin.
bem::VortexParticles cube(const ParticleInput& input) {
  const auto n = static_cast<std::size_t>(input.count);
  const auto seed = static_cast<std::uint64_t>(input.seed);
  bem::VortexParticles particles{fmm::make_points("cube", n, seed), std::vector<Vec3d>(n),
                                 std::vector<double>(n, input.sigma)};
  for (Vec3d& each : particles.positions) each = input.scale * (each - Vec3d{0.5, 0.5, 0.5});
  const std::vector<double> strengths = fmm::make_strengths(3 * n, seed + 1);
  for (std::size_t i = 0; i < n; ++i)
    particles.strengths[i] = vector_at(strengths, 3 * i) / static_cast<double>(n);
  return particles;
}

}  // namespace

bem::VortexParticles particles_of(const ParticleCase& given) {
  const ParticleInput& input = given.particles;
  switch (input.generator) {
    case Generator::cube:
      return cube(input);
    case Generator::file:
      return read_vortices(input.file, input.sigma);
    case Generator::none:
      return {};
    default:
      return bem::vortex_rings(input.rings, static_cast<std::size_t>(input.count), input.sigma,
                               input.core);
  }
}

std::vector<std::size_t> ends_of_rings(const ParticleInput& input) {
  std::vector<std::size_t> ends;
  if (input.generator != Generator::ring) return ends;
  if (input.redistributes() && input.rings.size() > 1) return ends;
  for (const bem::VortexRing& ring : input.rings) {
    const std::size_t begin = ends.empty() ? 0 : ends.back();
    ends.push_back(begin + bem::particles_of(ring, static_cast<std::size_t>(input.count),
                                             input.sigma, input.core));
  }
  return ends;
}

}  // namespace rankine::cases
