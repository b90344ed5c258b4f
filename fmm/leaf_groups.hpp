// Leaves that one thread sums together, for points that are sources and targets at once: a pair of points in
// two leaves that list each other is evaluated once, with the earlier leaf, for both. What a group does to leaves
// beyond its end waits in a halo until these are added up, so that sums have one order on any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

/// True where pairs of points in different leaves may be summed once, for both of them: of charges, without second
/// derivatives, and one right-hand side.
inline bool mutual_pairs(const Options& options, bool shared_points) {
  return shared_points && options.method != Method::direct && !is_vortex(options.kernel) &&
         options.rhs == 1 && !options.dipoles && !options.hessian;
}

struct LeafGroups {
  /// What `place` says of leaves that have no place: their sources are to be summed, or were with the other leaf.
  static constexpr std::int32_t one_way = -1, summed = -2;

  std::vector<std::int32_t> leaves;  ///< in Morton order
  std::vector<std::int32_t> begin;   ///< group g is leaves begin[g] ... begin[g + 1] - 1
  /// Of every item of the near lists: where sums of its points begin, where pairs with it are summed for both.
  /// The points of the group come first, then those of its halo.
  AlignedVector<std::int32_t> place;
  /// Points of the halos of the groups before, of every group and in all.
  std::vector<std::int64_t> halo_begin;

  /// A part of a group's halo: sums for one leaf.
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

/// Groups of consecutive leaves, of points that are sources and targets at once.
LeafGroups leaf_groups(const Octree& tree, const std::vector<std::int32_t>& leaves,
                       const BoxLists& near);

}  // namespace rankine::fmm
