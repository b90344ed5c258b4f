// Lines on bodies along which wakes continue where a trailing edge ends at a body, as that of a
// wing at a fuselage. The jump of the potential across the wake continues across the line on the
// body. The line is mesh edges next to the curve along the wake's direction projected onto the
// surface, and continues as long as they lead downstream; from its end the wake leaves the body.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/lift/relative_stream.hpp"
#include "rankine/bem/lift/trailing_edge.hpp"

namespace rankine::bem {

/// By the node at the end of a trailing edge: the points of its line, from there on.
using BodyLines = std::map<std::int32_t, std::vector<Vec3d>>;

/// Finds the lines of wakes along `course`, and cuts the surface there: panels on
/// the two sides of a line, and above and below the edge where it begins, have no nodes in common,
/// so that no fit crosses it. The panels above the edge keep their nodes.
BodyLines cut_along_wakes(Panels& body, std::span<const EdgeSegment> edges,
                          const RelativeStream& course);

/// The end of a line that meets no other one and none of the images, if there are several: the jump
/// ends there, and the vortices of both roots leave the body apart. None if there is no such line.
std::optional<Vec3d> end_apart(const BodyLines& lines, const meshes::Symmetry& symmetry);

}  // namespace rankine::bem
