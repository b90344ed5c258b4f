// Sections: the panels that a plane normal to a trailing edge crosses on each side of it, from the
// edge to the leading edge.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/lift/trailing_edge.hpp"
#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

struct SectionPanel {
  std::int32_t panel;
  double depth;  ///< of its centroid in front of the edge, m
};

/// The panels above or below, by increasing depth, crossed by the plane through `middle`, a point
/// of the edge.
std::vector<SectionPanel> section_side(const PanelNeighbourhood& around, const EdgeSegment& edge,
                                       const Vec3d& middle, bool upper);

}  // namespace rankine::bem
