// How many points there are around a place, roughly and fast: points sorted along a Morton curve, whose
// cells are runs of them, twice as wide as the ball that is asked about or more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

class PointCounts {
 public:
  PointCounts() = default;
  /// Point i stands for weights[i] of them.
  PointCounts(std::span<const Vec3d> points, std::span<const double> weights);

  /// About how many points of a surface a ball holds: of every cell that the cube around the ball
  /// meets the share of a plane in it, the power 2/3 of that of its volume.
  double in_ball(const Vec3d& centre, double radius) const;

 private:
  double between(std::uint64_t first, std::uint64_t end) const;

  Vec3d corner_{};
  double side_ = 1.0;
  AlignedVector<std::uint64_t> keys_;
  std::vector<double> weight_before_{0.0};  ///< points + 1, in the order of the keys
};

}  // namespace rankine::bem
