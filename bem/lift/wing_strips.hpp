// Strips: the quadrilaterals in front of a segment of a trailing edge, from edge to edge around the
// section, and the wake behind it. Strips are wider than wings are thick, so that at the scale of
// their width a wing is a sheet of doublets. Strengths that are constant across strips are vortices
// between strips: a trapezoidal rule. If strips end at y(k) for integers k, y a smooth function,
// velocities have an error of higher order at y(k + 1/2), and one of first order at the middles:
// with cosine spacing and N strips a wing would have 1.2/N too much lift. Strengths that are linear
// across strips would have errors of first order at the middles on any mesh, h f'' ln 2/(2 pi). So
// strips have constant strengths across, and points half-way in the numbering. Along strips panels
// are shorter, and strengths are linear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/lift/trailing_edge.hpp"

namespace rankine::bem {

/// Half-way between the ends of the segments.
std::vector<Vec3d> half_way_points(const Panels& body, std::span<const EdgeSegment> edges);

/// Moves the collocation points of strips half-way. Returns, per panel of a strip, the first of the
/// two opposite edges across which the strip continues, 0 or 1, and -1 for other panels.
std::vector<std::int8_t> collocate_strips(Panels& body, std::span<const EdgeSegment> edges);

}  // namespace rankine::bem
