// Flat lists of work items, built on the device from tree and lists. A warp processes one item.
// Lengths are in units of the root box edge; points are relative to the centre of their leaf. The
// shift is the centre of the target box minus that of the source box, which is exact in single
// precision.
#pragma once

#include <cstdint>

#include "rankine/fmm/close_pairs.hpp"
#include "rankine/fmm/source_range.hpp"
#include "rankine/gpu/sums/device_lists.hpp"

namespace rankine::gpu {

inline constexpr int block_targets = 64;  ///< maximum number of targets of a TargetBlock

using fmm::SourceRange;

/// Sources summed into the expansion of `box`: P2M or P2L.
template <class T>
struct CollectItem {
  std::int32_t box;
  std::int32_t range_begin, range_end;  ///< of SourceRange
  T scale;                              ///< 1 / edge of the box
};

/// At most block_targets targets of one leaf.
template <class T>
struct TargetBlock {
  std::int32_t box;
  std::int32_t target_begin, target_count;
  std::int32_t near_begin, near_end;  ///< of SourceRange
  T scale;                            ///< 1 / edge of the leaf
};

/// Targets of one block and their close sources (fmm/close_pairs.hpp).
struct CloseBlock {
  std::int32_t target_begin, target_count;
  std::int32_t range_begin, range_end;  ///< of SourceRange, whose shifts are not used
};

/// The criterion for targets close to sources of a near range (fmm/close_pairs.hpp).
struct CloseReach {
  float limit2;  ///< squared distance
  float reach;   ///< beyond this distance from the box centre, along any axis, no target is close
};

template <class T>
struct WorkItems {
  DeviceBuffer<CollectItem<T>> p2m, p2l;
  DeviceBuffer<SourceRange<T>> p2m_ranges, p2l_ranges;
  DeviceBuffer<SourceRange<T>> near;
  DeviceBuffer<CloseReach> near_reach;         ///< for each near range
  DeviceBuffer<TargetBlock<T>> target_blocks;  ///< those with the most pairs first
  std::int64_t leaves = 0, near_pairs = 0;

  std::size_t bytes() const {
    return p2m.bytes() + p2l.bytes() + p2m_ranges.bytes() + p2l_ranges.bytes() + near.bytes() +
           near_reach.bytes() + target_blocks.bytes();
  }
};

/// P2M of every leaf with sources, P2L of every box with a local list, blocks of targets.
template <class T>
WorkItems<T> make_work_items(const DeviceTree& tree, const DeviceLists& lists,
                             const fmm::CloseLimit& limit, const Stream& stream);

/// The near ranges with close pairs, and the targets for which they are summed.
template <class T>
struct CloseItems {
  DeviceBuffer<SourceRange<T>> ranges;
  DeviceBuffer<CloseBlock> blocks;

  std::size_t bytes() const { return ranges.bytes() + blocks.bytes(); }
};

/// Removes the near ranges r with close[r] != 0 from `work`.
template <class T>
CloseItems<T> take_close(WorkItems<T>& work, const DeviceBuffer<std::uint8_t>& close,
                         const Stream& stream);

}  // namespace rankine::gpu
