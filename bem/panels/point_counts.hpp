// A fast estimate of the number of points around a position. Points are sorted along a Morton
// curve, whose cells are runs of points; the cells used are at least twice as wide as the ball.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

class PointCounts {
 public:
  PointCounts() = default;
  /// Point i represents weights[i] points.
  PointCounts(std::span<const Vec3d> points, std::span<const double> weights);

  /// Estimated number of points of a surface in a ball. Every cell that intersects the cube around
  /// the ball contributes its points times the 2/3 power of the fraction of its volume, as for a
  /// plane.
  double in_ball(const Vec3d& centre, double radius) const;

 private:
  double between(std::uint64_t first, std::uint64_t end) const;

  Vec3d corner_{};
  double side_ = 1.0;
  AlignedVector<std::uint64_t> keys_;
  std::vector<double> weight_before_{0.0};  ///< points + 1, in the order of the keys
};

}  // namespace rankine::bem
