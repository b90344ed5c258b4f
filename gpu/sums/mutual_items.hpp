// Pairs of near leaves, for points that are both sources and targets: a work item sums a pair of
// leaves in both directions. One of the leaves owns the pair. Sums for its points stay in
// registers. Sums for the points of the other leaf are written as partial sums, which a second
// kernel adds in a fixed order.
#pragma once

#include <cstdint>

#include "rankine/fmm/source_range.hpp"
#include "rankine/gpu/sums/device_lists.hpp"

namespace rankine::gpu {

inline constexpr std::int32_t mutual_targets = 128;  ///< most points of a MutualBlock

/// Points of one leaf in the registers of a warp, and the leaves whose pairs with them the warp
/// sums. The partial sums of all points of a leaf are contiguous; they are called a row.
struct MutualBlock {
  std::int32_t begin, count;              ///< of the points, in Morton order
  std::int32_t leaf_begin, leaf_end;      ///< all points of the leaf
  std::int32_t part;                      ///< number of this block among those of the leaf
  std::int32_t range_begin, range_end;    ///< of MutualRange
  std::int32_t own_row;                   ///< the row for the sums of the block's own points;
                                          ///< negative: the results
  std::int32_t own_rows_begin, own_rows;  ///< the other own rows of the leaf, which are contiguous
  std::int32_t rows_begin, rows_end;  ///< in MutualItems::rows: the rows that other owners write
};

/// A leaf whose pairs with the points of the block are summed in both directions; in one direction
/// if it is the leaf of the block.
template <class T>
struct MutualRange {
  fmm::SourceRange<T> sources;
  /// The row into which part 0 of the owner writes the sums for `sources`; part p writes p rows
  /// further on. Negative for the leaf itself and for leaves without targets.
  std::int32_t row;
};

template <class T>
struct MutualItems {
  DeviceBuffer<MutualBlock>
      blocks;  ///< those with the most pairs first; none if pairs cannot be shared
  DeviceBuffer<MutualRange<T>> ranges;
  DeviceBuffer<std::int32_t> rows;  ///< first partial sum of each row
  std::int64_t partials = 0;        ///< partial sums of a component

  std::size_t bytes() const { return blocks.bytes() + ranges.bytes() + rows.bytes(); }
};

/// Near lists, which contain every pair of leaves in both directions, and flags of the entries that
/// are summed elsewhere (fmm/close_pairs.hpp), equal in both directions; null: none.
struct NearRows {
  RowsView rows;
  std::int64_t entries;
  const std::uint8_t* left_out;
};

/// The result has no blocks if a pair is listed or flagged in one direction only, or if there would
/// be more than `most_partials` partial sums.
template <class T>
MutualItems<T> make_mutual_items(const DeviceTree& tree, const NearRows& near,
                                 std::int64_t most_partials, const Stream& stream);

/// Sets flags[k] of an entry of the near lists if the flag of the opposite direction is set.
void mark_both_ways(const DeviceTree& tree, const RowsView& near, DeviceBuffer<std::uint8_t>& flags,
                    const Stream& stream);

}  // namespace rankine::gpu
