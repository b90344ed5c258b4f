// Bodies of the kind "gravity".
#pragma once

#include <memory>

#include "cases/particles/simulation.hpp"

namespace rankine::cases {

std::unique_ptr<Simulation> begin_gravity(const ParticleCase& given, bem::Backend& backend,
                                          Log& log);
std::unique_ptr<Simulation> resume_gravity(const ParticleCase& given, const State& state,
                                           bem::Backend& backend);

}  // namespace rankine::cases
