// The vortices at the start of a case.
#pragma once

#include <cstddef>
#include <vector>

#include "cases/particles/particle_case.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::cases {

/// Generates or reads them.
bem::VortexParticles particles_of(const ParticleCase& given);

/// End indices of the particles of each ring; empty without rings, or if redistribution mixes
/// several rings.
std::vector<std::size_t> ends_of_rings(const ParticleInput& input);

}  // namespace rankine::cases
