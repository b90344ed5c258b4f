// Normal velocities that are those of a body moving as a whole.
#pragma once

#include <optional>
#include <span>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// The velocity V, m/s, whose normal part V.n is `normal_velocity` on every panel, to a hundredth in
/// L2; none where there is no such V, or all velocities are zero.
std::optional<Vec3d> common_motion(const Panels& panels, std::span<const double> normal_velocity);

}  // namespace rankine::bem
