// Near leaves in pairs, for points that are sources and targets: a pair of leaves is one item's work, which
// sums both ways. One leaf owns the pair. Sums for its points stay in registers; those for the other leaf's are written
// to places of their own, partial sums, and added in a fixed order once all are there.
#pragma once

#include <cstdint>

#include "rankine/fmm/source_range.hpp"
#include "rankine/gpu/sums/device_lists.hpp"

namespace rankine::gpu {

inline constexpr std::int32_t mutual_targets = 128;  ///< most points of a MutualBlock

/// Points of one leaf that a warp holds, and leaves whose pairs with it are summed there. Partial sums of all points of
/// a leaf lie side by side, in a row.
struct MutualBlock {
  std::int32_t begin, count;            ///< of the points, in Morton order
  std::int32_t leaf_begin, leaf_end;    ///< all points of the leaf
  std::int32_t part;                    ///< which of the leaf's points these are
  std::int32_t range_begin, range_end;  ///< of MutualRange
  std::int32_t own_row;  ///< where the block's own sums go, negative where to the results
  std::int32_t own_rows_begin, own_rows;  ///< the leaf's other own rows, one after the other
  std::int32_t rows_begin, rows_end;  ///< the leaf's rows from owners, numbers of MutualItems::rows
};

/// A leaf whose pairs with the points of another are summed: both ways, or one way where it is the same leaf.
template <class T>
struct MutualRange {
  fmm::SourceRange<T> sources;
  std::int32_t
      row;  ///< of `sources` with the first part of the owner, that of part p is p rows further; negative
            ///< for the leaf itself
};

template <class T>
struct MutualItems {
  DeviceBuffer<MutualBlock>
      blocks;  ///< those with the most pairs first; none where pairs cannot be shared
  DeviceBuffer<MutualRange<T>> ranges;
  DeviceBuffer<std::int32_t> rows;  ///< where they begin
  std::int64_t partials = 0;        ///< partial sums of a component

  std::size_t bytes() const { return blocks.bytes() + ranges.bytes() + rows.bytes(); }
};

/// Near lists, which hold every pair of leaves both ways, and which of their entries are summed elsewhere
/// (fmm/close_pairs.hpp), the same both ways; null: none.
struct NearRows {
  RowsView rows;
  std::int64_t entries;
  const std::uint8_t* left_out;
};

/// Without blocks where a pair is listed or left out one way only, or where there would be more than
/// `most_partials` partial sums.
template <class T>
MutualItems<T> make_mutual_items(const DeviceTree& tree, const NearRows& near,
                                 std::int64_t most_partials, const Stream& stream);

/// flags[k] of an entry of the near lists becomes 1 where that of the same pair the other way is.
void mark_both_ways(const DeviceTree& tree, const RowsView& near, DeviceBuffer<std::uint8_t>& flags,
                    const Stream& stream);

}  // namespace rankine::gpu
