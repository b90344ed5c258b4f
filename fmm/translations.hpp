// The translations that an octree needs, box by box.
#pragma once

#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/octree.hpp"

namespace rankine::fmm {

/// Calls visit(source, dx, dy, dz) for every M2L to box `target`, the offset being target minus
/// source in edges of the boxes.
template <class Visit>
void visit_m2l(const Octree& tree, const BoxLists& far, std::int32_t target, Visit&& visit) {
  const Box& to = tree.boxes[target];
  const auto difference = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) - static_cast<std::int32_t>(b);
  };
  for (const std::int32_t source : far.row(target)) {
    const Box& from = tree.boxes[source];
    visit(source, difference(to.x, from.x), difference(to.y, from.y), difference(to.z, from.z));
  }
}

/// Calls visit(child, octant) for every M2M to box `parent`: from its children with sources.
template <class Visit>
void visit_m2m(const Octree& tree, std::int32_t parent, Visit&& visit) {
  const Box& box = tree.boxes[parent];
  for (std::int32_t child = box.first_child; child < box.first_child + box.child_count; ++child) {
    if (tree.boxes[child].source_count() > 0) visit(child, tree.boxes[child].octant());
  }
}

/// Calls visit(parent, octant) for the L2L to box `child`, which has targets; not for the root.
template <class Visit>
void visit_l2l(const Octree& tree, std::int32_t child, Visit&& visit) {
  const Box& box = tree.boxes[child];
  if (box.parent >= 0 && box.target_count() > 0) visit(box.parent, box.octant());
}

}  // namespace rankine::fmm
