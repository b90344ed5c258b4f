// [[problem.source]], [[problem.doublet]] and [[problem.vortex]] of a flow: what is in the fluid
// besides the stream.
#pragma once

#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

/// A line from point to point with a circulation.
struct VortexLine {
  Vec3d from{}, to{};
  std::vector<Vec3d> points{};  ///< instead of these two
  double circulation = 0.0;
};
void doublet_keys(Keys& keys, bem::PointDoublet& doublet);
void vortex_keys(Keys& keys, VortexLine& line);

/// Throws InputError for what is not finite or what images in the problem's symmetry planes cancel,
/// and for keys that exclude each other.
OnsetInput read_onset(const Section& problem, const meshes::Symmetry& symmetry);

/// Throws InputError for conditions that do not go with it: motions, and potentials with vortices.
void check_onset(const OnsetInput& onset, const std::vector<BoundaryInput>& boundaries);

std::string write_onset(const bem::Onset& onset);

}  // namespace rankine::cases
