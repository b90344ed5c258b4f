// Lines on bodies along which a wake continues if its trailing edge ends at a body, such as the
// edge of a wing at a fuselage. The potential on the body jumps across this line as it does across
// the wake. The line consists of mesh edges next to the curve whose direction is that of the wake,
// projected onto the surface. It continues as long as edges lead downstream; at its end the wake
// leaves the body.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/lift/relative_stream.hpp"
#include "rankine/bem/lift/trailing_edge.hpp"

namespace rankine::bem {

/// For each node at which a trailing edge ends at a body, the points of its line, starting there.
using BodyLines = std::map<std::int32_t, std::vector<Vec3d>>;

/// Finds the lines of wakes along `course`, and cuts the surface along them: afterwards panels on
/// the two sides of a line, and above and below the edge where it begins, have no common nodes, so
/// no fit crosses it. The panels above the edge keep their nodes.
BodyLines cut_along_wakes(Panels& body, std::span<const EdgeSegment> edges,
                          const RelativeStream& course);

/// The end of a line that meets neither another line nor an image, if there are several lines.
/// There the vortices of the wing roots leave the body separately. None if all lines meet.
std::optional<Vec3d> end_apart(const BodyLines& lines, const meshes::Symmetry& symmetry);

}  // namespace rankine::bem
