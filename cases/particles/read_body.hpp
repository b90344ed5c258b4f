// A body among vortices: the tables [mesh] and [shedding] of a case of particles.
#pragma once

#include <filesystem>
#include <optional>

#include "cases/input/case_writer.hpp"
#include "cases/input/section.hpp"
#include "cases/particles/particle_case.hpp"

namespace rankine::cases {

/// None where there is no [mesh]. Throws InputError at the position of what is wrong, also for particles that
/// nothing makes.
std::optional<BodyInput> read_body(const Section& root, const Section& solver,
                                   const std::filesystem::path& file,
                                   const ParticleInput& particles);

void write_body(CaseWriter& out, const BodyInput& body, const std::filesystem::path& folder);

}  // namespace rankine::cases
