// Checks of `rankine verify --all`: bodies beside sources, doublets and vortices.
#pragma once

#include <vector>

#include "cases/verification/suite.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// A sphere beside a source, a doublet and a ring of vortex segments, each alone and all in a stream, against Weiss's sphere
/// theorem [W44]: velocity and potential on 5 120 panels with the orders observed, the field around, and the
/// force of a source on it [MT68].
std::vector<SuiteCheck> check_onset(bem::Backend& backend, int threads);

}  // namespace rankine::cases
