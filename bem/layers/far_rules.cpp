#include "rankine/bem/layers/far_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace rankine::bem {
namespace {

/// Gauss rules of 1 to 4 points, by the leading term of their error.
constexpr std::array<ErrorModel, StripRule::most_points> strip_models{{
    {5.6e-2, 1, 0.7},
    {1.6e-3, 3, 0.7},
    {8.5e-5, 5, 0.7},
    {5.1e-6, 7, 0.7},
}};
/// The candidate rules: points along and across.
constexpr std::array<StripRule, 6> strip_rules{{{2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 2}, {4, 2}}};

std::size_t index_of(int points) { return static_cast<std::size_t>(points - 1); }

/// Rms error at facing sheets relative to c_q, over targets in all directions.
constexpr double facing_share_along = 0.15, facing_share_across = 0.05;

/// The wedges of both triangles of a panel.
struct Cut {
  std::array<Wedges, 2> of_triangle;
  int triangles = 0;
  double length = 0.0, width = 0.0;  ///< the largest, m

  explicit Cut(const PanelShape<double>& panel) : triangles(panel.corners - 2) {
    for (int half = 0; half < triangles; ++half) {
      Wedges& wedges = of_triangle[static_cast<std::size_t>(half)];
      wedges = wedges_of(triangle_of(panel, half));
      length = std::max(length, wedges.length());
      width = std::max(width, wedges.width());
    }
  }

  /// Number of strips of a wedge if the whole length has `strips`.
  int count(const Wedge& wedge, int strips) const {
    return std::max(1, static_cast<int>(std::ceil(strips * wedge.length / length - 1e-6)));
  }

  template <class Visit>
  void for_each_wedge(Visit&& visit) const {
    for (int half = 0; half < triangles; ++half) {
      const Wedges& wedges = of_triangle[static_cast<std::size_t>(half)];
      for (int w = 0; w < wedges.count; ++w) visit(half, wedges.wedge[static_cast<std::size_t>(w)]);
    }
  }
};

double strip_reach(const StripRule& rule, double radius, double width,
                   const FarAccuracy& accuracy) {
  const std::size_t along = index_of(rule.along), across = index_of(rule.across);
  const double l = panel_size(radius), w = panel_size(0.5 * width);
  return std::max({strip_models[along].reach(l, accuracy), l * accuracy.facing_along[along],
                   strip_models[across].reach(w, accuracy), w * accuracy.facing_across[across]});
}

RuleChoice strip_choice(const Cut& cut, double area, const StripRule& rule, int strips,
                        const FarAccuracy& accuracy) {
  RuleChoice choice;
  choice.rule.in_strips = true;
  choice.rule.strip = rule;
  choice.rule.strips = static_cast<std::uint8_t>(strips);
  int count = 0;
  cut.for_each_wedge([&](int, const Wedge& wedge) { count += cut.count(wedge, strips); });
  const double length = cut.length / strips, radius = 0.5 * std::hypot(length, cut.width);
  const double reach = strip_reach(rule, radius, cut.width, accuracy);
  const double along =
      strip_models[index_of(rule.along)].error(panel_size(radius), reach, accuracy);
  const double across =
      strip_models[index_of(rule.across)].error(panel_size(0.5 * cut.width), reach, accuracy);
  choice.judge(std::max(along, across),
               reach * (std::numbers::pi * reach + 2.0 * (cut.length - length)), area,
               count * rule.nodes(), accuracy,
               strips > 1 ? accuracy.shared * reach * cut.length / area : 1.0);
  return choice;
}

/// Tries strips with every rule, and more strips as long as the cost decreases.
void offer_strips(const PanelShape<double>& panel, double area, const FarAccuracy& accuracy,
                  RuleChoice& best) {
  const Cut cut(panel);
  for (const StripRule& rule : strip_rules) {
    RuleChoice last;
    for (int strips = 1; strips * cut.width <= 2.0 * cut.length; strips *= 2) {
      const RuleChoice choice = strip_choice(cut, area, rule, strips, accuracy);
      if (choice.rule.nodes > most_far_nodes || (last.keeps && choice.cost > last.cost)) break;
      best.offer(choice);
      last = choice;
    }
  }
}

/// Places strips and divides those whose division reduces the cost.
class StripLayer {
 public:
  StripLayer(const PanelRule& rule, const FarAccuracy& accuracy, const PointCounts& counts,
             bool divides, std::vector<LaidStrip>& strips)
      : rule_(rule),
        accuracy_(accuracy),
        counts_(counts),
        nodes_left_(divides ? most_far_nodes - rule.nodes : 0),
        price_(rule.strip.nodes() * node_cost / entry_cost(rule.nodes)),
        strips_(strips) {}

  void lay(const TrianglePatch<double>& triangle, const Wedge& wedge, const Strip& strip) {
    const LaidStrip whole = laid(triangle, wedge, strip);
    nodes_left_ > 0 ? divide(whole, points_near(whole)) : strips_.push_back(whole);
  }

 private:
  LaidStrip laid(const TrianglePatch<double>& triangle, const Wedge& wedge,
                 const Strip& strip) const {
    LaidStrip made{triangle, wedge, strip, strip_ball(triangle, wedge, strip)};
    made.near.radius =
        strip_reach(rule_.strip, made.near.radius, wedge.width * strip.to, accuracy_);
    return made;
  }

  /// Number of points in a strip's ball that are not in the next ball: two thirds of them, for
  /// balls that are as wide as two strips are long.
  double points_near(const LaidStrip& strip) const {
    return 2.0 / 3.0 * counts_.in_ball(strip.near.centre, strip.near.radius);
  }

  void divide(const LaidStrip& whole, double points) {
    const double middle = 0.5 * (whole.strip.from + whole.strip.to);
    const double half_length = (middle - whole.strip.from) * whole.wedge.length;
    if (nodes_left_ >= rule_.strip.nodes() && points > price_ &&
        half_length > 0.5 * whole.wedge.width) {
      const LaidStrip first = laid(whole.triangle, whole.wedge, {whole.strip.from, middle}),
                      second = laid(whole.triangle, whole.wedge, {middle, whole.strip.to});
      const double of_first = points_near(first), of_second = points_near(second);
      if (points - of_first - of_second > price_) {
        nodes_left_ -= rule_.strip.nodes();
        divide(first, of_first);
        divide(second, of_second);
        return;
      }
    }
    strips_.push_back(whole);
  }

  const PanelRule& rule_;
  const FarAccuracy& accuracy_;
  const PointCounts& counts_;
  int nodes_left_;
  double price_;  ///< cost of a strip, in near entries
  std::vector<LaidStrip>& strips_;
};

/// Whether there are many more points around a panel of `area` than there would be among similar
/// panels.
bool is_crowded(const PanelShape<double>& panel, double length, double area,
                const PointCounts& counts) {
  constexpr double many = 3.0;  // two sheets or panels of different sizes give a smaller factor
  Vec3d middle{};
  for (int k = 0; k < panel.corners; ++k) middle += panel.corner[k] / panel.corners;
  return counts.in_ball(middle, 0.5 * length) >
         many * std::numbers::pi / 4.0 * length * length / area;
}

}  // namespace

double shared_width(double tolerance) {
  // The error of shared nodes is 0.018 times the square of this width, fitted to wings and
  // ellipsoids: a third of the tolerance.
  constexpr double width = 4.0, most = 0.2;
  return std::min(most, width * std::sqrt(tolerance));
}

FarAccuracy::FarAccuracy(double size, double wanted)
    : body(size), tolerance(wanted), shared(shared_width(wanted)) {
  for (int points = 1; points <= StripRule::most_points; ++points) {
    const ErrorModel& model = strip_models[index_of(points)];
    const double moment = 2.0 * model.power * model.constant, root = 0.5 / points;
    facing_along[index_of(points)] = std::pow(facing_share_along * moment / tolerance, root);
    facing_across[index_of(points)] = std::pow(facing_share_across * moment / tolerance, root);
  }
}

PanelRule choose_far_rule(const PanelShape<double>& panel, double size,
                          const FarAccuracy& accuracy) {
  RuleChoice best = best_whole_rule(panel, size, accuracy);
  if (is_long(panel)) offer_strips(panel, flat_area(panel), accuracy, best);
  return best.rule;
}

void lay_strips(const PanelShape<double>& panel, const PanelRule& rule, const FarAccuracy& accuracy,
                const PointCounts& counts, std::vector<LaidStrip>& strips) {
  strips.clear();
  const Cut cut(panel);
  StripLayer layer(rule, accuracy, counts, is_crowded(panel, cut.length, flat_area(panel), counts),
                   strips);
  cut.for_each_wedge([&](int half, const Wedge& wedge) {
    const int count = cut.count(wedge, rule.strips);
    for (int k = 0; k < count; ++k)
      layer.lay(triangle_of(panel, half), wedge,
                {static_cast<double>(k) / count, (k + 1.0) / count});
  });
}

}  // namespace rankine::bem
