// Interaction lists of the adaptive FMM [CGR88, CGR99].
//
// For a target box b, with "adjacent" meaning that the closed cubes touch:
//
//   near      (U, P2P)  b leaf; leaves c adjacent to b (of any size, b included)
//   far       (V, M2L)  children c of boxes adjacent to b's parent, on b's level, not adjacent to b
//   multipole (W, M2P)  b leaf; smaller boxes c not adjacent to b whose parent is adjacent to b
//   local     (X, P2L)  larger leaves c adjacent to b's parent, not adjacent to b
//
// Only boxes b with targets and boxes c with sources appear. Together, the lists of a leaf and of
// its ancestors cover every source exactly once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Row-compressed lists of boxes: row b is items[begin[b] .. begin[b + 1]); all rows are empty if
/// `begin` is empty.
struct BoxLists {
  std::vector<std::int64_t> begin;
  AlignedVector<std::int32_t> items;

  std::span<const std::int32_t> row(std::int32_t b) const {
    if (begin.empty()) return {};
    return {items.data() + begin[b], static_cast<std::size_t>(begin[b + 1] - begin[b])};
  }
};

struct InteractionLists {
  BoxLists near;       ///< U, one row per box, empty unless a leaf with targets
  BoxLists far;        ///< V, one row per box
  BoxLists multipole;  ///< W, one row per box, empty unless a leaf with targets
  BoxLists local;      ///< X, one row per box
  /// The items that fmm/close_pairs.hpp removes from U, one row per box; empty if there are none.
  BoxLists close;
};

/// True if the closed cubes of the boxes touch.
RANKINE_HD inline bool adjacent(const Box& a, const Box& b) {
  if (a.level == b.level) {  // unsigned differences of 0, 1 and -1
    return a.x - b.x + 1 <= 2 && a.y - b.y + 1 <= 2 && a.z - b.z + 1 <= 2;
  }
  const Box& coarse = a.level <= b.level ? a : b;
  const Box& fine = a.level <= b.level ? b : a;
  const int shift = fine.level - coarse.level;
  const std::int64_t size = std::int64_t{1} << shift;
  const std::uint32_t low[3] = {coarse.x, coarse.y, coarse.z};
  const std::uint32_t at[3] = {fine.x, fine.y, fine.z};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t begin = static_cast<std::int64_t>(low[axis]) << shift;
    const std::int64_t position = at[axis];
    if (position < begin - 1 || position > begin + size) return false;
  }
  return true;
}

/// Boxes with at most this number of sources (W) or targets (X) are summed directly instead of by
/// M2P or P2L. Direct sums are exact, and faster for few points. Their leaves are then in the near
/// lists.
struct ListRules {
  int few_sources = 0, few_targets = 0;
};

/// A treecode has no local expansions: far boxes (V) are evaluated at the targets by M2P, and there
/// is no P2L.
ListRules list_rules(Method method, int direct_threshold);

InteractionLists build_interaction_lists(const Octree& tree, const ListRules& rules = {});

}  // namespace rankine::fmm
