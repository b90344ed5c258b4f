// Which multipole expansions are evaluated at which targets (M2P): the smaller boxes on a leaf's own list
// and, in a treecode, the far boxes of the leaf and of its ancestors.
#pragma once

#include <cstdint>

#include "rankine/fmm/order.hpp"
#include "rankine/gpu/sums/device_lists.hpp"

namespace rankine::gpu {

struct MultipoleListsView {
  const fmm::Box* boxes;
  RowsView far;                 ///< of a treecode, else no rows
  RowsView own;                 ///< of leaves, in a treecode and in the FMM
  const std::int8_t* order_at;  ///< of far boxes, by fmm::offset_index
  int order;                    ///< of the expansions
};

/// At most 64 targets of `box`, at which the lists of `box` and its ancestors below `stop` are evaluated.
struct TargetChunk {
  std::int32_t box, begin, count;
  std::int32_t stop;  ///< -1: the root's, too
};

struct MultipoleLists {
  DeviceBuffer<fmm::Box> boxes;
  DeviceRows far, own;
  DeviceBuffer<std::int8_t> order_at;
  int order = 0;
  int coarsest = 0;  ///< level of a box on a list; the tree's depth where there are none
  /// Targets of boxes of a few leaves, whose ancestors' lists they share; then those of leaves below, with what
  /// is left. Together they meet every list once.
  DeviceBuffer<TargetChunk> groups, leaves;

  bool empty() const { return far.size == 0 && own.size == 0; }
  MultipoleListsView view() const {
    return {boxes.data(), far.view(), own.view(), order_at.data(), order};
  }
  std::size_t bytes() const {
    return boxes.bytes() + far.begin.bytes() + far.items.bytes() + own.begin.bytes() +
           own.items.bytes() + order_at.bytes() + groups.bytes() + leaves.bytes();
  }
};

/// Takes what it needs of the lists.
MultipoleLists make_multipole_lists(const DeviceTree& tree, DeviceLists& lists, fmm::Method method,
                                    const fmm::Orders& orders, const Stream& stream);

}  // namespace rankine::gpu
