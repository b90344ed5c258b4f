#include "rankine/bem/layers/panel_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

struct Scales {
  double body;   ///< L: radius of the sphere with the same area, images included
  double panel;  ///< l: root mean square, weighted by area
};

Scales scales_of(const SurfaceSums& panels, int images) {
  const double whole = images * panels.area;
  return {std::sqrt(whole / (4.0 * std::numbers::pi)), std::sqrt(panels.moment / panels.area)};
}

double error_estimate(const Scales& scales) {
  return fitted::error_of_panels * scales.panel * scales.panel / (scales.body * scales.body);
}

/// A panel of a sample has the weight of the panels that it represents.
std::vector<double> sample_weights(const Panels& panels) {
  std::vector<double> weight(panels.size());
  parallel_for(panels.size(),
               [&](std::size_t j) { weight[j] = panels.area[j] / flat_area(panels.shape[j]); });
  return weight;
}

/// Appends the nodes and balls of a panel's strips.
void append(const std::vector<LaidStrip>& strips, const StripRule& rule, StripNodes& to) {
  std::array<QuadratureNode, most_far_nodes> placed;
  QuadratureNode* end = placed.data();
  for (const LaidStrip& each : strips) {
    to.centres.push_back(each.near.centre);
    to.radii.push_back(each.near.radius);
    end = place_on_strip(each.triangle, each.wedge, each.strip, rule, end);
  }
  for (const QuadratureNode* node = placed.data(); node != end; ++node) {
    to.points.push_back(node->point);
    to.normals.push_back(node->normal);
    to.weights.push_back(node->weight);
  }
  to.first_node.push_back(static_cast<std::int64_t>(to.points.size()));
  to.first_ball.push_back(static_cast<std::int64_t>(to.radii.size()));
}

template <class Array>
void append(const Array& from, Array& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

StripNodes place_on_strips(const Panels& panels, const FarAccuracy& accuracy,
                           std::span<const std::int32_t> long_panels) {
  StripNodes all;
  std::vector<PanelRule> rules(long_panels.size()), chosen;
  parallel_chunks(rules.size(), 256, [&](std::size_t k) {
    const auto j = static_cast<std::size_t>(long_panels[k]);
    rules[k] = choose_far_rule(panels.shape[j], panel_size(panels.radius[j]), accuracy);
  });
  for (std::size_t k = 0; k < rules.size(); ++k) {
    if (!rules[k].in_strips) continue;
    all.panels.push_back(long_panels[k]);
    all.errors.push_back(rules[k].error);
    chosen.push_back(rules[k]);
  }
  if (chosen.empty()) return all;
  const PointCounts counts(panels.centroid, sample_weights(panels));
  constexpr std::size_t block = 256;
  std::vector<StripNodes> of_block((chosen.size() + block - 1) / block);
  parallel_chunks(
      of_block.size(), 1, [] { return std::vector<LaidStrip>{}; },
      [&](std::size_t b, std::vector<LaidStrip>& strips) {
        for (std::size_t k = b * block; k < std::min(chosen.size(), (b + 1) * block); ++k) {
          lay_strips(panels.shape[static_cast<std::size_t>(all.panels[k])], chosen[k], accuracy,
                     counts, strips);
          append(strips, chosen[k].strip, of_block[b]);
        }
      });
  for (const StripNodes& each : of_block) {
    const std::int64_t nodes = all.first_node.back(), balls = all.first_ball.back();
    for (std::size_t k = 1; k < each.first_node.size(); ++k) {
      all.first_node.push_back(nodes + each.first_node[k]);
      all.first_ball.push_back(balls + each.first_ball[k]);
    }
    append(each.points, all.points);
    append(each.normals, all.normals);
    append(each.weights, all.weights);
    append(each.centres, all.centres);
    append(each.radii, all.radii);
  }
  return all;
}

NearBalls balls_of_panels(const Panels& panels, std::span<const double> whole,
                          const StripNodes& strips) {
  NearBalls balls;
  AlignedVector<std::int32_t>& first = balls.first.changed();
  AlignedVector<Vec3d>& centre = balls.centre.changed();
  AlignedVector<double>& radius = balls.radius.changed();
  first.resize(panels.size() + 1);
  parallel_for(panels.size() + 1, [&](std::size_t j) {
    const auto cut = std::lower_bound(strips.panels.begin(), strips.panels.end(),
                                      static_cast<std::int32_t>(j)) -
                     strips.panels.begin();  // number of cut panels before j
    first[j] = static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(j) - cut +
                                         strips.first_ball[static_cast<std::size_t>(cut)]);
  });
  const auto count = static_cast<std::size_t>(first.back());
  centre.resize(count);
  radius.resize(count);
  parallel_for(panels.size(), [&](std::size_t j) {
    const auto ball = static_cast<std::size_t>(first[j]);
    centre[ball] = panels.centroid[j];
    radius[ball] = whole[j];
  });
  parallel_for(strips.panels.size(), [&](std::size_t k) {
    const auto ball = first[static_cast<std::size_t>(strips.panels[k])];
    for (std::int64_t b = strips.first_ball[k]; b < strips.first_ball[k + 1]; ++b) {
      const auto from = static_cast<std::size_t>(b),
                 to = static_cast<std::size_t>(ball + b - strips.first_ball[k]);
      centre[to] = strips.centres[from];
      radius[to] = strips.radii[from];
    }
  });
  return balls;
}

Vec3d PanelNodes::middle(std::size_t panel) const {
  return middle_of_nodes(points.on_host().data(), weights.on_host().data(), first[panel],
                         first[panel + 1]);
}

double PanelNodes::per_panel() const {
  return first.size() < 2
             ? 0.0
             : static_cast<double>(points.size()) / static_cast<double>(first.size() - 1);
}

double discretization_error_estimate(const Panels& panels) {
  if (panels.size() == 0) return 0.0;
  return error_estimate(scales_of(surface_sums(panels), panels.symmetry.images()));
}

SurfaceSums surface_sums(const Panels& panels) {
  const double moment = parallel_sum(panels.size(), [&](std::size_t j) {
    const double size = panel_size(panels.radius[j]);
    return panels.area[j] * size * size;
  });
  return {total_area(panels), moment};
}

FarAccuracy far_accuracy(const SurfaceSums& panels, int images, const QuadratureOptions& options) {
  if (!(options.tolerance >= 0.0) || !std::isfinite(options.tolerance)) {
    throw InputError("the quadrature tolerance is " + text_of(options.tolerance) +
                     "; give a positive number, or 0 to follow the mesh");
  }
  const Scales scales = scales_of(panels, images);
  // Quadrature errors differ from panel to panel, so errors of gradients are larger by the inverse
  // panel size.
  const double from_mesh = error_estimate(scales) * scales.panel / scales.body;
  return {scales.body, options.tolerance > 0.0 ? options.tolerance
                                               : std::min(std::max(from_mesh, options.least),
                                                          fitted::loosest_quadrature)};
}

PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options) {
  const SurfaceSums sums = surface_sums(panels);
  const FarAccuracy accuracy = far_accuracy(sums, panels.symmetry.images(), options);
  PanelNodes d;
  const std::size_t count = panels.size();
  if (count == 0) return d;
  d.tolerance = accuracy.tolerance;
  AlignedVector<std::int64_t>& first = d.first.changed();
  AlignedVector<double>& middle_radii = d.middle_radius.changed();
  AlignedVector<FarRule> rules(count);
  AlignedVector<float> errors(count);
  std::vector<double> near_radii(count);
  first.resize(count + 1);
  middle_radii.resize(count);
  parallel_for(count, [&](std::size_t j) {
    const double size = panel_size(panels.radius[j]);
    const PanelRule rule = best_whole_rule(panels.shape[j], size, accuracy).rule;
    rules[j] = rule.whole;
    errors[j] = rule.error;
    near_radii[j] = near_radius(rule.whole, size, accuracy);
    middle_radii[j] = middle_radius(size, accuracy);
    first[j + 1] = rule.nodes;
  });
  std::vector<std::int32_t> long_panels;
  for (std::size_t j = 0; j < count; ++j) {
    if (is_long(panels.shape[j])) long_panels.push_back(static_cast<std::int32_t>(j));
  }
  const StripNodes strips = place_on_strips(panels, accuracy, long_panels);
  std::vector<std::uint8_t> in_strips(count, 0);
  for (std::size_t k = 0; k < strips.panels.size(); ++k) {
    const auto j = static_cast<std::size_t>(strips.panels[k]);
    in_strips[j] = 1;
    errors[j] = strips.errors[k];
    first[j + 1] = strips.first_node[k + 1] - strips.first_node[k];
  }
  d.error_estimate =
      parallel_sum(count,
                   [&](std::size_t j) { return panels.area[j] * static_cast<double>(errors[j]); }) /
      sums.area;
  first[0] = 0;
  std::inclusive_scan(first.begin(), first.end(), first.begin());
  const auto nodes = static_cast<std::size_t>(first.back());
  AlignedVector<Vec3d> points, normals;
  AlignedVector<double> weights;
  resize_touched(points, nodes);
  resize_touched(normals, nodes);
  resize_touched(weights, nodes);
  d.balls = balls_of_panels(panels, near_radii, strips);
  parallel_chunks(count, 256, [&](std::size_t j) {
    if (in_strips[j] != 0) return;
    std::size_t node = d.begin(j);
    place_far_nodes(far_node_rules(), rules[j], panels.shape[j], panels.centroid[j],
                    [&](const QuadratureNode& placed) {
                      points[node] = placed.point;
                      normals[node] = placed.normal;
                      weights[node++] = placed.weight;
                    });
  });
  parallel_chunks(strips.panels.size(), 256, [&](std::size_t k) {
    const auto from = strips.first_node[k], to = strips.first_node[k + 1];
    const auto at =
        static_cast<std::ptrdiff_t>(d.begin(static_cast<std::size_t>(strips.panels[k])));
    std::copy(strips.points.begin() + from, strips.points.begin() + to, points.begin() + at);
    std::copy(strips.normals.begin() + from, strips.normals.begin() + to, normals.begin() + at);
    std::copy(strips.weights.begin() + from, strips.weights.begin() + to, weights.begin() + at);
  });
  d.points = std::move(points);
  d.normals = std::move(normals);
  d.weights = std::move(weights);
  return d;
}

}  // namespace rankine::bem
