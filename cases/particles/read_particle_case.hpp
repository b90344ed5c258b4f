// Reads a case file of particles into a ParticleCase, and writes it back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/keys.hpp"
#include "cases/particles/particle_case.hpp"

namespace rankine::cases {

/// Whether a case file is one of particles: by its problem.kind, or because it has [particles].
/// Throws InputError where it is no TOML.
bool is_particle_case(const CaseFile& file, const std::vector<std::string>& overrides);

/// As read_case: throws InputError with FILE:LINE:COLUMN for anything that is unknown, missing, of
/// the wrong type, out of range, or of another kind of case.
ParticleCase read_particle_case(const CaseFile& file,
                                const std::vector<std::string>& overrides = {});

/// The text of a case file that would lie in `folder` and computes the same.
std::string write_particle_case(const ParticleCase& given, const std::filesystem::path& folder);

/// All tables of a case of particles.
std::vector<TableText> particle_tables();

/// SHA-256 of everything that decides where particles go: all but the number of steps, the backend
/// and what is written where. A checkpoint belongs to cases of one hash.
std::string trajectory_hash(const ParticleCase& given);

}  // namespace rankine::cases
