// The checkpoint of a particle run: its state at a step, from which --resume continues bit for bit.
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
  std::vector<MonitorRow> rows;  ///< of all output steps up to `step`
};

/// Writes a text header, then the values as little-endian doubles. Throws InputError if the file
/// cannot be written.
void write_particle_checkpoint(const std::filesystem::path& file,
                               const ParticleCheckpoint& checkpoint);

/// Throws InputError if the file is missing, damaged, or of a case with another trajectory.
ParticleCheckpoint read_particle_checkpoint(const std::filesystem::path& file,
                                            const std::string& trajectory);

}  // namespace rankine::cases
