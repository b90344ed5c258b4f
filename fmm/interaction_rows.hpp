// The lists of one box from those of its parent, for host and device: what interaction_lists.cpp
// and the device's builder run for every box, level by level.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "rankine/fmm/interaction_lists.hpp"

namespace rankine::fmm {

/// Visits the boxes below the divided box c that is adjacent to leaf b: near(i) for adjacent
/// leaves, multipole(i) for separated boxes,
/// or near(i) for their leaves where they hold few sources.
template <class Lists>
RANKINE_HD inline void descend(const Box* boxes, int direct_threshold, const Box& b, const Box& c,
                               Lists& lists) {
  struct Siblings {
    std::int32_t next, end;
    bool direct;  ///< separated from b, but summed directly
  };
  Siblings stack[max_level + 1];
  int depth = 0;
  stack[0] = {c.first_child, c.first_child + c.child_count, false};
  while (depth >= 0) {
    Siblings& at = stack[depth];
    if (at.next == at.end) {
      --depth;
      continue;
    }
    const std::int32_t i = at.next++;
    const Box& box = boxes[i];
    if (box.source_count() == 0) continue;
    const bool separated = at.direct || !adjacent(b, box);
    if (separated && !at.direct && box.source_count() > direct_threshold) {
      lists.multipole(i);
    } else if (box.is_leaf()) {
      lists.near(i);
    } else {
      stack[++depth] = {box.first_child, box.first_child + box.child_count, separated};
    }
  }
}

/// A row of a list.
struct RowPointers {
  const std::int32_t *first, *last;
};

inline RowPointers row_pointers(std::span<const std::int32_t> row) {
  return {row.data(), row.data() + row.size()};
}

/// Calls lists.colleague/near/far/multipole/local/deferred(i) for every box i on the lists of box
/// `index`, which is not the root. Colleagues are the boxes of its level, or larger leaves,
/// adjacent to it; deferred are larger separated leaves that every leaf below a sparse box sums
/// directly. `colleagues` is the parent's row;
/// `deferred_row(a)` gives the RowPointers of an ancestor.
template <class DeferredRow, class Lists>
RANKINE_HD inline void visit_lists(const Box* boxes, int direct_threshold, std::int32_t index,
                                   const std::int32_t* colleagues, std::int64_t colleague_count,
                                   const DeferredRow& deferred_row, Lists& lists) {
  const Box& b = boxes[index];
  if (b.target_count() == 0) return;
  const bool sparse = b.target_count() <= direct_threshold;
  const auto add_colleague = [&](std::int32_t i) {
    lists.colleague(i);
    if (!b.is_leaf()) return;
    if (boxes[i].is_leaf()) {
      lists.near(i);
    } else {
      descend(boxes, direct_threshold, b, boxes[i], lists);
    }
  };
  for (std::int64_t k = 0; k < colleague_count; ++k) {
    const std::int32_t p = colleagues[k];
    const Box& c = boxes[p];
    if (!c.is_leaf()) {
      for (std::int32_t i = c.first_child; i < c.first_child + c.child_count; ++i) {
        if (boxes[i].source_count() == 0) continue;
        if (adjacent(b, boxes[i])) {
          add_colleague(i);
        } else {
          lists.far(i);
        }
      }
    } else if (adjacent(b, c)) {
      add_colleague(p);
    } else if (sparse) {
      lists.deferred(p);
      if (b.is_leaf()) lists.near(p);
    } else {
      lists.local(p);
    }
  }
  if (!b.is_leaf()) return;
  for (std::int32_t a = b.parent; a >= 0 && boxes[a].target_count() <= direct_threshold;
       a = boxes[a].parent) {
    const auto row = deferred_row(a);
    for (const std::int32_t* i = row.first; i != row.last; ++i) lists.near(*i);
  }
}

/// The same for the root, which is its own colleague.
template <class Lists>
RANKINE_HD inline void visit_root(const Box& root, Lists& lists) {
  if (root.source_count() == 0 || root.target_count() == 0) return;
  lists.colleague(0);
  if (root.is_leaf()) lists.near(0);
}

/// True where a treecode may evaluate the multipole expansion of `source` at leaf `target`: it is at
/// least its own edge away, as on the W list.
RANKINE_HD inline bool separated(const Box& target, const Box& source) {
  if (source.level >= target.level) return !adjacent(target, source);
  const double h = box_edge(source), g = box_edge(target);
  const Vec3d r = box_shift(target, source);
  double gap = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double apart = std::abs(r[axis]);
    if (apart > gap) gap = apart;
  }
  return gap - 0.5 * (h + g) >= h * (1.0 - 1e-12);
}

/// Calls lists.near(i) for every leaf i and lists.multipole(i) for every other box on a treecode's
/// lists of leaf `target`.
template <class Lists>
RANKINE_HD inline void visit_treecode(const Box* boxes, const Box& target, Lists& lists) {
  struct Siblings {
    std::int32_t next, end;
  };
  Siblings stack[max_level + 1];
  int depth = 0;
  stack[0] = {0, 1};
  while (depth >= 0) {
    Siblings& at = stack[depth];
    if (at.next == at.end) {
      --depth;
      continue;
    }
    const std::int32_t i = at.next++;
    const Box& box = boxes[i];
    if (box.source_count() == 0) continue;
    if (separated(target, box)) {
      lists.multipole(i);
    } else if (box.is_leaf()) {
      lists.near(i);
    } else {
      stack[++depth] = {box.first_child, box.first_child + box.child_count};
    }
  }
}

}  // namespace rankine::fmm
