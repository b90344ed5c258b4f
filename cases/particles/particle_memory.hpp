// Memory of a run of particles, judged before anything large is made.
#pragma once

#include <cstddef>

#include "cases/output/log.hpp"
#include "cases/particles/particle_case.hpp"
#include "cases/resources/fit.hpp"

namespace rankine::cases {

/// How many particles the case makes at the start; 0 where a file says.
std::size_t expected_particles(const ParticleCase& given);

/// Largest memory of a run that begins with so many particles around so many panels, with those
/// that will be shed: within a third of the peaks that were measured.
Memory memory_of_run(const ParticleCase& given, std::size_t particles, std::size_t panels,
                     bem::MemorySpace place);

/// Warns of a run that exceeds the memory that is free. Throws DeviceError where it does so
/// clearly.
void require_room(const ParticleCase& given, std::size_t particles, std::size_t panels,
                  bem::MemorySpace place, const Room& room, Log& log);

}  // namespace rankine::cases
