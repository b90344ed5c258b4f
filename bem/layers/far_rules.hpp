// The far-field rule of a panel: the rule that meets the tolerance, according to the error model of
// bem/layers/panel_nodes.hpp, at the lowest cost of nodes and near entries. A panel that is not
// long has one rule for the whole panel. A long one is cut into strips (bem/panels/strips.hpp),
// each with its own ball of near targets, so that the near region follows the panel's shape.
#pragma once

#include <vector>

#include "rankine/bem/layers/whole_rules.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/point_counts.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/strips.hpp"

namespace rankine::bem {

/// The largest number of nodes of a panel.
inline constexpr int most_far_nodes = 192;

/// Width of the cells in which nodes may be shared (bem/layers/shared_nodes.hpp), relative to the
/// near radius, for a given tolerance.
double shared_width(double tolerance);

/// The cheapest rule that meets the tolerance, or the most accurate one if none does. `size`:
/// panel_size of the panel, m.
PanelRule choose_far_rule(const PanelShape<double>& panel, double size,
                          const FarAccuracy& accuracy);

/// A strip in space, and the ball within which targets are near it.
struct LaidStrip {
  TrianglePatch<double> triangle;
  Wedge wedge;
  Strip strip;
  StripBall near;
};

/// The strips of a panel, at most most_far_nodes / rule.strip.nodes(). They have equal lengths,
/// except that a strip is divided further if the division saves more near entries, estimated from
/// `counts`, than its nodes cost.
void lay_strips(const PanelShape<double>& panel, const PanelRule& rule, const FarAccuracy& accuracy,
                const PointCounts& counts, std::vector<LaidStrip>& strips);

}  // namespace rankine::bem
