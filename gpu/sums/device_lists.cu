#include "rankine/gpu/sums/device_lists.hpp"

#include <algorithm>
#include <array>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

enum List { near_list, far_list, multipole_list, local_list };
constexpr int list_count = 4;

struct CountLists {
  int count[list_count] = {};

  __device__ void near(std::int32_t) { ++count[near_list]; }
  __device__ void far(std::int32_t) { ++count[far_list]; }
  __device__ void multipole(std::int32_t) { ++count[multipole_list]; }
  __device__ void local(std::int32_t) { ++count[local_list]; }
};

struct FillLists {
  std::int32_t* at[list_count];

  __device__ void near(std::int32_t i) { *at[near_list]++ = i; }
  __device__ void far(std::int32_t i) { *at[far_list]++ = i; }
  __device__ void multipole(std::int32_t i) { *at[multipole_list]++ = i; }
  __device__ void local(std::int32_t i) { *at[local_list]++ = i; }
};

/// The colleagues of every box, in rows of equal length.
struct Colleagues {
  std::int32_t *items, *count;

  __device__ std::int32_t* row(std::int32_t b) const {
    return items + static_cast<std::int64_t>(fmm::most_colleagues) * b;
  }
  __device__ fmm::RowPointers operator()(std::int32_t b) const {
    return {row(b), row(b) + count[b]};
  }
};

/// The colleagues of `count` boxes of a level, one warp each. Those of the coarser level are known.
__global__ void __launch_bounds__(loop_threads)
    colleague_kernel(const fmm::Box* boxes, std::int32_t first, std::int32_t count,
                     const Colleagues colleagues) {
  const std::int64_t i = warp_index();
  if (i >= count) return;
  const std::int32_t b = first + static_cast<std::int32_t>(i);
  const unsigned lane = threadIdx.x % 32;
  std::int32_t* const row = colleagues.row(b);
  int found = 0;
  if (boxes[b].parent < 0) {
    found = boxes[b].source_count() > 0 && boxes[b].target_count() > 0 ? 1 : 0;
    if (lane == 0) row[0] = b;
  } else {
    const fmm::RowPointers of_parent = colleagues(boxes[b].parent);
    const int places = fmm::place_count(of_parent);
    for (int begin = 0; begin < places; begin += 32) {
      const int place = begin + static_cast<int>(lane);
      const std::int32_t box = place < places ? fmm::colleague_at(boxes, b, of_parent, place) : -1;
      const unsigned taken = __ballot_sync(~0U, box >= 0);
      if (box >= 0) row[found + __popc(taken & ((1U << lane) - 1U))] = box;
      found += __popc(taken);
    }
  }
  if (lane == 0) colleagues.count[b] = found;
}

/// The lanes of a warp divide the boxes around a box, since a large leaf next to small ones has
/// thousands of them.
struct BoxLists {
  const fmm::Box* boxes;
  std::int32_t count;
  fmm::ListRules rules;
  Colleagues colleagues;

  /// The part of the lists that this lane makes.
  template <class Lists>
  __device__ void visit(std::int32_t b, int lane, Lists& lists) const {
    fmm::visit_lists(boxes, rules, b, colleagues, lists, lane, 32);
  }
};

/// The place of the part of a lane.
__device__ std::int64_t part_index(std::int64_t b, int list, int lane) {
  return (b * list_count + list) * 32 + lane;
}

/// before[list * (count + 1) + b]: the length of row b; the last entry of each list is zero.
/// `parts`: those of the lanes.
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ BoxLists all, std::int64_t* before, std::int32_t* parts) {
  const std::int64_t b = warp_index();
  if (b > all.count) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  CountLists lists;
  if (b < all.count) all.visit(static_cast<std::int32_t>(b), lane, lists);
  for (int k = 0; k < list_count; ++k) {
    const int whole = __reduce_add_sync(~0U, lists.count[k]);
    if (b < all.count) parts[part_index(b, k, lane)] = lists.count[k];
    if (lane == k) before[k * (all.count + 1L) + b] = whole;
  }
}

/// The first boxes of the levels, and the number of all boxes.
struct Levels {
  std::int32_t first[fmm::max_level + 2];
  int count;
};

/// level_begin[list * levels.count + level]: the items of all lists before those of the level.
__global__ void level_kernel(const __grid_constant__ Levels levels, const std::int64_t* before,
                             std::int64_t* level_begin) {
  const int level = static_cast<int>(threadIdx.x);
  if (level >= levels.count) return;
  const std::int64_t rows = levels.first[levels.count - 1] + 1L;
  for (int k = 0; k < list_count; ++k)
    level_begin[k * levels.count + level] = before[k * rows + levels.first[level]];
}

/// The output of the rows of each list.
struct Destination {
  std::int64_t* begin[list_count];
  std::int32_t* items[list_count];
};

/// The sum of `value` over the lanes before this one.
__device__ int sum_of_lanes_before(int value, int lane) {
  int sum = value;
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(~0U, sum, step);
    if (lane >= step) sum += other;
  }
  return sum - value;
}

__global__ void __launch_bounds__(loop_threads)
    fill_kernel(const __grid_constant__ BoxLists all, const std::int64_t* before,
                const std::int32_t* parts, const __grid_constant__ Destination to) {
  const std::int64_t row = warp_index();
  if (row > all.count) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto b = static_cast<std::int32_t>(row);
  FillLists lists;
  for (int k = 0; k < list_count; ++k) {
    const std::int64_t* const of_list = before + k * (all.count + 1L);
    const std::int64_t at = of_list[row] - of_list[0];
    if (lane == 0) to.begin[k][row] = at;
    const std::int32_t own = row < all.count ? parts[part_index(row, k, lane)] : 0;
    lists.at[k] = to.items[k] + at + sum_of_lanes_before(own, lane);
  }
  if (row < all.count) all.visit(b, lane, lists);
}

/// level_begin of all lists, one after the other.
std::vector<std::int64_t> level_begins(const DeviceTree& tree,
                                       const DeviceBuffer<std::int64_t>& before,
                                       const Stream& stream) {
  Levels levels{{}, tree.depth() + 2};
  for (int level = 0; level < levels.count; ++level) levels.first[level] = tree.level_begin(level);
  DeviceBuffer<std::int64_t> found(static_cast<std::size_t>(list_count * levels.count), stream);
  launch("levels of lists", &level_kernel, {dim3(1), dim3(32)}, stream, levels, before.data(),
         found.data());
  return found.download(stream);
}

}  // namespace

int DeviceRows::coarsest() const {
  const auto first = std::upper_bound(level_begin.begin(), level_begin.end(), std::int64_t{0});
  return static_cast<int>(first - level_begin.begin()) - 1;
}

DeviceLists build_device_lists(const DeviceTree& tree, const fmm::ListRules& rules,
                               const Stream& stream) {
  const auto boxes = static_cast<std::size_t>(tree.box_count), rows = boxes + 1;
  DeviceBuffer<std::int32_t> colleagues(fmm::most_colleagues * boxes, stream),
      colleague_count(boxes, stream);
  const BoxLists all{
      tree.boxes.data(), tree.box_count, rules, {colleagues.data(), colleague_count.data()}};
  for (int level = 0; level <= tree.depth(); ++level) {
    const std::int32_t first = tree.level_begin(level), count = tree.level_begin(level + 1) - first;
    launch("finding colleagues", &colleague_kernel, one_warp_each(static_cast<std::size_t>(count)),
           stream, all.boxes, first, count, all.colleagues);
  }
  DeviceBuffer<std::int64_t> before(list_count * rows, stream);
  DeviceBuffer<std::int32_t> parts(32 * list_count * boxes, stream);
  launch("counting lists", &count_kernel, one_warp_each(rows), stream, all, before.data(),
         parts.data());
  sum_before(before, stream);
  const std::vector<std::int64_t> begins = level_begins(tree, before, stream);
  std::array<DeviceRows, list_count> lists;
  Destination to;
  const std::size_t levels = begins.size() / list_count;
  for (std::size_t k = 0; k < list_count; ++k) {
    DeviceRows& made = lists[k];
    for (std::size_t level = 0; level < levels; ++level)
      made.level_begin.push_back(begins[k * levels + level] - begins[k * levels]);
    made.size = made.level_begin.back();
    made.begin = DeviceBuffer<std::int64_t>(rows, stream);
    made.items = DeviceBuffer<std::int32_t>(static_cast<std::size_t>(made.size), stream);
    to.begin[k] = made.begin.data();
    to.items[k] = made.items.data();
  }
  launch("filling lists", &fill_kernel, one_warp_each(rows), stream, all,
         static_cast<const std::int64_t*>(before.data()),
         static_cast<const std::int32_t*>(parts.data()), to);
  return {std::move(lists[near_list]), std::move(lists[far_list]), std::move(lists[multipole_list]),
          std::move(lists[local_list])};
}

}  // namespace rankine::gpu
