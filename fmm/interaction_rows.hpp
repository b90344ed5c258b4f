// The lists of one box from the colleagues of its parent, on host and device. interaction_lists.cpp
// and the builder for devices find colleagues level by level, then the lists of all boxes.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/fmm/interaction_lists.hpp"

namespace rankine::fmm {

/// Visits the boxes below the divided box c, which is adjacent to leaf b. Calls near(i) for
/// adjacent leaves and multipole(i) for separated boxes. If a separated box has few sources, and
/// all of them are in this process, it calls near(i) for the leaves of that box instead.
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

// Colleagues of a box are the boxes of its level, or larger leaves, that have sources and are
// adjacent to it; at most 27. Every colleague of the parent has eight places, for its children; a
// leaf has only the first, for itself.

inline constexpr int places_of_colleague = 8, most_colleagues = 27;

RANKINE_HD inline int place_count(const RowPointers& of_parent) {
  return static_cast<int>(of_parent.last - of_parent.first) * places_of_colleague;
}

/// The box with sources at a place; -1 if there is none.
RANKINE_HD inline std::int32_t box_at(const Box* boxes, const RowPointers& of_parent, int place) {
  const std::int32_t p = of_parent.first[place / places_of_colleague];
  const int child = place % places_of_colleague;
  if (boxes[p].is_leaf()) return child == 0 ? p : -1;
  if (child >= boxes[p].child_count) return -1;
  const std::int32_t i = boxes[p].first_child + child;
  return boxes[i].source_count() > 0 ? i : -1;
}

/// The colleague at a place; -1 if there is none, or if box `index` has no targets.
RANKINE_HD inline std::int32_t colleague_at(const Box* boxes, std::int32_t index,
                                            const RowPointers& of_parent, int place) {
  if (boxes[index].target_count() == 0) return -1;
  const std::int32_t i = box_at(boxes, of_parent, place);
  return i >= 0 && adjacent(boxes[index], boxes[i]) ? i : -1;
}

/// Calls lists.near/far/multipole/local(i) for every box i on the lists of box `index`.
/// `colleagues(a)` gives the RowPointers of an ancestor. The calls may be divided into `parts`
/// parts, of which this function makes `part`. Parts 0 to `parts` - 1 in order make all calls.
template <class Colleagues, class Lists>
RANKINE_HD inline void visit_lists(const Box* boxes, const ListRules& rules, std::int32_t index,
                                   const Colleagues& colleagues, Lists& lists, int part = 0,
                                   int parts = 1) {
  const Box& b = boxes[index];
  if (b.target_count() == 0) return;
  if (b.parent < 0) {
    if (part == 0 && b.is_leaf() && b.source_count() > 0) lists.near(index);
    return;
  }
  const bool sparse = b.target_count() <= rules.few_targets;
  const RowPointers of_parent = colleagues(b.parent);
  const int places = place_count(of_parent);
  for (int place = places * part / parts; place < places * (part + 1) / parts; ++place) {
    const std::int32_t i = box_at(boxes, of_parent, place);
    if (i < 0) continue;
    const Box& c = boxes[i];
    if (adjacent(b, c)) {
      if (b.is_leaf() && c.is_leaf()) lists.near(i);
      if (b.is_leaf() && !c.is_leaf()) descend(boxes, rules.few_sources, b, c, lists);
    } else if (c.level == b.level) {
      lists.far(i);
    } else if (!sparse) {
      lists.local(i);
    } else if (b.is_leaf()) {
      lists.near(i);
    }
  }
  if (!b.is_leaf() || part + 1 < parts) return;
  // Every leaf below a sparse box sums the larger separated leaves of this box directly.
  for (std::int32_t a = b.parent;
       boxes[a].parent >= 0 && boxes[a].target_count() <= rules.few_targets; a = boxes[a].parent) {
    const RowPointers around = colleagues(boxes[a].parent);
    for (const std::int32_t* i = around.first; i != around.last; ++i) {
      if (boxes[*i].is_leaf() && !adjacent(boxes[a], boxes[*i])) lists.near(*i);
    }
  }
}

}  // namespace rankine::fmm
