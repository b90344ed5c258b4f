// Wakes without force: sheets of doublets that start at trailing edges and follow a direction. Each
// segment of an edge has a strip of quadrilaterals with one doublet strength, the circulation of
// the section in front of it [MK74].
#pragma once

#include <span>

#include "rankine/bem/layers/source_set.hpp"
#include "rankine/bem/lift/body_line.hpp"

namespace rankine::bem {

/// The panels of a body followed by those of straight wakes along the unit vector `direction`. The
/// strips are `length` long, m, and their panels grow downstream. Sheet unknown s belongs to
/// segment s; its normal points to the upper side. A strip next to a body follows its line there
/// first. Throws InputError for a strip between two bodies.
SourceSet with_straight_wakes(const Panels& body, std::span<const EdgeSegment> edges,
                              const BodyLines& lines, const Vec3d& direction, double length);

}  // namespace rankine::bem
