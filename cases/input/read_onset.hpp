// Reads [[problem.source]], [[problem.doublet]] and [[problem.vortex]] of a flow: what is in the fluid besides
// the stream.
#pragma once

#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"

namespace rankine::cases {

/// Throws InputError for what is not finite or what images in the problem's symmetry planes cancel, for keys
/// that exclude each other, and beside conditions that do not allow it: motions, and potentials beside vortices.
OnsetInput read_onset(const Section& problem, const meshes::Symmetry& symmetry,
                      const std::vector<BoundaryInput>& boundaries);

}  // namespace rankine::cases
