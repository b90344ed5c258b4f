#include "rankine/bem/particles/splitting.hpp"

#include <algorithm>

#include "rankine/bem/particles/host_space.hpp"
#include "rankine/bem/particles/splitting_steps.hpp"

namespace rankine::bem {

std::vector<double> circulations(std::span<const Vec3d> strengths, std::span<const double> radii,
                                 std::span<const double> lengths) {
  std::vector<double> found;
  for (std::size_t i = 0; i < strengths.size(); ++i)
    found.push_back(norm(strengths[i]) / std::min(lengths[i], 0.5 * longest_piece * radii[i]));
  return found;
}

SplittingRecord split(VortexParticles& particles, std::vector<double>& circulations,
                      const SplittingOptions& options) {
  HostSpace space;
  SpaceParticles<HostSpace> here{HostSpace::given(particles.positions),
                                 HostSpace::given(particles.strengths),
                                 HostSpace::given(particles.core_radii)};
  AlignedVector<double> kappas = HostSpace::given(circulations);
  SplittingRecord record = split_in(space, here, kappas, options);
  if (record.split.empty()) return record;
  particles = {vector_of(here.positions), vector_of(here.strengths), vector_of(here.core_radii)};
  circulations = vector_of(kappas);
  return record;
}

}  // namespace rankine::bem
