// Checks of `rankine verify` of particles: sums with softening and cores against plain loops, an
// orbit, a vortex ring and a diffusing vortex against their closed forms.
#pragma once

#include <vector>

#include "cases/verification/suite.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

std::vector<SuiteCheck> check_particles(bem::Backend& backend);

}  // namespace rankine::cases
