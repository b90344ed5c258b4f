// Leaves that one thread sums together, so that pairs of points in two of them are evaluated once, for
// both of the points, while the sums of all lie in its cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

struct LeafGroups {
  std::vector<std::int32_t> leaves;  ///< in Morton order
  std::vector<std::int32_t> begin;   ///< group g is leaves begin[g] ... begin[g + 1] - 1
  /// Of every item of the near lists: true where it is another leaf of the same group that lists this one, too.
  std::vector<std::uint8_t> mutual;

  std::size_t count() const { return begin.empty() ? 0 : begin.size() - 1; }
  std::size_t bytes() const;
};

/// Groups of consecutive leaves, of points that are sources and targets at once. The same for any number of
/// threads.
LeafGroups leaf_groups(const Octree& tree, const std::vector<std::int32_t>& leaves,
                       const BoxLists& near);

}  // namespace rankine::fmm
