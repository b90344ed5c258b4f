#include "rankine/bem/layers/panel_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

struct Scales {
  double body;   ///< L: radius of the sphere with the same area, images included
  double panel;  ///< l: root mean square, weighted by area
};

Scales scales_of(const Panels& panels) {
  const double area = total_area(panels);
  const double moment = parallel_sum(panels.size(), [&](std::size_t j) {
    const double size = panel_size(panels.radius[j]);
    return panels.area[j] * size * size;
  });
  const double whole = panels.symmetry.images() * area;
  return {std::sqrt(whole / (4.0 * std::numbers::pi)), std::sqrt(moment / area)};
}

double error_estimate(const Scales& scales) {
  return fitted::error_of_panels * scales.panel * scales.panel / (scales.body * scales.body);
}

/// Rules and strips of all panels.
class Placement {
 public:
  Placement(const Panels& panels, const FarAccuracy& accuracy)
      : panels_(panels), accuracy_(accuracy), rules_(panels.size()) {
    const bool some_in_strips = parallel_reduce(
        panels.size(), false,
        [&](std::size_t j, bool& found) {
          rules_[j] = choose_far_rule(panels.shape[j], panel_size(panels.radius[j]), accuracy_);
          found = found || rules_[j].in_strips;
        },
        [](bool& all, bool part) { all = all || part; }, 512);
    if (some_in_strips) counts_ = PointCounts(panels.centroid, weights(panels));
  }

  const PanelRule& rule(std::size_t j) const { return rules_[j]; }

  /// The predicted error of every panel.
  AlignedVector<float> errors() const {
    AlignedVector<float> errors(rules_.size());
    parallel_for(errors.size(), [&](std::size_t j) { errors[j] = rules_[j].error; });
    return errors;
  }

  /// The strips of a panel; empty if it is not cut.
  void lay(std::size_t j, std::vector<LaidStrip>& strips) const {
    strips.clear();
    if (rules_[j].in_strips) lay_strips(panels_.shape[j], rules_[j], accuracy_, counts_, strips);
  }

  /// Writes the nodes and balls of a panel.
  void place(std::size_t j, const std::vector<LaidStrip>& strips, PanelNodes& d) const {
    std::array<QuadratureNode, most_far_nodes> placed;
    auto ball = static_cast<std::size_t>(d.balls.first[j]);
    const double size = panel_size(panels_.radius[j]);
    if (strips.empty()) {
      d.balls.centre[ball] = panels_.centroid[j];
      d.balls.radius[ball] = near_radius(rules_[j].whole, size, accuracy_);
      place_far_nodes(rules_[j].whole, panels_.shape[j], panels_.centroid[j], placed.data());
    }
    QuadratureNode* out = placed.data();
    for (const LaidStrip& each : strips) {
      d.balls.centre[ball] = each.near.centre;
      d.balls.radius[ball++] = each.near.radius;
      out = place_on_strip(each.triangle, each.wedge, each.strip, rules_[j].strip, out);
    }
    for (std::size_t node = d.begin(j), k = 0; node < d.end(j); ++node, ++k) {
      d.points[node] = placed[k].point;
      d.normals[node] = placed[k].normal;
      d.weights[node] = placed[k].weight;
    }
    d.middle_radius[j] = middle_radius(size, accuracy_);
  }

 private:
  /// A panel of a sample has the weight of the panels that it represents.
  static std::vector<double> weights(const Panels& panels) {
    std::vector<double> weight(panels.size());
    parallel_for(panels.size(),
                 [&](std::size_t j) { weight[j] = panels.area[j] / flat_area(panels.shape[j]); });
    return weight;
  }

  const Panels& panels_;
  FarAccuracy accuracy_;
  AlignedVector<PanelRule> rules_;
  PointCounts counts_;
};

}  // namespace

Vec3d PanelNodes::middle(std::size_t panel) const {
  return middle_of_nodes(points.data(), weights.data(), first[panel], first[panel + 1]);
}

double PanelNodes::per_panel() const {
  return first.size() < 2
             ? 0.0
             : static_cast<double>(points.size()) / static_cast<double>(first.size() - 1);
}

double discretization_error_estimate(const Panels& panels) {
  return panels.size() == 0 ? 0.0 : error_estimate(scales_of(panels));
}

FarAccuracy far_accuracy(const Panels& panels, const QuadratureOptions& options) {
  if (!(options.tolerance >= 0.0) || !std::isfinite(options.tolerance)) {
    throw InputError("the quadrature tolerance is " + std::to_string(options.tolerance) +
                     "; give a positive number, or 0 to follow the mesh");
  }
  const Scales scales = scales_of(panels);
  // Quadrature errors differ from panel to panel, so errors of gradients are larger by the inverse
  // panel size.
  const double from_mesh = error_estimate(scales) * scales.panel / scales.body;
  return {scales.body, options.tolerance > 0.0 ? options.tolerance
                                               : std::min(from_mesh, fitted::loosest_quadrature)};
}

double mean_error(const Panels& panels, std::span<const float> errors) {
  return parallel_sum(
             panels.size(),
             [&](std::size_t j) { return panels.area[j] * static_cast<double>(errors[j]); }) /
         total_area(panels);
}

PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options) {
  const FarAccuracy accuracy = far_accuracy(panels, options);
  PanelNodes d;
  const std::size_t count = panels.size();
  if (count == 0) return d;
  d.tolerance = accuracy.tolerance;
  const Placement placement(panels, accuracy);
  const auto no_strips = [] { return std::vector<LaidStrip>{}; };
  constexpr std::size_t chunk = 256;
  d.first.resize(count + 1);
  d.balls.first.resize(count + 1);
  d.first[0] = d.balls.first[0] = 0;
  parallel_chunks(count, chunk, no_strips, [&](std::size_t j, std::vector<LaidStrip>& strips) {
    const PanelRule& rule = placement.rule(j);
    placement.lay(j, strips);
    const auto balls = static_cast<std::int32_t>(strips.size());
    d.first[j + 1] = rule.in_strips ? balls * rule.strip.nodes() : rule.nodes;
    d.balls.first[j + 1] = rule.in_strips ? balls : 1;
  });
  for (std::size_t j = 0; j < count; ++j) {
    d.first[j + 1] += d.first[j];
    d.balls.first[j + 1] += d.balls.first[j];
  }
  d.error_estimate = mean_error(panels, placement.errors());
  const auto nodes = static_cast<std::size_t>(d.first.back()),
             balls = static_cast<std::size_t>(d.balls.first.back());
  resize_touched(d.points, nodes);
  resize_touched(d.normals, nodes);
  resize_touched(d.weights, nodes);
  d.balls.centre.resize(balls);
  d.balls.radius.resize(balls);
  d.middle_radius.resize(count);
  parallel_chunks(count, chunk, no_strips, [&](std::size_t j, std::vector<LaidStrip>& strips) {
    placement.lay(j, strips);
    placement.place(j, strips, d);
  });
  return d;
}

}  // namespace rankine::bem
