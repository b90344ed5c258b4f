// An estimate of the truncation error of expansions for given points, from a random sample of
// far-field pairs, before any list is built.
//
// For strengths of random sign and unit mean square, the mean squares of the error of the sum at x
// and of the sum itself are
//
//   sum_j e_p(x, y_j)^2 ,   sum_j k(x, y_j)^2
//
// with k the kernel or a derivative of it, and e_p the error of expansions of order p for a unit
// strength at y_j; dipoles have random directions. The quotient is averaged over the targets. For
// the first sum, pairs of points are drawn from the lists of some boxes of every level, with
// probabilities proportional to their likely errors. The second sum has all near sources and one
// random source of every far box. e_p is computed for all orders at once from the series
// (fmm/pair_series.hpp).
#pragma once

#include <array>
#include <vector>

#include "rankine/fmm/box_sums.hpp"
#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/fmm/morton_points.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/pair_series.hpp"

namespace rankine::fmm {

class TruncationSample {
 public:
  /// For orders up to `most_order`. `direct_threshold` is that of the lists. Probabilities of pairs
  /// are proportional to their likely errors at `likely_order`. The result does not depend on the
  /// number of threads or of `processes`, which divide the pairs of points if all of them make the
  /// same sample. Null: this process measures all pairs.
  TruncationSample(const Octree& tree, const MortonPoints& points, const Options& options,
                   int direct_threshold, int likely_order, int most_order,
                   Communicator* processes = nullptr);

  /// True if there is no far-field pair.
  bool empty() const { return entries_.empty(); }

  /// The root mean square over the targets of the relative error of expansions of `order`, with M2L
  /// and M2P of orders_of(order): the largest over the results and strengths of the options.
  double relative_error(int order) const;

 private:
  struct Entry {
    FarPair::Kind kind;
    int offset;                 ///< offset_index of boxes of the same level, otherwise -1
    std::vector<double> error;  ///< weighted squares for orders 0 ... most_order, for each kind
  };
  class Sampler;

  /// Mean squares of the relative errors, with the standard error of the sample added.
  std::array<double, pair_kinds> mean_squares(int order) const;

  int most_order_;
  bool wanted_[pair_kinds] = {};
  std::vector<Entry> entries_;
};

}  // namespace rankine::fmm
