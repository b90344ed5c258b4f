// Memory of a particle run, checked before large allocations.
#pragma once

#include <cstddef>

#include "cases/output/log.hpp"
#include "cases/particles/particle_case.hpp"
#include "cases/resources/fit.hpp"

namespace rankine::cases {

/// The number of particles that the case generates; 0 if they come from a file.
std::size_t expected_particles(const ParticleCase& given);

/// Peak memory of a run that begins with these numbers of particles and panels, including particles
/// to be shed. Measured peaks differ from it by at most a third.
Memory memory_of_run(const ParticleCase& given, std::size_t particles, std::size_t panels,
                     bem::MemorySpace place);

/// Warns if the run exceeds the free memory. Throws DeviceError if it exceeds it by more than the
/// forecast margin.
void require_memory(const ParticleCase& given, std::size_t particles, std::size_t panels,
                    bem::MemorySpace place, const FreeMemory& available, Log& log);

}  // namespace rankine::cases
