// Slopes of the potential near sharp edges, from its strengths there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/edge_strengths.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"

namespace rankine::bem {

/// The slope of a potential at the point of a panel.
struct EdgeSlope {
  std::int32_t panel;
  Vec3d slope;
  Vec3d difference;  ///< from the slope of `EdgeStrength`, about as large as the error
  bool in_corner;    ///< the panel is at two edges: the difference is smaller than the error
  bool is_between;   ///< the panel is between two edges: the difference is no measure of the error
};

/// Replaces the gradients on these panels; they stay tangential.
void set_slopes(std::span<const EdgeSlope> slopes, SurfaceGradient& surface);

/// The slopes on the panels of these strengths: those of the edge functions plus those of a cubic
/// fitted to the rest (bem/panels/panel_patch.hpp). `means`: of all panels; far from edges the
/// values at the points. `values`: at the points of all panels.
std::vector<EdgeSlope> slopes_at_edges(const PanelNeighbourhood& around,
                                       std::span<const EdgeStrength> strengths,
                                       std::span<const double> means,
                                       std::span<const double> values);

/// The quadrilaterals with sharp edges on two opposite sides, where no panel on the same side of
/// the edges is beside them.
std::vector<std::int32_t> panels_between_edges(const PanelNeighbourhood& around);

/// The slopes on these `panels`. Across a panel, the slope is that of the quadratic through the
/// value at its point and the values at the points beyond both edges. Distances between these
/// points are lengths along the surface around convex edges, and straight through the fluid between
/// concave ones. `values` must be continuous at the edges, as the potential is without wakes.
std::vector<EdgeSlope> slopes_between_edges(const PanelNeighbourhood& around,
                                            std::span<const std::int32_t> panels,
                                            std::span<const double> values);

}  // namespace rankine::bem
