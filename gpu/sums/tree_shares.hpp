// A sum divided among several devices that all have the whole tree and all points. Each device
// computes the expansions of its share of the sources, receives the other expansions on its lists,
// and sums at its share of the targets. Afterwards every device has all results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/device_group.hpp"
#include "rankine/gpu/sums/device_lists.hpp"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/expansion_rows.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

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
  /// The sources whose strengths this device reads, in Morton order; empty: all.
  std::span<const std::int32_t> used_sources() const { return used_.span(); }

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

  /// Arrays for results in Morton order, of the same sizes as `results`, in which every device sets
  /// those at its targets.
  ResultView ordered(const fmm::Results& results, const Stream& stream);
  /// Gathers the results of all devices and sets `results`, in the caller's order.
  void gather_results(const fmm::Results& results, int rhs, const Stream& stream);

 private:
  const DeviceGroup& group_;
  std::vector<std::int64_t> target_cuts_;  ///< share r: [cuts[r], cuts[r + 1]) in Morton order
  DeviceBuffer<std::int32_t> place_;       ///< of every target in Morton order
  std::array<DeviceBuffer<double>, 5> ordered_;
  DeviceBuffer<std::int32_t> used_;                      ///< sources
  DeviceBuffer<std::int32_t> shared_, sent_, received_;  ///< boxes
  /// Offsets by process, of the parts of shared_rows_ and in sent_ and received_.
  std::vector<std::int64_t> parts_, sent_begin_, received_begin_;
  /// Rows of expansions; for shared boxes, those of all processes.
  DeviceBuffer<std::byte> shared_rows_, sent_rows_, received_rows_;
};

}  // namespace rankine::gpu
