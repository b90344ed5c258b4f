// What truncated expansions err by for the points at hand, estimated before any list is built from a
// random sample of pairs that expansions serve.
//
// For strengths of random sign and unit mean square, the mean squares of the error of the sum at x
// and of the sum itself are
//
//   sum_j e_p(x, y_j)^2 ,   sum_j k(x, y_j)^2
//
// with k the kernel, or a derivative of it, and e_p what expansions of order p err by for a unit
// strength at y_j, dipoles in any direction. Their quotient is averaged over the targets: from pairs
// of points that are drawn from the lists of some boxes of every level, in proportion to what they
// are likely to err by. The second sum takes near sources one by one and every far box by one source
// drawn from it. e_p is found for all orders at once from the series (fmm/pair_series.hpp).
#pragma once

#include <array>
#include <vector>

#include "rankine/fmm/box_sums.hpp"
#include "rankine/fmm/morton_points.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/pair_series.hpp"

namespace rankine::fmm {

class TruncationSample {
 public:
  /// Orders up to `most_order` can be asked about. `direct_threshold` is that of the lists;
  /// `likely_order` tells where errors are looked for. The result is the same for any number of
  /// threads.
  TruncationSample(const Octree& tree, const MortonPoints& points, const Options& options,
                   int direct_threshold, int likely_order, int most_order);

  /// True where no expansion serves a target that was drawn.
  bool empty() const { return entries_.empty(); }

  /// The root mean square over the targets of the relative error, with expansions of `order`, M2L and
  /// M2P of orders_of(order): the worst of the results and strengths that the options name.
  double relative_error(int order) const;

 private:
  struct Entry {
    Served::Kind kind;
    int offset;                 ///< offset_index of boxes of one level, else -1
    std::vector<double> error;  ///< weighted squares of orders 0 ... most_order, for each kind
  };
  class Sampler;

  /// Of relative errors.
  std::array<double, pair_kinds> mean_squares(int order) const;

  int most_order_;
  bool wanted_[pair_kinds] = {};
  std::vector<Entry> entries_;
};

}  // namespace rankine::fmm
