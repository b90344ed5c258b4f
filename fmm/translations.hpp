// The translations that an octree needs, box by box, for host and device.
#pragma once

#include "rankine/fmm/interaction_rows.hpp"

namespace rankine::fmm {

/// Calls visit(source, dx, dy, dz) for every M2L to box `target`, whose far list is `far`, with the
/// offset target minus source in units of the box edge; or for one of `parts` parts of the list.
template <class Visit>
RANKINE_HD void visit_m2l(const Box* boxes, const RowPointers& far, std::int32_t target,
                          Visit&& visit, int part = 0, int parts = 1) {
  const Box& to = boxes[target];
  const auto difference = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) - static_cast<std::int32_t>(b);
  };
  for (const std::int32_t* source = far.first + part; source < far.last; source += parts) {
    const Box& from = boxes[*source];
    visit(*source, difference(to.x, from.x), difference(to.y, from.y), difference(to.z, from.z));
  }
}

/// Calls visit(child, octant) for every M2M to box `parent`: from its children with sources of this
/// process.
template <class Visit>
RANKINE_HD void visit_m2m(const Box* boxes, std::int32_t parent, Visit&& visit) {
  const Box& box = boxes[parent];
  for (std::int32_t child = box.first_child; child < box.first_child + box.child_count; ++child) {
    const Box& from = boxes[child];
    if (from.source_count() > 0 && !from.imported()) visit(child, from.octant());
  }
}

/// Calls visit(parent, octant) for the L2L to box `child`, which has targets; not for the root.
template <class Visit>
RANKINE_HD void visit_l2l(const Box* boxes, std::int32_t child, Visit&& visit) {
  const Box& box = boxes[child];
  if (box.parent >= 0 && box.target_count() > 0) visit(box.parent, box.octant());
}

}  // namespace rankine::fmm
