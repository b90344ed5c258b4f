#include "rankine/gpu/sums/device_lists.hpp"

#include <algorithm>
#include <array>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

enum List { colleague_list, near_list, far_list, multipole_list, local_list, deferred_list };
constexpr int list_count = 6;

struct CountLists {
  int count[list_count] = {};

  __device__ void colleague(std::int32_t) { ++count[colleague_list]; }
  __device__ void near(std::int32_t) { ++count[near_list]; }
  __device__ void far(std::int32_t) { ++count[far_list]; }
  __device__ void multipole(std::int32_t) { ++count[multipole_list]; }
  __device__ void local(std::int32_t) { ++count[local_list]; }
  __device__ void deferred(std::int32_t) { ++count[deferred_list]; }
};

struct FillLists {
  std::int32_t* at[list_count];

  __device__ void colleague(std::int32_t i) { *at[colleague_list]++ = i; }
  __device__ void near(std::int32_t i) { *at[near_list]++ = i; }
  __device__ void far(std::int32_t i) { *at[far_list]++ = i; }
  __device__ void multipole(std::int32_t i) { *at[multipole_list]++ = i; }
  __device__ void local(std::int32_t i) { *at[local_list]++ = i; }
  __device__ void deferred(std::int32_t i) { *at[deferred_list]++ = i; }
};

/// The lists of a level are derived from those of the coarser ones.
struct BoxLists {
  const fmm::Box* boxes;
  fmm::ListRules rules;
  RowsView colleagues, deferred;

  /// The part of the lists that this lane makes.
  template <class Lists>
  __device__ void visit(std::int32_t b, int lane, Lists& lists) const {
    if (boxes[b].parent < 0) {
      if (lane == 0) fmm::visit_root(boxes[b], lists);
      return;
    }
    fmm::visit_lists(
        boxes, rules, b, colleagues.row(boxes[b].parent),
        [&](std::int32_t a) { return deferred.row(a); }, lists, lane, 32);
  }
};

/// The lanes of a warp divide the boxes around a box, since a large leaf next to small ones has
/// thousands of them. before[list * (count + 1) + i]: the length of row first + i; the last entry
/// of each list is zero.
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ BoxLists all, std::int32_t first, std::int32_t count,
                 std::int64_t* before) {
  const std::int64_t i = warp_index();
  if (i > count) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  CountLists lists;
  if (i < count) all.visit(first + static_cast<std::int32_t>(i), lane, lists);
  for (int k = 0; k < list_count; ++k) {
    const int whole = __reduce_add_sync(~0U, lists.count[k]);
    if (lane == k) before[k * (count + 1) + i] = whole;
  }
}

/// The output of the rows of each list.
struct Destination {
  std::int64_t* begin[list_count];
  std::int32_t* items[list_count];
  std::int64_t used[list_count];  ///< items of the previous levels
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
    fill_kernel(const __grid_constant__ BoxLists all, std::int32_t first, std::int32_t count,
                const std::int64_t* before, const __grid_constant__ Destination to) {
  const std::int64_t i = warp_index();
  if (i > count) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int32_t b = first + static_cast<std::int32_t>(i);
  CountLists own;
  if (i < count) all.visit(b, lane, own);
  FillLists lists;
  for (int k = 0; k < list_count; ++k) {
    const std::int64_t* const of_list = before + k * static_cast<std::int64_t>(count + 1);
    const std::int64_t at = to.used[k] + of_list[i] - of_list[0];
    if (lane == 0) to.begin[k][b] = at;
    lists.at[k] = to.items[k] + at + sum_of_lanes_before(own.count[k], lane);
  }
  if (i < count) all.visit(b, lane, lists);
}

class ListBuilder {
 public:
  ListBuilder(const DeviceTree& tree, const Stream& stream) : tree_(tree), stream_(stream) {
    for (DeviceRows& rows : lists_) {
      rows.begin = DeviceBuffer<std::int64_t>(static_cast<std::size_t>(tree.box_count) + 1, stream);
      rows.level_begin = {0};
    }
  }

  /// Appends the rows of the boxes [first, first + count).
  void add(std::int32_t first, std::int32_t count, const fmm::ListRules& rules) {
    const auto rows = static_cast<std::size_t>(count) + 1;
    DeviceBuffer<std::int64_t> before(list_count * rows, stream_);
    const auto lists = [&] {  // called again after the arrays have grown
      return BoxLists{tree_.boxes.data(), rules, lists_[colleague_list].view(),
                      lists_[deferred_list].view()};
    };
    launch("counting lists", &count_kernel, one_warp_each(rows), stream_, lists(), first, count,
           before.data());
    sum_before(before, stream_);
    const std::vector<std::int64_t> ends = download_every(before, rows - 1, rows, stream_);
    Destination to;
    for (int k = 0; k < list_count; ++k) {
      const std::int64_t items = ends[k] - (k == 0 ? 0 : ends[k - 1]);
      grow(lists_[k], items);
      to.begin[k] = lists_[k].begin.data();
      to.items[k] = lists_[k].items.data();
      to.used[k] = lists_[k].size;
      lists_[k].size += items;
      lists_[k].level_begin.push_back(lists_[k].size);
    }
    launch("filling lists", &fill_kernel, one_warp_each(rows), stream_, lists(), first, count,
           static_cast<const std::int64_t*>(before.data()), to);
  }

  DeviceRows take(List list) { return std::move(lists_[list]); }

 private:
  void grow(DeviceRows& rows, std::int64_t items) {
    const auto size = static_cast<std::size_t>(rows.size + items);
    if (size <= rows.items.size()) return;
    DeviceBuffer<std::int32_t> larger(size + size / 2, stream_);
    copy_bytes(larger.data(), rows.items.data(),
               static_cast<std::size_t>(rows.size) * sizeof(std::int32_t), stream_);
    rows.items = std::move(larger);
  }

  const DeviceTree& tree_;
  const Stream& stream_;
  std::array<DeviceRows, list_count> lists_;
};

}  // namespace

int DeviceRows::coarsest() const {
  const auto first = std::upper_bound(level_begin.begin(), level_begin.end(), std::int64_t{0});
  return static_cast<int>(first - level_begin.begin()) - 1;
}

DeviceLists build_device_lists(const DeviceTree& tree, const fmm::ListRules& rules,
                               const Stream& stream) {
  ListBuilder lists(tree, stream);
  for (int level = 0; level <= tree.depth(); ++level) {
    const std::int32_t first = tree.level_begin(level);
    lists.add(first, tree.level_begin(level + 1) - first, rules);
  }
  return {lists.take(near_list), lists.take(far_list), lists.take(multipole_list),
          lists.take(local_list)};
}

}  // namespace rankine::gpu
