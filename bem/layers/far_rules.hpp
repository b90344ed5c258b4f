// The far-field rule of one panel: that which costs least in nodes and near entries and keeps the
// tolerance, by the error model of bem/layers/panel_nodes.hpp. Panels that are not long have rules of
// their own; long ones are cut into strips (bem/panels/strips.hpp), each with its own ball of near
// targets, so that what is near follows the panel's shape.
#pragma once

#include <vector>

#include "rankine/bem/layers/whole_rules.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/point_counts.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/strips.hpp"

namespace rankine::bem {

/// Most nodes that a panel can have.
inline constexpr int most_far_nodes = 192;

/// Of the near radius: the cells in which nodes may be shared (bem/layers/shared_nodes.hpp) where `tolerance` is asked.
double shared_width(double tolerance);

/// The cheapest rule that keeps the tolerance; the best one where none does. `size`: panel_size of the
/// panel, m.
PanelRule choose_far_rule(const PanelShape<double>& panel, double size,
                          const FarAccuracy& accuracy);

/// A strip where it lies, and the ball within which targets are near it.
struct LaidStrip {
  TrianglePatch<double> triangle;
  Wedge wedge;
  Strip strip;
  StripBall near;
};

/// The strips of a panel in strips, at most most_far_nodes / rule.strip.nodes(): of equal length, and
/// shorter ones where so many collocation points are around, by `counts`, that the nodes of one strip
/// more cost less than the near entries it saves.
void lay_strips(const PanelShape<double>& panel, const PanelRule& rule, const FarAccuracy& accuracy,
                const PointCounts& counts, std::vector<LaidStrip>& strips);

}  // namespace rankine::bem
