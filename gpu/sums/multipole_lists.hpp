// The multipole expansions that are evaluated at targets (M2P): those of the smaller boxes on the
// list of a leaf and, in a treecode, of the far boxes of the leaf and of its ancestors.
#pragma once

#include <cstdint>

#include "rankine/fmm/order.hpp"
#include "rankine/gpu/sums/device_lists.hpp"

namespace rankine::gpu {

struct MultipoleListsView {
  const fmm::Box* boxes;
  RowsView far;                 ///< has rows only in a treecode
  RowsView own;                 ///< of leaves, in treecode and FMM
  const std::int8_t* order_at;  ///< orders of far boxes, by fmm::offset_index
  int order;                    ///< of the expansions
};

/// At most 64 targets of `box`. The lists of `box` and of its ancestors below `stop` are evaluated
/// at these targets.
struct TargetChunk {
  std::int32_t box, begin, count;
  std::int32_t stop;  ///< -1: including the root's list
};

struct MultipoleLists {
  DeviceBuffer<fmm::Box> boxes;
  DeviceRows far, own;
  DeviceBuffer<std::int8_t> order_at;
  int order = 0;
  int coarsest = 0;  ///< coarsest level of a box on a list; the tree's depth if there are none
  /// `groups`: chunks of boxes with a few leaves, which share the lists of their ancestors;
  /// `leaves`: chunks of the leaves in them, with the remaining lists. Together they evaluate every
  /// list once.
  DeviceBuffer<TargetChunk> groups, leaves;

  void set_orders(const fmm::Orders& orders, const Stream& stream);

  bool empty() const { return far.size == 0 && own.size == 0; }
  MultipoleListsView view() const {
    return {boxes.data(), far.view(), own.view(), order_at.data(), order};
  }
  std::size_t bytes() const {
    return boxes.bytes() + far.begin.bytes() + far.items.bytes() + own.begin.bytes() +
           own.items.bytes() + order_at.bytes() + groups.bytes() + leaves.bytes();
  }
};

/// The lists, without orders (set_orders()). Moves out of `lists` those it needs.
MultipoleLists make_multipole_lists(const DeviceTree& tree, DeviceLists& lists, fmm::Method method,
                                    const Stream& stream);

}  // namespace rankine::gpu
