#include "rankine/bem/particles/redistribution.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankine/bem/particles/host_space.hpp"
#include "rankine/bem/particles/redistribution_steps.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
void check_finite(const VortexParticles& particles) {
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    if (!is_finite(particles.positions[i]) || !is_finite(particles.strengths[i]))
      throw InputError("vortices are not finite any more");
  }
}

RedistributionRecord redistribute(VortexParticles& particles, std::size_t sheet, double step,
                                  const RedistributionOptions& options) {
  HostSpace space;
  return redistribute_in(space, particles, sheet, step, options);
}

void spread_cores(VortexParticles& particles, fmm::Kernel kernel, double viscosity, double step) {
  const double growth = 2.0 * viscosity * step / core_variance(kernel);
  for (double& sigma : particles.core_radii) sigma = std::sqrt(sigma * sigma + growth);
}

}  // namespace rankine::bem
