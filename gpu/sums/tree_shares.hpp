// A sum divided among several devices that all have the whole tree and all points. Each device
// computes the expansions of its share of the sources, receives the other expansions on its lists,
// and sums at its share of the targets. Afterwards every device has all results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/device_group.hpp"
#include "rankine/gpu/sums/device_lists.hpp"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/expansion_rows.hpp"

namespace rankine::gpu {

/// All functions are collective.
class TreeShares {
 public:
  /// `group` must outlive the object.
  explicit TreeShares(const DeviceGroup& group) : group_(group) {}

  const DeviceGroup& group() const { return group_; }

  /// Restricts the boxes of `tree` to the targets of this device, for which lists are then made.
  void divide_targets(DeviceTree& tree, const Stream& stream);
  /// Sets the fmm::Holder of every box: its expansion is computed `here`, on another device
  /// (`remote`), or `shared` by several devices, each of which has a part of the sum. Finds the
  /// expansions to be sent.
  void divide_sources(DeviceTree& tree, const DeviceLists& lists, const Stream& stream);

  /// Allocates rows of `bytes` bytes for expansions; returns true if the previous rows were too
  /// small.
  bool reserve(std::size_t bytes, const Stream& stream);

  /// Sets the expansions of shared boxes to zero: this device may have no sources in them.
  template <class T>
  void clear_shared(const ExpansionRows<T>& rows, const Stream& stream) const {
    scatter_rows<T>(rows, shared_, nullptr, 0, stream);
  }
  /// Completes the expansions of shared boxes and receives those of remote ones. reserve() must
  /// have allocated the rows.
  template <class T>
  void exchange_expansions(const ExpansionRows<T>& rows, const Stream& stream);
  /// `order`: the order of the targets in the tree.
  void exchange_results(const fmm::Results& results, int rhs,
                        const DeviceBuffer<std::int32_t>& order, const Stream& stream) const;

 private:
  const DeviceGroup& group_;
  /// Share r has the targets [cuts[r], cuts[r + 1]) in Morton order.
  std::vector<std::int32_t> target_cuts_;
  DeviceBuffer<std::int32_t> shared_, sent_, received_;    ///< boxes
  std::vector<std::int64_t> sent_begin_, received_begin_;  ///< of sent_ and received_, by process
  /// Rows of expansions; for shared boxes, those of all processes.
  DeviceBuffer<std::byte> shared_rows_, sent_rows_, received_rows_;
};

}  // namespace rankine::gpu
