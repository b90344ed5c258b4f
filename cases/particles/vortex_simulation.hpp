// Particles of the kind "vortex".
#pragma once

#include <memory>

#include "cases/particles/simulation.hpp"

namespace rankine::cases {

std::unique_ptr<Simulation> begin_vortices(const ParticleCase& given, bem::Backend& backend,
                                           Log& log);
std::unique_ptr<Simulation> resume_vortices(const ParticleCase& given, const State& state,
                                            bem::Backend& backend);

}  // namespace rankine::cases
