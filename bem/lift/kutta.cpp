#include "rankine/bem/lift/kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "rankine/bem/dense_matrix.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::bem {
namespace {

/// Coefficients of the fit. Without the curvatures along the edge the error of the jump would be of
/// second order in the width of panels, and the row divides it by D^(pi/beta).
enum Coefficient {
  mean,
  mean_slope,
  mean_curve,
  jump,
  jump_slope,
  jump_curve,
  even,
  odd,
  coefficients
};

struct Sample {
  std::int32_t panel;                  ///< or image
  double side;                         ///< 1 above, -1 below
  double depth, along;                 ///< from and along the edge with its bends
  double straight_in, straight_along;  ///< from and along the segment's line
};

/// Relative to the largest pivot: smaller pivots differ from zero only because panels are bent.
constexpr double least_determined = 0.03;
/// Limit of the sum of absolute values of a row, by which errors of the potentials are amplified.
/// It is 2 for equal depths on both sides, and below 4 for triangles in a regular pattern.
constexpr double most_amplification = 4.0;
/// At 1.2 and at 2.4 a wing of 800 or 3 000 panels has 1.5 % less lift than with equal depths.
constexpr double most_depth_ratio = 4.0;

/// A straight piece of the edge. Coordinates along the edge are `start` + `sense` times the
/// distance from `from`.
struct EdgeLine {
  Vec3d from, direction;
  double least, most;  ///< distances from `from` between which it extends
  double start, sense;
};

/// The edge around a segment: the segment and its neighbours, also across symmetry planes; at a tip
/// the line of the segment continues to infinity. At a bend, the depth of points beyond the next
/// segment is measured from that segment, since the bend displaces the lines of long segments by
/// more than panels are deep.
class EdgeLines {
 public:
  EdgeLines(const Panels& body, std::span<const EdgeSegment> edges) : body_(body), edges_(edges) {
    for (std::size_t s = 0; s < edges.size(); ++s) {
      at_node_[edges[s].first].push_back(s);
      at_node_[edges[s].second].push_back(s);
    }
  }

  void move_to(std::size_t segment, const Vec3d& point) {
    const EdgeSegment& edge = edges_[segment];
    const Vec3d a = corner_at(body_, edge.upper, edge.first),
                b = corner_at(body_, edge.upper, edge.second);
    const double width = norm(b - a);
    const double before = norm(point - a), after = norm(b - point);
    lines_.assign(1, {a, (b - a) / width, 0.0, width, -before, 1.0});
    if (!add_beside(segment, edge.first, a, b, -before, -1.0)) lines_[0].least = -endless;
    if (!add_beside(segment, edge.second, b, a, after, 1.0)) lines_[0].most = endless;
  }

  struct Place {
    double depth, along;
  };
  Place place_of(const Vec3d& x) const {
    Place closest{endless, 0.0};
    for (const EdgeLine& line : lines_) {
      const double s = std::clamp(dot(x - line.from, line.direction), line.least, line.most);
      const double depth = norm(x - line.from - s * line.direction);
      if (depth < closest.depth) closest = {depth, line.start + line.sense * s};
    }
    return closest;
  }

 private:
  static constexpr double endless = std::numeric_limits<double>::infinity();

  /// Adds the lines that continue beyond the end `x` of a segment, whose other end is `y`.
  bool add_beside(std::size_t segment, std::int32_t node, const Vec3d& x, const Vec3d& y,
                  double start, double sense) {
    const std::size_t before = lines_.size();
    const auto add = [&](const Vec3d& to) {
      lines_.push_back({x, (to - x) / norm(to - x), 0.0, endless, start, sense});
    };
    for (const std::size_t s : at_node_.at(node)) {
      if (s == segment) continue;
      const EdgeSegment& edge = edges_[s];
      add(corner_at(body_, edge.upper, edge.first == node ? edge.second : edge.first));
    }
    for (int image = 1; image < body_.symmetry.images(); ++image) {
      if (body_.symmetry.point(image, x) == x) add(body_.symmetry.point(image, y));
    }
    return lines_.size() > before;
  }

  const Panels& body_;
  std::span<const EdgeSegment> edges_;
  std::map<std::int32_t, std::vector<std::size_t>> at_node_;
  std::vector<EdgeLine> lines_;
};

[[noreturn]] void refuse(const Vec3d& at, const std::string& what) {
  throw InputError(text_of("panels at the trailing edge near ", at, " m ", what,
                           ", so that they do not determine the circulation; use panels that are "
                           "equally deep on both sides of the edge"));
}

}  // namespace

SparseRows kutta_rows(const Panels& body, std::span<const EdgeSegment> edges,
                      std::span<const Vec3d> points) {
  const PanelNeighbourhood around(body);
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  PanelNeighbourhood::Ring ring;
  std::vector<Sample> samples;
  EdgeLines lines(body, edges);
  for (std::size_t segment = 0; segment < edges.size(); ++segment) {
    const EdgeSegment& edge = edges[segment];
    const Vec3d& middle = points[segment];
    lines.move_to(segment, middle);
    const Vec3d a = corner_at(body, edge.upper, edge.first),
                b = corner_at(body, edge.upper, edge.second);
    const Vec3d direction = (b - a) / norm(b - a);
    samples.clear();
    double depth = 0.0;
    for (const double side : {1.0, -1.0}) {
      const std::int32_t panel = side > 0.0 ? edge.upper : edge.lower;
      around.collect(panel, 1, ring);
      ring.panels.push_back(panel);
      for (const std::int32_t each : ring.panels) {
        const Vec3d x = around.centroid(each) - (side > 0.0 ? Vec3d{} : edge.base);
        const auto [deep, along] = lines.place_of(x);
        const Vec3d from = x - middle;
        samples.push_back(
            {each, side, deep, along, -dot(from, edge.outward), dot(from, direction)});
      }
      depth += 0.5 * samples.back().depth;
    }
    const double ratio = depth_ratio(body, edge);
    if (!(ratio <= most_depth_ratio)) refuse(middle, "have depths in the ratio " + text_of(ratio));
    const double exponent = std::numbers::pi / (2.0 * std::numbers::pi - edge.angle);
    const double width = norm(b - a);
    DenseMatrix fit(samples.size(), coefficients);
    std::vector<double> weights;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Sample& s = samples[i];
      const double d = s.depth / depth, t = s.along / width, in = s.straight_in / depth,
                   straight = s.straight_along / width;
      fit(i, mean) = 1.0;
      fit(i, mean_slope) = straight;
      fit(i, mean_curve) = straight * straight;
      fit(i, jump) = 0.5 * s.side;
      fit(i, jump_slope) = 0.5 * s.side * t;
      fit(i, jump_curve) = 0.5 * s.side * t * t;
      fit(i, even) = std::copysign(std::pow(std::abs(in), 2.0 * exponent), in);
      fit(i, odd) = s.side * std::pow(d, exponent);
      weights.push_back(1.0 / (std::max(std::max(d, std::abs(in)), 0.3) * (1.0 + t * t)));
      for (std::size_t c = 0; c < coefficients; ++c) fit(i, c) *= weights[i];
    }
    // At a tip two strips do not determine curvatures; they are then zero.
    const DenseMatrix inverse = pseudo_inverse(fit, least_determined);
    std::map<std::int32_t, double> row;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::int32_t panel = samples[i].panel;
      row[around.origin(panel)] +=
          around.sign(panel) * weights[i] * (inverse(jump, i) + 2.0 * inverse(odd, i));
    }
    double amplification = 0.0;
    for (const auto& [panel, value] : row) amplification += std::abs(value);
    if (!(amplification <= most_amplification))
      refuse(middle, "amplify errors " + text_of(amplification) + " times");
    for (const auto& [panel, value] : row) {
      pattern->columns.push_back(panel);
      values.push_back(value);
    }
    pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  return {body.size() + edges.size(), std::move(pattern), std::move(values)};
}

}  // namespace rankine::bem
