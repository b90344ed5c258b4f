// Interaction lists built on the device, with the same result as on the host: the same function
// makes the lists of one box (fmm/interaction_rows.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/interaction_rows.hpp"
#include "rankine/gpu/sums/device_tree.hpp"

namespace rankine::gpu {

/// One row per box. If there are no rows, all are empty.
struct RowsView {
  const std::int64_t* begin = nullptr;
  const std::int32_t* items = nullptr;

  RANKINE_HD std::int64_t size(std::int32_t b) const {
    return begin == nullptr ? 0 : begin[b + 1] - begin[b];
  }
  RANKINE_HD fmm::RowPointers row(std::int32_t b) const {
    if (begin == nullptr) return {nullptr, nullptr};
    return {items + begin[b], items + begin[b + 1]};
  }
};

/// As fmm::BoxLists.
struct DeviceRows {
  DeviceBuffer<std::int64_t> begin;
  DeviceBuffer<std::int32_t> items;
  std::int64_t size = 0;
  std::vector<std::int64_t> level_begin = {};  ///< items before those of each level

  RowsView view() const { return {begin.data(), items.data()}; }
  /// The coarsest level with rows; there must be one.
  int coarsest() const;
};

struct DeviceLists {
  DeviceRows near, far, multipole, local;
};

/// As fmm::build_interaction_lists.
DeviceLists build_device_lists(const DeviceTree& tree, const fmm::ListRules& rules,
                               const Stream& stream);

}  // namespace rankine::gpu
