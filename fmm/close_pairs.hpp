// Pairs of points that are so close that positions relative to their boxes, in working precision,
// do not give their distance to the requested tolerance:
//
//   |r| <= n eps h / (2 tolerance)
//
// with eps of the working precision, h the larger of the boxes' edges, and n the highest power of
// 1/|r| among the requested terms.
//
// Pairs of leaves with such points are moved from the near lists to the close lists and summed in
// double from the caller's positions. So distances are accurate in any working precision and across
// box faces, and only pairs with equal coordinates are excluded as coincident.
#pragma once

#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {

/// The distance below which points of two leaves are close, in units of the root box edge: the
/// bound above plus 4e-7 h, the rounding error of positions and shifts in float, since a device
/// searches for pairs in float. For working precision float it is at least 1e-7: the inverse fifth
/// power of a smaller distance exceeds the range of float.
class CloseLimit {
 public:
  explicit CloseLimit(const Options& options);

  RANKINE_HD double operator()(const Box& target, const Box& source) const {
    const double a = box_edge(target), b = box_edge(source), limit = per_edge_ * (a > b ? a : b);
    return limit > least_ ? limit : least_;
  }

 private:
  double per_edge_, least_;
};

/// Moves pairs of leaves from plan.lists.near to plan.lists.close; for a direct sum, whose near
/// lists contain all leaves, it only lists them. `sources` and `targets` are local_sources() and
/// local_targets() of the plan, padded by a pack.
template <class T>
void separate_close(Plan& plan, const Points& points, const LocalPoints<T>& sources,
                    const LocalPoints<T>& targets);

/// The caller's positions in Morton order.
LocalPoints<double> caller_points(std::span<const Vec3d> points,
                                  std::span<const std::int32_t> order, int padding);

}  // namespace rankine::fmm
