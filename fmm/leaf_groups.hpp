// Groups of leaves that one thread sums together, for points that are both sources and targets. If
// two leaves are on each other's lists, each pair of their points is evaluated once, with the
// earlier leaf, for both points. Sums for leaves outside the group are stored in a halo, which is
// added later in a fixed order, so results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

/// True if pairs of points in different leaves may be evaluated once for both points: charges, one
/// right-hand side, no second derivatives.
inline bool mutual_pairs(const Options& options, bool shared_points) {
  return shared_points && options.method != Method::direct && !is_vortex(options.kernel) &&
         options.rhs == 1 && !options.dipoles && !options.hessian;
}

struct LeafGroups {
  /// Values of `place` for pairs of leaves without a halo slot: `one_way`, sum this pair in this
  /// direction only; `summed`, already summed with the other leaf.
  static constexpr std::int32_t one_way = -1, summed = -2;

  std::vector<std::int32_t> leaves;  ///< in Morton order
  std::vector<std::int32_t> begin;   ///< group g is leaves begin[g] ... begin[g + 1] - 1
  /// Per item of the near lists: `one_way`, `summed`, or where the sums of its second leaf are
  /// stored. Sums of points of the group come first, then those of its halo.
  AlignedVector<std::int32_t> place;
  /// Number of halo points of all groups before each group; the last entry is the total.
  std::vector<std::int64_t> halo_begin;

  /// The part of a group's halo with the sums for one leaf.
  struct Arrival {
    std::int32_t group;
    std::int32_t at;  ///< among the halo's points
  };
  std::vector<std::int32_t> arrival_begin;  ///< by position in `leaves`
  std::vector<Arrival> arrivals;

  std::size_t count() const { return begin.empty() ? 0 : begin.size() - 1; }
  std::span<const std::int32_t> group(std::size_t g) const {
    return std::span(leaves).subspan(begin[g], begin[g + 1] - begin[g]);
  }
  std::span<const Arrival> arrivals_of(std::size_t leaf) const {
    return std::span(arrivals).subspan(arrival_begin[leaf],
                                       arrival_begin[leaf + 1] - arrival_begin[leaf]);
  }
  std::int64_t halo_points(std::size_t g) const { return halo_begin[g + 1] - halo_begin[g]; }
  std::size_t bytes() const;
};

/// Groups of consecutive leaves, for points that are both sources and targets.
LeafGroups leaf_groups(const Octree& tree, const std::vector<std::int32_t>& leaves,
                       const BoxLists& near);

}  // namespace rankine::fmm
