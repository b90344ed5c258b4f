// Reads a particle case file into a ParticleCase, and writes it back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/keys.hpp"
#include "cases/particles/particle_case.hpp"

namespace rankine::cases {

/// Whether the file is a particle case: by its problem.kind, or by a table [particles]. Throws
/// InputError if it is not TOML.
bool is_particle_case(const CaseFile& file, const std::vector<std::string>& overrides);

/// As read_case(): throws InputError with FILE:LINE:COLUMN for keys that are unknown, missing, of
/// the wrong type, out of range, or of another kind of case.
ParticleCase read_particle_case(const CaseFile& file,
                                const std::vector<std::string>& overrides = {});

/// The text of an equivalent case file with paths relative to `folder`.
std::string write_particle_case(const ParticleCase& given, const std::filesystem::path& folder);

/// All tables of a particle case.
std::vector<TableText> particle_tables();

/// SHA-256 of all input that determines the trajectories: everything except the number of steps,
/// the backend and the output. A checkpoint is valid for cases with the same hash.
std::string trajectory_hash(const ParticleCase& given);

}  // namespace rankine::cases
