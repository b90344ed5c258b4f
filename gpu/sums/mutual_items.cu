
#include "rankine/gpu/runtime/device_loops.cuh"
#include "rankine/gpu/sums/mutual_items.hpp"
#include "rankine/gpu/sums/work_order.cuh"

namespace rankine::gpu {
namespace {

/// Approximate upper bound of the number of pairs of a block, small enough that the last blocks end
/// at about the same time.
constexpr std::int64_t block_pairs = 1 << 16;

struct Near : NearRows {
  const fmm::Box* boxes;
  std::int32_t box_count;

  __device__ bool has(std::int64_t entry) const {
    return left_out == nullptr || left_out[entry] == 0;
  }
};

/// The entry of leaf b in the row of leaf c, or -1.
__device__ std::int64_t entry_of(const RowsView& rows, std::int32_t c, std::int32_t b) {
  for (std::int64_t k = rows.begin[c]; k < rows.begin[c + 1]; ++k) {
    if (rows.items[k] == b) return k;
  }
  return -1;
}

/// True if pairs with leaf c are summed only for the other leaf, since c has no targets in this
/// process.
__device__ bool is_one_way(const fmm::Box& c) { return c.target_count() == 0; }

/// True if leaf b owns the pair. A leaf owns half of its pairs, at any position on the Morton
/// curve.
__device__ bool owns(std::int32_t b, std::int32_t c) { return ((b + c) % 2 == 0) == (b < c); }

__device__ std::int32_t parts_of(const fmm::Box& leaf) {
  return (leaf.target_count() + mutual_targets - 1) / mutual_targets;
}

/// Counts of an entry of the near lists; after the prefix sum, of all entries before it.
struct EntryCounts {
  std::int64_t partials, sources;  ///< sources of ranges
  std::int32_t ranges, rows;

  __host__ __device__ friend EntryCounts operator+(const EntryCounts& a, const EntryCounts& b) {
    return {a.partials + b.partials, a.sources + b.sources, a.ranges + b.ranges, a.rows + b.rows};
  }
};

/// A warp per box.
__global__ void count_kernel(Near near, EntryCounts* counts) {
  const auto b = static_cast<std::int32_t>(warp_index());
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (b > near.box_count) return;
  if (b == near.box_count) {
    if (lane == 0) counts[near.entries] = {};
    return;
  }
  const fmm::Box leaf = near.boxes[b];
  for (std::int64_t k = near.rows.begin[b] + lane; k < near.rows.begin[b + 1]; k += 32) {
    const std::int32_t c = near.rows.items[k];
    const fmm::Box other = near.boxes[c];
    EntryCounts count{};
    if (near.has(k) && (c == b || is_one_way(other) || owns(b, c))) {
      count.ranges = 1;
      count.sources = other.source_count();
      if (c != b && !is_one_way(other)) count.partials = parts_of(leaf) * count.sources;
    } else if (near.has(k)) {
      count.rows = parts_of(other);
    }
    counts[k] = count;
  }
}

/// Numbers of blocks of a leaf and of partial sums for its own points; after the prefix sum, of all
/// leaves before it.
struct LeafCounts {
  std::int64_t partials;
  std::int32_t blocks;

  __host__ __device__ friend LeafCounts operator+(const LeafCounts& a, const LeafCounts& b) {
    return {a.partials + b.partials, a.blocks + b.blocks};
  }
};

/// How a leaf's ranges are divided into pieces with about the same number of sources.
struct Pieces {
  EntryCounts before, after;  ///< the leaf's entries
  std::int32_t count;

  __device__ Pieces(const RowsView& rows, std::int32_t b, const fmm::Box& leaf,
                    const EntryCounts* counts)
      : before(counts[rows.begin[b]]), after(counts[rows.begin[b + 1]]) {
    const std::int64_t targets = leaf.target_count() / max(parts_of(leaf), 1),
                       pairs = targets * (after.sources - before.sources);
    count = static_cast<std::int32_t>(
        min(max((pairs + block_pairs / 2) / block_pairs, std::int64_t{1}),
            static_cast<std::int64_t>(max(after.ranges - before.ranges, 1))));
  }
};

__global__ void count_leaves_kernel(Near near, const EntryCounts* before, LeafCounts* counts) {
  const auto b = static_cast<std::int32_t>(thread_index());
  if (b > near.box_count) return;
  counts[b] = {};
  if (b == near.box_count || !near.boxes[b].is_leaf()) return;
  const fmm::Box leaf = near.boxes[b];
  const Pieces pieces(near.rows, b, leaf, before);
  counts[b] = {(pieces.count - 1) * static_cast<std::int64_t>(leaf.target_count()),
               pieces.count * parts_of(leaf)};
}

template <class T>
struct FillTask {
  Near near;
  const EntryCounts* entries;  ///< counts of the entries before each
  const LeafCounts* leaves;
  MutualBlock* blocks;
  MutualRange<T>* ranges;
  std::int32_t* rows;
  std::int64_t* pairs;    ///< of each block
  std::int32_t* one_way;  ///< set if a pair of leaves is listed in one direction only
};

template <class T>
__device__ void fill_entry(const FillTask<T>& task, std::int32_t b, const fmm::Box& leaf,
                           std::int64_t k) {
  const std::int32_t c = task.near.rows.items[k];
  const fmm::Box other = task.near.boxes[c];
  const EntryCounts at = task.entries[k], after = task.entries[k + 1];
  if (after.ranges > at.ranges) {
    task.ranges[at.ranges] = {
        fmm::source_range<T>(leaf, other),
        c == b || is_one_way(other) ? -1 : static_cast<std::int32_t>(at.partials)};
    return;
  }
  if (after.rows == at.rows) return;
  const std::int64_t theirs = entry_of(task.near.rows, c, b);
  if (theirs < 0 || !task.near.has(theirs)) {
    *task.one_way = 1;
    return;
  }
  const auto row = static_cast<std::int32_t>(task.entries[theirs].partials);
  for (std::int32_t r = at.rows; r < after.rows; ++r)
    task.rows[r] = row + (r - at.rows) * leaf.target_count();
}

/// The entry of a leaf with which a piece of its ranges begins.
__device__ EntryCounts piece_begin(const EntryCounts* entries, const RowsView& rows, std::int32_t b,
                                   const Pieces& pieces, std::int32_t piece) {
  if (piece == pieces.count) return pieces.after;
  const std::int64_t all = pieces.after.sources - pieces.before.sources,
                     sources = pieces.before.sources + all * piece / pieces.count;
  std::int64_t first = rows.begin[b], last = rows.begin[b + 1];
  while (first < last) {
    const std::int64_t middle = (first + last) / 2;
    if (entries[middle].sources < sources) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return entries[first];
}

/// A warp per box.
template <class T>
__global__ void fill_kernel(const __grid_constant__ FillTask<T> task) {
  const auto b = static_cast<std::int32_t>(warp_index());
  if (b >= task.near.box_count) return;
  const fmm::Box leaf = task.near.boxes[b];
  if (!leaf.is_leaf() || leaf.target_count() == 0) return;
  const RowsView& rows = task.near.rows;
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (std::int64_t k = rows.begin[b] + lane; k < rows.begin[b + 1]; k += 32)
    fill_entry(task, b, leaf, k);
  const Pieces pieces(rows, b, leaf, task.entries);
  const LeafCounts at = task.leaves[b];
  const std::int32_t parts = parts_of(leaf);
  const auto own_rows =
      static_cast<std::int32_t>(task.entries[task.near.entries].partials + at.partials);
  const auto cut = [&](std::int32_t part) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(leaf.target_count()) * part / parts);
  };
  for (std::int32_t i = lane; i < parts * pieces.count; i += 32) {
    const std::int32_t part = i / pieces.count, piece = i % pieces.count;
    const std::int32_t begin = cut(part), count = cut(part + 1) - begin;
    const EntryCounts from = piece_begin(task.entries, rows, b, pieces, piece),
                      to = piece_begin(task.entries, rows, b, pieces, piece + 1);
    task.blocks[at.blocks + i] = {leaf.target_begin + begin,
                                  count,
                                  leaf.target_begin,
                                  leaf.target_end,
                                  part,
                                  from.ranges,
                                  to.ranges,
                                  piece == 0 ? -1 : own_rows + (piece - 1) * leaf.target_count(),
                                  own_rows,
                                  pieces.count - 1,
                                  pieces.before.rows,
                                  pieces.after.rows};
    task.pairs[at.blocks + i] = (to.sources - from.sources) * count;
  }
}

/// A warp per box.
__global__ void mark_kernel(RowsView near, std::int32_t boxes, std::uint8_t* flags) {
  const auto b = static_cast<std::int32_t>(warp_index());
  if (b >= boxes) return;
  for (std::int64_t k = near.begin[b] + threadIdx.x % 32; k < near.begin[b + 1]; k += 32) {
    if (flags[k] == 0) continue;
    const std::int64_t theirs = entry_of(near, near.items[k], b);
    if (theirs >= 0) flags[theirs] = 1;
  }
}

}  // namespace

void mark_both_ways(const DeviceTree& tree, const RowsView& near, DeviceBuffer<std::uint8_t>& flags,
                    const Stream& stream) {
  launch("pairs both ways", &mark_kernel, one_warp_each(static_cast<std::size_t>(tree.box_count)),
         stream, near, tree.box_count, flags.data());
}

template <class T>
MutualItems<T> make_mutual_items(const DeviceTree& tree, const NearRows& near,
                                 std::int64_t most_partials, const Stream& stream) {
  const auto boxes = static_cast<std::size_t>(tree.box_count),
             listed = static_cast<std::size_t>(near.entries);
  const Near lists{near, tree.boxes.data(), tree.box_count};
  DeviceBuffer<EntryCounts> entries(listed + 1, stream);
  DeviceBuffer<LeafCounts> leaves(boxes + 1, stream);
  launch("counting pairs of leaves", &count_kernel, one_warp_each(boxes + 1), stream, lists,
         entries.data());
  sum_before(entries, stream);
  launch("counting blocks of pairs", &count_leaves_kernel, one_thread_each(boxes + 1), stream,
         lists, entries.data(), leaves.data());
  sum_before(leaves, stream);
  const EntryCounts of_entries = download_every(entries, listed, 1, stream)[0];
  const LeafCounts of_leaves = download_every(leaves, boxes, 1, stream)[0];
  MutualItems<T> items;
  items.partials = of_entries.partials + of_leaves.partials;
  if (items.partials > most_partials) return {};
  items.blocks = DeviceBuffer<MutualBlock>(static_cast<std::size_t>(of_leaves.blocks), stream);
  items.ranges = DeviceBuffer<MutualRange<T>>(static_cast<std::size_t>(of_entries.ranges), stream);
  items.rows = DeviceBuffer<std::int32_t>(static_cast<std::size_t>(of_entries.rows), stream);
  DeviceBuffer<std::int64_t> pairs(items.blocks.size(), stream);
  DeviceBuffer<std::int32_t> one_way(1, stream);
  one_way.zero(stream);
  launch("pairs of leaves", &fill_kernel<T>, one_warp_each(boxes), stream,
         FillTask<T>{lists, entries.data(), leaves.data(), items.blocks.data(), items.ranges.data(),
                     items.rows.data(), pairs.data(), one_way.data()});
  sort_by_work(items.blocks, pairs, stream);
  if (one_way.download(stream)[0] != 0) return {};
  return items;
}

template MutualItems<float> make_mutual_items<float>(const DeviceTree&, const NearRows&,
                                                     std::int64_t, const Stream&);
template MutualItems<double> make_mutual_items<double>(const DeviceTree&, const NearRows&,
                                                       std::int64_t, const Stream&);

}  // namespace rankine::gpu
