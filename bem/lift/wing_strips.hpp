// Strips: columns of quadrilaterals around the wing section, from the upper to the lower side of a
// segment of the trailing edge, and the wake behind it. Strips are usually wider than a wing is
// thick, so at the scale of their width the wing is a sheet of doublets. Strengths that are
// constant across strips make vortices between strips: a trapezoidal rule. Let strips end at y(k),
// where k is an integer and y a smooth function. Velocities have an error of higher order at y(k +
// 1/2), and of first order at the centres of strips, where with cosine spacing and N strips the
// lift would be too large by 1.2/N. With strengths linear across strips the error at the centres
// would be first order on any mesh, h f'' ln 2/(2 pi). Therefore strengths are constant across
// strips, and collocation points are at y(k + 1/2). Along strips panels are shorter, and strengths
// are linear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/lift/trailing_edge.hpp"

namespace rankine::bem {

/// The points of segments that correspond to y(k + 1/2).
std::vector<Vec3d> half_way_points(const Panels& body, std::span<const EdgeSegment> edges);

/// Moves the collocation points of strips to y(k + 1/2). Returns for every panel of a strip the
/// first of the two opposite edges across which the strip continues, 0 or 1, and -1 for other
/// panels.
std::vector<std::int8_t> collocate_strips(Panels& body, std::span<const EdgeSegment> edges);

}  // namespace rankine::bem
