// Memory of a run of particles, judged before anything large is made.
#pragma once

#include <cstddef>

#include "cases/output/log.hpp"
#include "cases/particles/particle_case.hpp"
#include "cases/resources/fit.hpp"

namespace rankine::cases {

/// How many particles the case makes at the start; 0 if a file gives them.
std::size_t expected_particles(const ParticleCase& given);

/// Peak memory of a run that begins with these numbers of particles and panels, particles that will
/// be shed included. Measured peaks differ from it by at most a third.
Memory memory_of_run(const ParticleCase& given, std::size_t particles, std::size_t panels,
                     bem::MemorySpace place);

/// Warns of a run that exceeds the free memory. Throws DeviceError if it exceeds it by far.
void require_room(const ParticleCase& given, std::size_t particles, std::size_t panels,
                  bem::MemorySpace place, const Room& room, Log& log);

}  // namespace rankine::cases
