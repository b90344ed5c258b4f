// Far-field pairs of boxes, from which pairs of points are drawn (fmm/truncation.hpp), with their
// likely errors.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/fmm/box_sums.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/pair_series.hpp"

namespace rankine::fmm {

struct FarCandidate {
  FarPair far;
  /// Likely squared errors of the potential, the gradient and the second derivatives.
  double weight[most_derivatives + 1];
  double stands_for;  ///< number of boxes that its box represents
};

/// The square of an error proportional to ratio^order.
double square_falling(double ratio, int order);

/// The order used for the relative position of the boxes if expansions have the order `order`.
int order_used(const Octree& tree, const FarPair& far, int order);

/// The far pairs of at most `most_boxes` boxes with targets, from all levels. Likely errors are
/// those of expansions of the order `order`.
std::vector<FarCandidate> far_candidates(const Octree& tree, Method method, int direct_threshold,
                                         int order, std::size_t most_boxes);

}  // namespace rankine::fmm
