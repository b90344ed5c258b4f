// Far-field rules of panels that are not cut into strips, by the error model of
// bem/layers/panel_nodes.hpp: the cost of each in nodes and near entries, and the cheapest one.
// Host and device.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/strips.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// The size and tolerance of the error model, and derived constants for all panels.
struct FarAccuracy {
  FarAccuracy(double body, double tolerance);  // host only (bem/layers/far_rules.cpp)

  double body;       ///< L, m
  double tolerance;  ///< e
  /// The smallest a/l at which strips with 1 to 4 Gauss points meet the tolerance on a facing
  /// sheet, for points along strips and across.
  std::array<double, StripRule::most_points> facing_along, facing_across;
  double shared;  ///< width of the cells of shared nodes, relative to the near radius
};

/// A rule, small enough to be stored for every panel.
struct PanelRule {
  bool in_strips = false;
  FarRule whole = FarRule::centroid;  ///< if it is not in strips
  StripRule strip{};
  std::uint8_t strips = 0;  ///< along the longest wedges of a triangle
  std::uint8_t nodes = 0;   ///< smallest number of nodes of the panel
  float error = 0.0F;       ///< predicted for a surface of such panels
};

/// One line of the error model: e(a) = constant (l/L) (l/a)^power.
struct ErrorModel {
  double constant;
  int power;
  double least_ratio;  ///< of a/l: the model is not valid for closer targets

  static constexpr double greatest_ratio = 8.0;  // larger ones only cost memory

  RANKINE_HD double error(double size, double distance, const FarAccuracy& accuracy) const {
    return constant * size / accuracy.body * raised(size / distance);
  }
  /// The distance a at which the error of a panel of size l equals the tolerance.
  RANKINE_HD double distance(double size, const FarAccuracy& accuracy) const {
    const double excess = constant * size / (accuracy.body * accuracy.tolerance);
    if (power == 1) return size * excess;
    return size * (power == 3 ? std::cbrt(excess) : std::pow(excess, 1.0 / power));
  }
  RANKINE_HD double reach(double size, const FarAccuracy& accuracy) const {
    const double least = least_ratio * size, most = greatest_ratio * size;
    if (error(size, least, accuracy) <= accuracy.tolerance) return least;  // as for most strips
    const double wanted = distance(size, accuracy);
    return wanted < least ? least : (wanted > most ? most : wanted);
  }

 private:
  RANKINE_HD double raised(double ratio) const {
    const double square = ratio * ratio;
    const double rest = power > 5 ? square * square * square
                                  : (power > 3 ? square * square : (power > 1 ? square : 1.0));
    return ratio * rest;
  }
};

/// The error model of a rule for whole panels. Touching neighbours are always near.
RANKINE_HD inline ErrorModel model_of(FarRule rule) {
  constexpr ErrorModel models[3] = {{4.5e-2, 1, 3.0}, {1.4e-3, 3, 1.5}, {5.0e-5, 5, 1.5}};
  return models[static_cast<int>(rule)];
}

/// Cost of one far node in units of panel integrals: an FMM source costs time in every iteration,
/// an entry is computed once.
inline constexpr double node_cost = 30.0;

/// Cost of one near entry, relative to an entry of a panel without nodes.
RANKINE_HD inline double entry_cost(int nodes) {
  constexpr double nodes_per_integral = 14.0;  // their sum costs as much as one panel integral
  return 1.0 + nodes / nodes_per_integral;
}

/// A rule and its cost.
struct RuleChoice {
  PanelRule rule;
  double cost = 0.0;
  bool keeps = false;  ///< whether it meets the tolerance
  bool is_any = false;

  RANKINE_HD void offer(const RuleChoice& other) {
    const bool better = keeps != other.keeps ? other.keeps
                        : keeps              ? other.cost < cost
                                             : other.rule.error < rule.error;
    if (!is_any || better) *this = other;
  }

  /// Predicts error and cost for a panel of `area` among similar panels, and whether it meets the
  /// tolerance. `sharing`: number of panels that share a node; `near`: area within which targets
  /// are near.
  RANKINE_HD void judge(double error, double near, double area, int nodes,
                        const FarAccuracy& accuracy, double sharing = 1.0) {
    constexpr double share_cost = 2.0;  // of a shared node's strengths, in each of its panels
    const double of_node = sharing > 1.0 ? node_cost / sharing + share_cost : node_cost;
    rule.error = static_cast<float>(error);
    rule.nodes = static_cast<std::uint8_t>(nodes < 255 ? nodes : 255);
    cost = near / area * entry_cost(nodes) + of_node * nodes;
    keeps = error <= (1.0 + 1e-9) * accuracy.tolerance;
    is_any = true;
  }
};

/// Area of the flat panel with the same corners, m^2.
RANKINE_HD inline double flat_area(const PanelShape<double>& panel) {
  double area = 0.0;
  for (int k = 1; k + 1 < panel.corners; ++k) {
    area +=
        0.5 * norm(cross(panel.corner[k] - panel.corner[0], panel.corner[k + 1] - panel.corner[0]));
  }
  return area;
}

/// Whether strips are considered.
RANKINE_HD inline bool is_long(const PanelShape<double>& panel) {
  double longest2 = 0.0;
  for (int k = 0; k < panel.corners; ++k) {
    const Vec3d edge = panel.corner[(k + 1) % panel.corners] - panel.corner[k];
    const double length2 = dot(edge, edge);
    if (length2 > longest2) longest2 = length2;
  }
  const double length_by_width = flat_area(panel) * (panel.corners == 3 ? 2.0 : 1.0);
  return longest2 > fitted::long_panel * length_by_width;
}

/// The cheapest rule for the whole panel that meets the tolerance, or the most accurate one if none
/// does. `size`: panel_size of the panel, m.
RANKINE_HD inline RuleChoice best_whole_rule(const PanelShape<double>& panel, double size,
                                             const FarAccuracy& accuracy) {
  const double area = flat_area(panel);
  RuleChoice best;
  for (const FarRule rule : {FarRule::centroid, FarRule::quadratic, FarRule::quartic}) {
    const ErrorModel model = model_of(rule);
    const double reach = model.reach(size, accuracy);
    RuleChoice choice;
    choice.rule.whole = rule;
    choice.judge(model.error(size, reach, accuracy), std::numbers::pi * reach * reach, area,
                 far_nodes(rule, panel.corners), accuracy);
    best.offer(choice);
  }
  return best;
}

/// Radius of the near ball of a panel that is not in strips, m.
RANKINE_HD inline double near_radius(FarRule rule, double size, const FarAccuracy& accuracy) {
  return model_of(rule).reach(size, accuracy);
}

/// The distance beyond which the error of the 7-point rule on a panel of size `size` is below a
/// tenth of the tolerance, m.
RANKINE_HD inline double middle_radius(double size, const FarAccuracy& accuracy) {
  constexpr ErrorModel model{7.0e-5, 5, 1.5};
  const double excess = 10.0 * model.constant * size / (accuracy.body * accuracy.tolerance);
  const double ratio = std::pow(excess, 1.0 / model.power);
  return size * (ratio > model.least_ratio ? ratio : model.least_ratio);
}

}  // namespace rankine::bem
