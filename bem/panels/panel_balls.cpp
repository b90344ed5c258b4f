#include "rankine/bem/panels/panel_balls.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

constexpr int most_pieces = 64;

/// The box around the corners of a panel, along its longest edge.
struct LongBox {
  Vec3d begin;                        ///< of the axis
  Vec3d axis;                         ///< unit, along the edge
  double length = 0.0, around = 0.0;  ///< of the axis; largest distance of a corner from it, m

  explicit LongBox(const PanelShape<double>& shape) {
    for (int k = 0; k < shape.corners; ++k) {
      const Vec3d edge = shape.corner[(k + 1) % shape.corners] - shape.corner[k];
      if (norm(edge) <= length) continue;
      length = norm(edge);
      axis = edge / length;
    }
    Vec3d middle{};
    for (int k = 0; k < shape.corners; ++k) middle += shape.corner[k] / shape.corners;
    double lower = 0.0, upper = 0.0;
    for (int k = 0; k < shape.corners; ++k) {
      const Vec3d r = shape.corner[k] - middle;
      const double along = dot(r, axis);
      lower = std::min(lower, along);
      upper = std::max(upper, along);
      around = std::max(around, norm(r - along * axis));
    }
    begin = middle + lower * axis;
    length = upper - lower;
  }

  int pieces(double reach) const {
    if (length < fitted::long_panel * around) return 1;
    const double wanted = length / (fitted::longest_piece * (around + reach));
    return static_cast<int>(std::clamp(std::ceil(wanted), 1.0, double{most_pieces}));
  }
};

}  // namespace

NearBalls balls_around(const Panels& panels, std::span<const double> reach) {
  const std::size_t n = panels.size();
  NearBalls balls;
  AlignedVector<std::int32_t>& first = balls.first.changed();
  AlignedVector<Vec3d>& centre = balls.centre.changed();
  AlignedVector<double>& radius = balls.radius.changed();
  first.assign(n + 1, 0);
  parallel_for(n, [&](std::size_t j) { first[j + 1] = LongBox(panels.shape[j]).pieces(reach[j]); });
  for (std::size_t j = 0; j < n; ++j) first[j + 1] += first[j];
  centre.resize(static_cast<std::size_t>(first.back()));
  radius.resize(centre.size());
  parallel_for(n, [&](std::size_t j) {
    const auto begin = static_cast<std::size_t>(first[j]),
               end = static_cast<std::size_t>(first[j + 1]);
    if (end == begin + 1) {
      centre[begin] = panels.centroid[j];
      radius[begin] = panels.radius[j] + reach[j];
      return;
    }
    const LongBox box(panels.shape[j]);
    const double piece = box.length / static_cast<double>(end - begin);
    for (std::size_t k = begin; k < end; ++k) {
      centre[k] = box.begin + (static_cast<double>(k - begin) + 0.5) * piece * box.axis;
      radius[k] = std::hypot(0.5 * piece, box.around) + reach[j];
    }
  });
  return balls;
}

PanelReach::PanelReach(const Panels& panels, std::vector<double> reach)
    : panels_(panels),
      reach_(std::move(reach)),
      balls_(balls_around(panels, reach_)),
      search_(balls_) {}

}  // namespace rankine::bem
