// The case of a verb: the case file with keys replaced by arguments of the command line.
#pragma once

#include "cases/input/case.hpp"
#include "cases/particles/particle_case.hpp"
#include "cases/verbs/verbs.hpp"

namespace rankine::cases {

/// Throws InputError as read_case() and read_point_files() do.
Case given_case(const CaseArguments& arguments);

/// The same for a particle case. Also throws InputError for mesh repairs.
ParticleCase given_particles(const CaseArguments& arguments);

}  // namespace rankine::cases
