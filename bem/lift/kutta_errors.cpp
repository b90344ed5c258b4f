#include "rankine/bem/lift/kutta_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "rankine/bem/dense_matrix.hpp"
#include "rankine/bem/lift/edge_section.hpp"
#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

struct SurfaceSpeed {
  double depth, speed;  ///< depth in front of the edge; velocity along the surface, normal to the
                        ///< edge
};

/// The samples on one side of an edge, by increasing depth. `along`: its direction.
std::vector<SurfaceSpeed> speeds_on(const PanelNeighbourhood& around, const EdgeSegment& edge,
                                    const Vec3d& middle, const Vec3d& along, bool upper,
                                    std::span<const Vec3d> velocity) {
  std::vector<SurfaceSpeed> samples;
  for (const SectionPanel& each : section_side(around, edge, middle, upper)) {
    Vec3d out = cross(along, around.normal(each.panel));
    out = std::copysign(1.0, dot(out, edge.outward)) / norm(out) * out;
    samples.push_back({each.depth, dot(velocity[static_cast<std::size_t>(each.panel)], out)});
  }
  return samples;
}

constexpr int fit_terms = 4;

/// The four terms of the velocity at a point, and the velocity there.
struct FitRow {
  double depth;  ///< relative to the chord
  std::array<double, fit_terms + 1> values;
};

/// 2 k D^a/a. k is fitted on the range of depths with its smallest standard error, and reduced by
/// that error, because the mean of the fitted k^2 is k^2 plus its variance.
double kutta_error(const std::array<std::vector<SurfaceSpeed>, 2>& sides, double angle) {
  constexpr double most = 0.1;       // of the chord
  constexpr std::size_t fewest = 3;  // panels on each side
  const double a = pi / (2.0 * pi - angle);
  const double chord = std::max(sides[0].back().depth, sides[1].back().depth),
               depth = 0.5 * (sides[0].front().depth + sides[1].front().depth),
               of_k = 2.0 / a * chord * std::pow(depth / chord, a);
  double least = 0.0, error = 0.0;
  std::vector<FitRow> rows;
  for (const std::size_t side : {0, 1}) {
    if (sides[side].size() < fewest) return 0.0;
    least = std::max(least, sides[side][fewest - 1].depth / chord);
    const double sign = side == 0 ? 1.0 : -1.0;
    for (const SurfaceSpeed& sample : sides[side]) {
      const double d = sample.depth / chord;
      // Weighted by d^(1-a), so that k has the same effect at all depths.
      rows.push_back({d,
                      {sign, std::pow(d, a), sign * std::pow(d, 2.0 * a), std::pow(d, 3.0 * a),
                       std::pow(d, 1.0 - a) * sample.speed}});
    }
  }
  std::sort(rows.begin(), rows.end(),
            [](const FitRow& x, const FitRow& y) { return x.depth < y.depth; });
  double sums[fit_terms + 1][fit_terms + 1] = {};
  double best = std::numeric_limits<double>::infinity(), count = 0.0;
  for (const FitRow& each : rows) {
    if (each.depth > std::max(least, most)) break;
    for (int i = 0; i <= fit_terms; ++i) {
      for (int j = 0; j <= fit_terms; ++j) sums[i][j] += each.values[i] * each.values[j];
    }
    ++count;
    if (each.depth < least) continue;
    const SmallCholesky<fit_terms, double> factors([&](int i, int j) { return sums[i][j]; });
    if (!factors.is_regular(0.0)) continue;
    double found[fit_terms], first[fit_terms] = {1.0};
    std::copy_n(sums[fit_terms], fit_terms, found);
    factors.solve(found);
    factors.solve(first);
    const double fitted = std::inner_product(found, found + fit_terms, sums[fit_terms], 0.0);
    const double misfit2 = std::max(sums[fit_terms][fit_terms] - fitted, 0.0),
                 variance = misfit2 / (count - fit_terms) * first[0];
    if (!(variance < best)) continue;
    best = variance;
    error =
        std::copysign(of_k * std::sqrt(std::max(found[0] * found[0] - variance, 0.0)), found[0]);
  }
  return error;
}

}  // namespace

std::vector<double> kutta_errors(const Panels& body, const LiftingEdges& edges,
                                 std::span<const Vec3d> velocity) {
  const PanelNeighbourhood around(body);
  std::vector<double> errors(edges.segments.size());
  parallel_for(errors.size(), [&](std::size_t s) {
    const EdgeSegment& edge = edges.segments[s];
    const Vec3d a = corner_at(body, edge.upper, edge.first),
                b = corner_at(body, edge.upper, edge.second);
    const auto side = [&](bool upper) {
      return speeds_on(around, edge, edges.sources.point[s], (b - a) / norm(b - a), upper,
                       velocity);
    };
    errors[s] = kutta_error({side(true), side(false)}, edge.angle);
  });
  return errors;
}

}  // namespace rankine::bem
