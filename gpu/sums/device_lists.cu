#include "rankine/gpu/sums/device_lists.hpp"

#include <algorithm>
#include <array>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

enum List { colleague_list, near_list, far_list, multipole_list, local_list, deferred_list };
constexpr int list_count = 6;

struct CountLists {
  std::int64_t count[list_count] = {};

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

  template <class Lists>
  __device__ void operator()(std::int32_t b, Lists& lists) const {
    if (boxes[b].parent < 0) return fmm::visit_root(boxes[b], lists);
    const fmm::RowPointers row = colleagues.row(boxes[b].parent);
    fmm::visit_lists(
        boxes, rules, b, row.first, row.last - row.first,
        [&](std::int32_t a) { return deferred.row(a); }, lists);
  }
};

/// before[list * (count + 1) + i]: the length of row first + i, the last of each list zero.
template <class Visit>
__global__ void count_kernel(Visit visit, std::int32_t first, std::int32_t count,
                             std::int64_t* before) {
  const std::int64_t i = thread_index();
  if (i > count) return;
  CountLists lists;
  if (i < count) visit(first + static_cast<std::int32_t>(i), lists);
  for (int k = 0; k < list_count; ++k) before[k * (count + 1) + i] = lists.count[k];
}

/// The output of the rows of each list.
struct Destination {
  std::int64_t* begin[list_count];
  std::int32_t* items[list_count];
  std::int64_t used[list_count];  ///< items of the previous levels
};

template <class Visit>
__global__ void fill_kernel(Visit visit, std::int32_t first, std::int32_t count,
                            const std::int64_t* before, Destination to) {
  const std::int64_t i = thread_index();
  if (i > count) return;
  FillLists lists;
  for (int k = 0; k < list_count; ++k) {
    const std::int64_t* const of_list = before + k * static_cast<std::int64_t>(count + 1);
    const std::int64_t at = to.used[k] + of_list[i] - of_list[0];
    to.begin[k][first + i] = at;
    lists.at[k] = to.items[k] + at;
  }
  if (i < count) visit(first + static_cast<std::int32_t>(i), lists);
}

class ListBuilder {
 public:
  ListBuilder(const DeviceTree& tree, const Stream& stream) : tree_(tree), stream_(stream) {
    for (DeviceRows& rows : lists_) {
      rows.begin = DeviceBuffer<std::int64_t>(static_cast<std::size_t>(tree.box_count) + 1, stream);
      rows.level_begin = {0};
    }
  }

  /// Appends the rows of the boxes [first, first + count). visitor() is called again after the
  /// arrays have grown.
  template <class Visitor>
  void add(std::int32_t first, std::int32_t count, const Visitor& visitor) {
    using Visit = decltype(visitor());
    const auto rows = static_cast<std::size_t>(count) + 1;
    DeviceBuffer<std::int64_t> before(list_count * rows, stream_);
    launch("counting lists", &count_kernel<Visit>, one_thread_each(rows), stream_, visitor(), first,
           count, before.data());
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
    launch("filling lists", &fill_kernel<Visit>, one_thread_each(rows), stream_, visitor(), first,
           count, before.data(), to);
  }

  RowsView view(List list) const { return lists_[list].view(); }
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
    lists.add(first, tree.level_begin(level + 1) - first, [&] {
      return BoxLists{tree.boxes.data(), rules, lists.view(colleague_list),
                      lists.view(deferred_list)};
    });
  }
  return {lists.take(near_list), lists.take(far_list), lists.take(multipole_list),
          lists.take(local_list)};
}

}  // namespace rankine::gpu
