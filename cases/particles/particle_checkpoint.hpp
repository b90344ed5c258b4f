// The state of particles at a step, from which --resume continues with the same bits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/particles/simulation.hpp"

namespace rankine::cases {

struct ParticleCheckpoint {
  std::string trajectory;  ///< trajectory_hash() of the case
  int step = 0;
  State state;
  std::vector<MonitorRow> rows;  ///< of all output steps so far
};

/// A text header, then the values as little-endian doubles. Throws InputError where it cannot be
/// written.
void write_particle_checkpoint(const std::filesystem::path& file,
                               const ParticleCheckpoint& checkpoint);

/// Throws InputError where the file is missing, damaged, or of a case with another trajectory.
ParticleCheckpoint read_particle_checkpoint(const std::filesystem::path& file,
                                            const std::string& trajectory);

}  // namespace rankine::cases
