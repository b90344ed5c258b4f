#include "rankine/bem/particles/redistribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "rankine/bem/particles/host_space.hpp"
#include "rankine/bem/particles/redistribution_steps.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/bem/simd/functions.hpp"

namespace rankine::bem {

bool FractionPoints<OneLane, double>::find(const Moments& moments, Moments& multipliers) {
  if (cloud_.count > FractionCloud::capacity) return false;
  for (int k = cloud_.count; k % 8 != 0; ++k) put(k, {1.0, 0.0, 0.0});
  return simd_functions().find_fractions(cloud_, moments, multipliers);
}

int redistribution_substeps(const RedistributionOptions& options, double step) {
  const double spread = 2.0 * options.viscosity * step / (options.spacing * options.spacing);
  constexpr double rounding = 1e-9, most = 1e9;
  return static_cast<int>(std::clamp(std::ceil(spread / most_spread - rounding), 1.0, most));
}

RedistributionRecord redistribute(VortexParticles& particles, std::size_t sheet, double step,
                                  const RedistributionOptions& options) {
  HostSpace space;
  SpaceParticles<HostSpace> here{HostSpace::given(particles.positions),
                                 HostSpace::given(particles.strengths),
                                 HostSpace::given(particles.core_radii)};
  const RedistributionRecord record = redistribute_in(space, here, sheet, step, options);
  particles = {vector_of(here.positions), vector_of(here.strengths), vector_of(here.core_radii)};
  return record;
}

void spread_cores(VortexParticles& particles, fmm::Kernel kernel, double viscosity, double step) {
  const double growth = 2.0 * viscosity * step / core_variance(kernel);
  for (double& sigma : particles.core_radii) sigma = std::sqrt(sigma * sigma + growth);
}

}  // namespace rankine::bem
