// The counts from which the leaf capacity of a tree is chosen (fmm/tuning.hpp), for all capacities
// at once, added up over the boxes of a tree on the host or on a device.
//
// Capacities up to 128 are tabulated one by one, above that 64 per octave, to limit the number of
// sums per thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

/// Integers, so that sums do not depend on the order of boxes.
struct LeafSums {
  std::int64_t boxes = 0, leaves = 0;
  std::int64_t own_pairs = 0;      ///< as in TreeCounts
  std::int64_t sibling_pairs = 0;  ///< as in TreeCounts

  void add(const LeafSums& other, int sign) {
    boxes += sign * other.boxes;
    leaves += sign * other.leaves;
    own_pairs += sign * other.own_pairs;
    sibling_pairs += sign * other.sibling_pairs;
  }
};

/// Index of the largest tabulated leaf capacity <= `capacity`.
RANKINE_HD inline int capacity_number(int capacity) {
  int dropped = 0;
  while (capacity >> dropped > 127) ++dropped;
  return 64 * dropped + (capacity >> dropped);
}

/// Index of the smallest tabulated leaf capacity >= `capacity`.
RANKINE_HD inline int number_from(int capacity) {
  return capacity == 0 ? 0 : capacity_number(capacity - 1) + 1;
}

/// The boxes of a tree, which are counted in trees with leaves of up to `most` points.
struct CountedBoxes {
  const Box* boxes;
  int most;
  double children;  ///< of a box that has several, on average

  /// Number of tabulated capacities, and the index of one that is too large.
  RANKINE_HD int end() const { return number_from(most + 1); }
  /// Index of the smallest tabulated capacity for which the box is a leaf.
  RANKINE_HD int leaf_from(const Box& box) const {
    const int points =
        box.source_count() > box.target_count() ? box.source_count() : box.target_count();
    return number_from(points <= most ? points : most + 1);
  }

  /// Calls add(first, end, sums) for ranges of tabulated capacities to which box `b` adds `sums`.
  /// It exists for capacities below the size of its parent, and is a leaf for capacities of at
  /// least its own size.
  template <class Add>
  RANKINE_HD void visit(std::int64_t b, const Add& add) const {
    const Box& box = boxes[b];
    const int last = box.parent < 0 ? end() : leaf_from(boxes[box.parent]);
    add(0, last, LeafSums{.boxes = 1});
    const int first = box.is_leaf() ? 0 : leaf_from(box);
    if (first < last) add(first, last, LeafSums{.leaves = 1, .own_pairs = pairs(box, box)});
    visit_siblings(box, add);
  }

 private:
  RANKINE_HD static std::int64_t pairs(const Box& targets, const Box& sources) {
    return std::int64_t{targets.target_count()} * sources.source_count();
  }

  /// For capacities between the sizes of two children, one of them is a leaf and the other one is
  /// divided.
  template <class Add>
  RANKINE_HD void visit_siblings(const Box& parent, const Add& add) const {
    const Box* const child = boxes + parent.first_child;
    int from[8];
    for (int k = 0; k < parent.child_count; ++k) from[k] = leaf_from(child[k]);
    for (int divided = 0; divided < parent.child_count; ++divided) {
      if (child[divided].is_leaf()) continue;
      const auto of_leaves = static_cast<std::int64_t>(
          static_cast<double>(pairs(child[divided], child[divided])) / children);
      for (int leaf = 0; leaf < parent.child_count; ++leaf) {
        const int first = child[leaf].is_leaf() ? 0 : from[leaf];
        if (first >= from[divided]) continue;
        const std::int64_t more = pairs(child[leaf], child[divided]) +
                                  pairs(child[divided], child[leaf]) -
                                  pairs(child[leaf], child[leaf]) - of_leaves;
        if (more > 0) add(first, from[divided], LeafSums{.sibling_pairs = more});
      }
    }
  }
};

}  // namespace rankine::fmm
