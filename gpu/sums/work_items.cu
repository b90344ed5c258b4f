#include "rankine/gpu/sums/work_items.hpp"

#include <vector>

#include "rankine/gpu/runtime/device_loops.cuh"
#include "rankine/gpu/sums/work_order.cuh"

namespace rankine::gpu {
namespace {

template <class T>
__device__ T inverse_edge(const fmm::Box& box) {
  return static_cast<T>(1.0 / fmm::box_edge(box));
}

/// True if P2M computes the expansion of a box.
__device__ bool expands(const fmm::Box& box) {
  return box.is_leaf() && box.source_count() > 0 && box.holder == fmm::Holder::here;
}

/// The kinds of items that are counted per box; a prefix sum turns counts into first items.
enum Counted { leaf_items, block_items, p2m_items, p2l_items };
constexpr int counted_kinds = 4;

__device__ std::int32_t blocks_of(const fmm::Box& box) {
  return box.is_leaf() ? (box.target_count() + block_targets - 1) / block_targets : 0;
}

/// first[kind * (count + 1) + box]; the last element of each kind is zero.
__global__ void count_kernel(const fmm::Box* boxes, std::int32_t count, RowsView local,
                             std::int32_t* first) {
  const auto b = static_cast<std::int32_t>(thread_index());
  if (b > count) return;
  std::int32_t items[counted_kinds] = {};
  if (b < count) {
    const fmm::Box box = boxes[b];
    items[leaf_items] = box.is_leaf() ? 1 : 0;
    items[block_items] = blocks_of(box);
    items[p2m_items] = expands(box) ? 1 : 0;
    items[p2l_items] = local.size(b) > 0 ? 1 : 0;
  }
  for (int k = 0; k < counted_kinds; ++k)
    first[k * static_cast<std::int64_t>(count + 1) + b] = items[k];
}

template <class T>
struct FillTask {
  const fmm::Box* boxes;
  std::int32_t count;
  RowsView near, local;
  fmm::CloseLimit limit;
  const std::int32_t* first;  ///< prefix sums of the counts of count_kernel
  CollectItem<T>*p2m, *p2l;
  SourceRange<T>*p2m_ranges, *p2l_ranges, *near_ranges;
  CloseReach* near_reach;
  TargetBlock<T>* blocks;
  std::int64_t* pairs;  ///< of each block

  __device__ std::int32_t at(Counted kind, std::int32_t b) const {
    const std::int32_t* const of_kind = first + kind * static_cast<std::int64_t>(count + 1);
    return of_kind[b] - of_kind[0];
  }
};

/// Writes the near ranges of leaf b. Returns the number of their sources.
template <class T>
__device__ std::int64_t fill_rows(const FillTask<T>& task, std::int32_t b, int lane) {
  const fmm::Box box = task.boxes[b];
  std::int64_t sources = 0;
  for (std::int64_t k = task.near.begin[b] + lane; k < task.near.begin[b + 1]; k += 32) {
    const fmm::Box source = task.boxes[task.near.items[k]];
    const double limit = task.limit(box, source);
    task.near_ranges[k] = fmm::source_range<T>(box, source);
    task.near_reach[k] = {static_cast<float>(limit * limit),
                          static_cast<float>((0.5 * fmm::box_edge(source) + limit) * (1.0 + 1e-6))};
    sources += source.source_count();
  }
  for (int apart = 16; apart > 0; apart /= 2) sources += __shfl_xor_sync(~0u, sources, apart);
  return sources;
}

template <class T>
__device__ void fill_blocks(const FillTask<T>& task, std::int32_t b, int lane,
                            std::int64_t sources) {
  const fmm::Box box = task.boxes[b];
  const std::int32_t blocks = blocks_of(box), at = task.at(block_items, b);
  const auto cut = [&](std::int32_t part) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(box.target_count()) * part / blocks);
  };
  const auto entry = [&](const RowsView& rows, std::int32_t of) {
    return rows.begin == nullptr ? 0 : static_cast<std::int32_t>(rows.begin[of]);
  };
  for (std::int32_t k = lane; k < blocks; k += 32) {
    const std::int32_t begin = cut(k), size = cut(k + 1) - begin;
    task.blocks[at + k] = {b,
                           box.target_begin + begin,
                           size,
                           entry(task.near, b),
                           entry(task.near, b + 1),
                           inverse_edge<T>(box)};
    task.pairs[at + k] = sources * size;
  }
}

template <class T>
__device__ void fill_collections(const FillTask<T>& task, std::int32_t b, int lane) {
  const fmm::Box box = task.boxes[b];
  if (lane == 0 && expands(box)) {
    const std::int32_t at = task.at(p2m_items, b);
    task.p2m[at] = {b, at, at + 1, inverse_edge<T>(box)};
    task.p2m_ranges[at] = fmm::source_range<T>(box, box);
  }
  if (task.local.size(b) == 0) return;
  const std::int64_t begin = task.local.begin[b], end = task.local.begin[b + 1];
  for (std::int64_t k = begin + lane; k < end; k += 32)
    task.p2l_ranges[k] = fmm::source_range<T>(box, task.boxes[task.local.items[k]]);
  if (lane == 0) {
    task.p2l[task.at(p2l_items, b)] = {b, static_cast<std::int32_t>(begin),
                                       static_cast<std::int32_t>(end), inverse_edge<T>(box)};
  }
}

/// A warp per box.
template <class T>
__global__ void fill_kernel(const __grid_constant__ FillTask<T> task) {
  const auto b = static_cast<std::int32_t>(warp_index());
  if (b >= task.count) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  fill_collections(task, b, lane);
  if (!task.boxes[b].is_leaf() || task.boxes[b].target_count() == 0) return;
  fill_blocks(task, b, lane, fill_rows(task, b, lane));
}

// ---- Close ranges -------------------------------------------------------------------------------

__global__ void widen_kernel(const std::uint8_t* close, std::int64_t count, std::int32_t* before) {
  const std::int64_t i = thread_index();
  if (i <= count) before[i] = i < count && close[i] != 0 ? 1 : 0;
}

template <class T>
__global__ void split_kernel(const SourceRange<T>* ranges, const CloseReach* reach,
                             const std::int32_t* close_before, std::int64_t count,
                             SourceRange<T>* close, SourceRange<T>* rest, CloseReach* rest_reach) {
  const std::int64_t r = thread_index();
  if (r >= count) return;
  const std::int32_t before = close_before[r];
  if (close_before[r + 1] > before) {
    close[before] = ranges[r];
  } else {
    rest[r - before] = ranges[r];
    rest_reach[r - before] = reach[r];
  }
}

/// Removes the close ranges from each block, and stores them as its close block.
template <class T>
__global__ void shorten_kernel(TargetBlock<T>* blocks, std::int64_t count,
                               const std::int32_t* close_before, CloseBlock* close_of_block,
                               std::int32_t* first) {
  const std::int64_t i = thread_index();
  if (i > count) return;
  if (i == count) {
    first[i] = 0;
    return;
  }
  TargetBlock<T>& block = blocks[i];
  const std::int32_t begin = close_before[block.near_begin], end = close_before[block.near_end];
  close_of_block[i] = {block.target_begin, block.target_count, begin, end};
  first[i] = begin < end ? 1 : 0;
  block.near_begin -= begin;
  block.near_end -= end;
}

__global__ void collect_kernel(const CloseBlock* close_of_block, std::int64_t count,
                               const std::int32_t* first, CloseBlock* blocks) {
  const std::int64_t i = thread_index();
  if (i < count && first[i + 1] > first[i]) blocks[first[i]] = close_of_block[i];
}

}  // namespace

template <class T>
WorkItems<T> make_work_items(const DeviceTree& tree, const DeviceLists& lists,
                             const fmm::CloseLimit& limit, const Stream& stream) {
  const auto boxes = static_cast<std::size_t>(tree.box_count);
  DeviceBuffer<std::int32_t> first(counted_kinds * (boxes + 1), stream);
  launch("counting work", &count_kernel, one_thread_each(boxes + 1), stream, tree.boxes.data(),
         tree.box_count, lists.local.view(), first.data());
  sum_before(first, stream);
  const std::vector<std::int32_t> ends = download_every(first, boxes, boxes + 1, stream);
  const auto items = [&](Counted kind) {
    return static_cast<std::size_t>(ends[kind] - (kind == 0 ? 0 : ends[kind - 1]));
  };
  WorkItems<T> work;
  work.leaves = static_cast<std::int64_t>(items(leaf_items));
  work.p2m = DeviceBuffer<CollectItem<T>>(items(p2m_items), stream);
  work.p2m_ranges = DeviceBuffer<SourceRange<T>>(items(p2m_items), stream);
  work.p2l = DeviceBuffer<CollectItem<T>>(items(p2l_items), stream);
  work.p2l_ranges =
      DeviceBuffer<SourceRange<T>>(static_cast<std::size_t>(lists.local.size), stream);
  const auto near = static_cast<std::size_t>(lists.near.size);
  work.near = DeviceBuffer<SourceRange<T>>(near, stream);
  work.near_reach = DeviceBuffer<CloseReach>(near, stream);
  work.target_blocks = DeviceBuffer<TargetBlock<T>>(items(block_items), stream);
  DeviceBuffer<std::int64_t> pairs(items(block_items), stream);
  const FillTask<T> task{tree.boxes.data(),
                         tree.box_count,
                         lists.near.view(),
                         lists.local.view(),
                         limit,
                         first.data(),
                         work.p2m.data(),
                         work.p2l.data(),
                         work.p2m_ranges.data(),
                         work.p2l_ranges.data(),
                         work.near.data(),
                         work.near_reach.data(),
                         work.target_blocks.data(),
                         pairs.data()};
  launch("filling work", &fill_kernel<T>, one_warp_each(boxes), stream, task);
  work.near_pairs = sort_by_work(work.target_blocks, pairs, stream);
  return work;
}

template <class T>
CloseItems<T> take_close(WorkItems<T>& work, const DeviceBuffer<std::uint8_t>& close,
                         const Stream& stream) {
  CloseItems<T> items;
  const std::size_t ranges = close.size(), blocks = work.target_blocks.size();
  if (ranges == 0) return items;
  DeviceBuffer<std::int32_t> before(ranges + 1, stream);
  launch("counting close ranges", &widen_kernel, one_thread_each(ranges + 1), stream, close.data(),
         static_cast<std::int64_t>(ranges), before.data());
  sum_before(before, stream);
  const auto found = static_cast<std::size_t>(download_every(before, ranges, 1, stream)[0]);
  if (found == 0) return items;
  items.ranges = DeviceBuffer<SourceRange<T>>(found, stream);
  DeviceBuffer<SourceRange<T>> rest(ranges - found, stream);
  DeviceBuffer<CloseReach> rest_reach(ranges - found, stream);
  launch("taking close ranges", &split_kernel<T>, one_thread_each(ranges), stream, work.near.data(),
         work.near_reach.data(), before.data(), static_cast<std::int64_t>(ranges),
         items.ranges.data(), rest.data(), rest_reach.data());
  DeviceBuffer<CloseBlock> close_of_block(blocks, stream);
  DeviceBuffer<std::int32_t> first(blocks + 1, stream);
  launch("taking close ranges from blocks", &shorten_kernel<T>, one_thread_each(blocks + 1), stream,
         work.target_blocks.data(), static_cast<std::int64_t>(blocks), before.data(),
         close_of_block.data(), first.data());
  sum_before(first, stream);
  items.blocks = DeviceBuffer<CloseBlock>(
      static_cast<std::size_t>(download_every(first, blocks, 1, stream)[0]), stream);
  launch("blocks of close ranges", &collect_kernel, one_thread_each(blocks), stream,
         close_of_block.data(), static_cast<std::int64_t>(blocks), first.data(),
         items.blocks.data());
  work.near = std::move(rest);
  work.near_reach = std::move(rest_reach);
  return items;
}

template WorkItems<float> make_work_items<float>(const DeviceTree&, const DeviceLists&,
                                                 const fmm::CloseLimit&, const Stream&);
template WorkItems<double> make_work_items<double>(const DeviceTree&, const DeviceLists&,
                                                   const fmm::CloseLimit&, const Stream&);
template CloseItems<float> take_close<float>(WorkItems<float>&, const DeviceBuffer<std::uint8_t>&,
                                             const Stream&);
template CloseItems<double> take_close<double>(WorkItems<double>&,
                                               const DeviceBuffer<std::uint8_t>&, const Stream&);

}  // namespace rankine::gpu
