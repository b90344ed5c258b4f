#include "rankine/bem/layers/panel_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// One line of the error model: e(a) = constant (l/L) (l/a)^power.
struct ErrorModel {
  FarRule rule;
  double constant;
  int power;

  /// The ratio a/l that brings the error of a panel of size l down to `tolerance`.
  double ratio(double size, double scale, double tolerance) const {
    return std::pow(constant * size / (scale * tolerance), 1.0 / power);
  }
};

constexpr std::array<ErrorModel, 3> far_models{{
    {FarRule::centroid, 4.5e-2, 1},
    {FarRule::quadratic, 1.4e-3, 3},
    {FarRule::quartic, 5.0e-5, 5},
}};
constexpr ErrorModel middle_model{FarRule::quartic, 7.0e-5, 5};  // the 7-point rule

constexpr double least_near_ratio = 1.5;     // neighbours that touch are always near
constexpr double greatest_near_ratio = 8.0;  // beyond, memory would grow without use
constexpr double least_middle_ratio = 1.5;

/// Cost of one far node in near entries:
/// an FMM source in every iteration against an entry built once.
constexpr double node_cost = 50.0;

struct Scales {
  double body;   ///< L: radius of the sphere with the same area, images included
  double panel;  ///< l: root mean square, weighted by area
};

Scales scales_of(const Panels& panels) {
  double area = 0.0, moment = 0.0;
  for (std::size_t j = 0; j < panels.size(); ++j) {
    const double size = panel_size(panels.radius[j]);
    area += panels.area[j];
    moment += panels.area[j] * size * size;
  }
  const double whole = panels.symmetry.images() * area;
  return {std::sqrt(whole / (4.0 * std::numbers::pi)), std::sqrt(moment / area)};
}

double near_ratio(const ErrorModel& model, double size, const Scales& scales, double tolerance) {
  return std::clamp(model.ratio(size, scales.body, tolerance), least_near_ratio,
                    greatest_near_ratio);
}

/// The cheapest rule that keeps the tolerance, judged for the mean panel;
/// the best one where none does.
const ErrorModel& choose(const Scales& scales, double tolerance, bool has_quadrilaterals) {
  const ErrorModel* best = &far_models.back();
  double least = 1e300;
  for (const ErrorModel& model : far_models) {
    const double ratio = model.ratio(scales.panel, scales.body, tolerance);
    if (ratio > greatest_near_ratio) continue;
    const double near = std::max(ratio, least_near_ratio);
    const double entries =
        std::numbers::pi * near * near / 0.433;  // panels of area 0.433 l^2 in the near disc
    const double cost = entries + node_cost * FarQuadrature(model.rule, has_quadrilaterals).nodes();
    if (cost < least) {
      least = cost;
      best = &model;
    }
  }
  return *best;
}

}  // namespace

double discretization_error_estimate(const Panels& panels) {
  if (panels.size() == 0) return 0.0;
  const Scales scales = scales_of(panels);
  return 0.05 * scales.panel * scales.panel / (scales.body * scales.body);
}

PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options) {
  if (!(options.tolerance >= 0.0) || !std::isfinite(options.tolerance)) {
    throw InputError("the quadrature tolerance is " + std::to_string(options.tolerance) +
                     "; give a positive number, or 0 to follow the mesh");
  }
  PanelNodes d;
  const std::size_t count = panels.size();
  if (count == 0) return d;
  const Scales scales = scales_of(panels);
  const bool has_quadrilaterals = std::any_of(panels.shape.begin(), panels.shape.end(),
                                              [](const auto& shape) { return shape.corners == 4; });
  d.tolerance =
      options.tolerance > 0.0 ? options.tolerance : 0.2 * discretization_error_estimate(panels);
  const ErrorModel& model = choose(scales, d.tolerance, has_quadrilaterals);
  const FarQuadrature quadrature(model.rule, has_quadrilaterals);

  d.rule = model.rule;
  d.per_panel = quadrature.nodes();
  const std::size_t nodes = static_cast<std::size_t>(d.per_panel);
  d.points.resize(count * nodes);
  d.normals.resize(count * nodes);
  d.weights.resize(count * nodes);
  d.near_radius.resize(count);
  d.middle_radius.resize(count);
  parallel_for(count, [&](std::size_t j) {
    std::array<QuadratureNode, most_far_nodes> placed;
    quadrature.place(panels.shape[j], panels.centroid[j], placed.data());
    for (std::size_t k = 0; k < nodes; ++k) {
      d.points[j * nodes + k] = placed[k].point;
      d.normals[j * nodes + k] = placed[k].normal;
      d.weights[j * nodes + k] = placed[k].weight;
    }
    const double size = panel_size(panels.radius[j]);
    d.near_radius[j] = size * near_ratio(model, size, scales, d.tolerance);
    d.middle_radius[j] = size * std::max(middle_model.ratio(size, scales.body, 0.1 * d.tolerance),
                                         least_middle_ratio);
  });
  const double taken = near_ratio(model, scales.panel, scales, d.tolerance);
  d.error_estimate = model.constant * (scales.panel / scales.body) * std::pow(taken, -model.power);
  return d;
}

}  // namespace rankine::bem
