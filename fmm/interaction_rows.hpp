// The lists of one box from those of its parent, on host and device. interaction_lists.cpp and the
// builder for devices call this for every box, level by level.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/fmm/interaction_lists.hpp"

namespace rankine::fmm {

/// Visits the boxes below the divided box c, which is adjacent to leaf b. Calls near(i) for
/// adjacent leaves and multipole(i) for separated boxes; for separated boxes with few sources, all
/// in this process, near(i) for their leaves.
template <class Lists>
RANKINE_HD inline void descend(const Box* boxes, int few_sources, const Box& b, const Box& c,
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
    if (separated && !at.direct &&
        (box.source_count() > few_sources || box.holder != Holder::here)) {
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
/// directly. `colleagues` is the parent's row; `deferred_row(a)` gives the RowPointers of an
/// ancestor. The calls may be divided into `parts`; those of parts 0 to `parts` - 1 in order are
/// all calls.
template <class DeferredRow, class Lists>
RANKINE_HD inline void visit_lists(const Box* boxes, const ListRules& rules, std::int32_t index,
                                   const RowPointers& colleagues, const DeferredRow& deferred_row,
                                   Lists& lists, int part = 0, int parts = 1) {
  const Box& b = boxes[index];
  if (b.target_count() == 0) return;
  const bool sparse = b.target_count() <= rules.few_targets;
  const auto add_colleague = [&](std::int32_t i) {
    lists.colleague(i);
    if (!b.is_leaf()) return;
    if (boxes[i].is_leaf()) {
      lists.near(i);
    } else {
      descend(boxes, rules.few_sources, b, boxes[i], lists);
    }
  };
  // Every colleague of the parent has eight places, for its children.
  constexpr int places = 8;
  const auto all = static_cast<int>(colleagues.last - colleagues.first) * places;
  const int begin = all * part / parts, end = all * (part + 1) / parts;
  for (int k = begin / places; k * places < end; ++k) {
    const int first = begin > k * places ? begin - k * places : 0, last = end - k * places;
    const std::int32_t p = colleagues.first[k];
    const Box& c = boxes[p];
    if (!c.is_leaf()) {
      const int until = last < c.child_count ? last : c.child_count;
      for (std::int32_t i = c.first_child + first; i < c.first_child + until; ++i) {
        if (boxes[i].source_count() == 0) continue;
        if (adjacent(b, boxes[i])) {
          add_colleague(i);
        } else {
          lists.far(i);
        }
      }
    } else if (first > 0) {
      continue;  // a leaf has only its first place
    } else if (adjacent(b, c)) {
      add_colleague(p);
    } else if (sparse) {
      lists.deferred(p);
      if (b.is_leaf()) lists.near(p);
    } else {
      lists.local(p);
    }
  }
  if (!b.is_leaf() || part + 1 < parts) return;
  for (std::int32_t a = b.parent; a >= 0 && boxes[a].target_count() <= rules.few_targets;
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

}  // namespace rankine::fmm
