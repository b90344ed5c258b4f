// The far-field rule of one panel: that which costs least in nodes and near entries and keeps the
// tolerance, by the error model of bem/layers/panel_nodes.hpp. Panels that are not long have rules of
// their own; long ones are cut into strips (bem/panels/strips.hpp), each with its own ball of near
// targets, so that what is near follows the panel's shape.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/point_counts.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/strips.hpp"

namespace rankine::bem {

/// Most nodes that a panel can have.
inline constexpr int most_far_nodes = 192;

/// What errors are measured against, and what follows from it for all panels.
struct FarAccuracy {
  FarAccuracy(double body, double tolerance);

  double body;       ///< L, m
  double tolerance;  ///< e
  /// a/l from which on strips of 1 to 4 Gauss points keep the tolerance on a sheet that faces theirs:
  /// of points along strips, and across.
  std::array<double, StripRule::most_points> facing_along, facing_across;
  double
      shared;  ///< width of the cells in which nodes of long panels are shared, of their near radius
};

/// Of the near radius: the cells in which nodes may be shared (bem/layers/shared_nodes.hpp) where `tolerance` is asked.
double shared_width(double tolerance);

/// A rule, small enough to be kept for every panel.
struct PanelRule {
  bool in_strips = false;
  FarRule whole = FarRule::centroid;  ///< where it is not in strips
  StripRule strip{};
  std::uint8_t strips = 0;  ///< along the longest wedges of a triangle
  std::uint8_t nodes = 0;   ///< of the panel, at least
  float error = 0.0F;       ///< expected on a surface of such panels
};

/// Area of the panel as if it were flat, m^2.
double flat_area(const PanelShape<double>& panel);

/// The cheapest rule that keeps the tolerance; the best one where none does. `size`: panel_size of the
/// panel, m.
PanelRule choose_far_rule(const PanelShape<double>& panel, double size,
                          const FarAccuracy& accuracy);

/// Radius of the ball within which targets are near a panel that is not in strips; m.
double near_radius(FarRule rule, double size, const FarAccuracy& accuracy);

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

/// Beyond this distance the 7-point rule of a panel of size `size` leaves a tenth of the tolerance; m.
double middle_radius(double size, const FarAccuracy& accuracy);

}  // namespace rankine::bem
