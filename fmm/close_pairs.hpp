// Pairs of points so close that positions relative to their boxes, in working precision, do not
// give their distance to the tolerance asked for:
//
//   |r| <= n eps h / (2 tolerance)
//
// with eps of the working precision, h the larger of the boxes' edges, and n the highest power of
// 1/|r| among the terms wanted.
//
// Pairs of leaves with such points are moved from the near lists to the close lists and summed in
// double from the caller's positions. So every distance that double resolves is exact, in any
// precision and across faces of boxes, and a pair excluded as coincident has equal coordinates.
#pragma once

#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {

/// The distance up to which points of two leaves are close, in edges of the root box: the bound
/// above plus 4e-7 h, the rounding error of positions and their shift in float, in which a device
/// searches for pairs. In float at least 1e-7: the fifth power of the inverse of a smaller distance
/// exceeds the range of float.
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

/// Moves pairs of leaves from plan.lists.near to plan.lists.close; of a direct sum, whose near
/// lists are all leaves, it only lists them. `sources` and `targets` are those of the plan, as
/// local_sources and local_targets give them, padded by a pack.
template <class T>
void separate_close(Plan& plan, const Points& points, const LocalPoints<T>& sources,
                    const LocalPoints<T>& targets);

/// Points in Morton order as the caller gave them.
LocalPoints<double> caller_points(std::span<const Vec3d> points,
                                  std::span<const std::int32_t> order, int padding);

}  // namespace rankine::fmm
