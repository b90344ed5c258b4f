#include "rankine/gpu/sums/multipole_lists.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

constexpr std::int32_t group_targets = 320;  ///< largest number of targets, unless a leaf has more
constexpr std::int32_t chunk_targets = 64;

__global__ void coarsest_kernel(const fmm::Box* boxes, const std::int32_t* items,
                                std::int64_t count, int* level) {
  const std::int64_t i = thread_index();
  if (i < count) atomicMin(level, boxes[items[i]].level);
}

/// The largest box containing b that is a group, or b itself if b is larger.
__device__ std::int32_t group_of(const fmm::Box* boxes, std::int32_t b) {
  while (boxes[b].parent >= 0 && boxes[boxes[b].parent].target_count() <= group_targets)
    b = boxes[b].parent;
  return b;
}

enum ChunkKind { group_chunks, leaf_chunks };

struct ChunkTask {
  MultipoleListsView lists;
  std::int32_t boxes;
  std::int32_t* first;  ///< of kind * (boxes + 1) + box
  TargetChunk *groups, *leaves;

  __device__ std::int32_t& at(ChunkKind kind, std::int32_t b) const {
    return first[kind * static_cast<std::int64_t>(boxes + 1) + b];
  }
};

/// Calls visit(kind, stop) if the targets of box b become chunks.
template <class Visit>
__device__ void visit_chunks(const MultipoleListsView& lists, std::int32_t b, Visit&& visit) {
  const fmm::Box& box = lists.boxes[b];
  if (box.target_count() == 0) return;
  if (lists.far.begin == nullptr) {
    if (lists.own.size(b) > 0) visit(leaf_chunks, b);
    return;
  }
  const std::int32_t group = group_of(lists.boxes, b);
  // If a divided box has more targets than a group, the groups inside it process them.
  if (group == b && (box.is_leaf() || box.target_count() <= group_targets)) {
    visit(group_chunks, -1);
  } else if (group != b && box.is_leaf()) {
    visit(leaf_chunks, group);
  }
}

__device__ std::int32_t chunks_of(const fmm::Box& box) {
  return (box.target_count() + chunk_targets - 1) / chunk_targets;
}

__global__ void count_chunks_kernel(ChunkTask task) {
  const auto b = static_cast<std::int32_t>(thread_index());
  if (b > task.boxes) return;
  task.at(group_chunks, b) = task.at(leaf_chunks, b) = 0;
  if (b == task.boxes) return;
  visit_chunks(task.lists, b, [&](ChunkKind kind, std::int32_t) {
    task.at(kind, b) = chunks_of(task.lists.boxes[b]);
  });
}

__global__ void fill_chunks_kernel(ChunkTask task) {
  const auto b = static_cast<std::int32_t>(thread_index());
  if (b >= task.boxes) return;
  visit_chunks(task.lists, b, [&](ChunkKind kind, std::int32_t stop) {
    const fmm::Box box = task.lists.boxes[b];
    TargetChunk* const to =
        (kind == group_chunks ? task.groups : task.leaves) + task.at(kind, b) - task.at(kind, 0);
    const std::int32_t chunks = chunks_of(box);
    const auto cut = [&](std::int32_t part) {
      return static_cast<std::int32_t>(static_cast<std::int64_t>(box.target_count()) * part /
                                       chunks);
    };
    for (std::int32_t k = 0; k < chunks; ++k)
      to[k] = {b, box.target_begin + cut(k), cut(k + 1) - cut(k), stop};
  });
}

void make_chunks(MultipoleLists& lists, std::int32_t boxes, const Stream& stream) {
  const auto rows = static_cast<std::size_t>(boxes) + 1;
  DeviceBuffer<std::int32_t> first(2 * rows, stream);
  ChunkTask task{lists.view(), boxes, first.data(), nullptr, nullptr};
  launch("counting chunks", &count_chunks_kernel, one_thread_each(rows), stream, task);
  sum_before(first, stream);
  const std::vector<std::int32_t> ends = download_every(first, rows - 1, rows, stream);
  lists.groups = DeviceBuffer<TargetChunk>(static_cast<std::size_t>(ends[0]), stream);
  lists.leaves = DeviceBuffer<TargetChunk>(static_cast<std::size_t>(ends[1] - ends[0]), stream);
  task.groups = lists.groups.data();
  task.leaves = lists.leaves.data();
  launch("filling chunks", &fill_chunks_kernel, one_thread_each(rows - 1), stream, task);
}

}  // namespace

void MultipoleLists::set_orders(const fmm::Orders& orders, const Stream& stream) {
  order = orders.order;
  if (!empty())
    order_at = DeviceBuffer<std::int8_t>(std::span<const std::int8_t>(orders.m2p), stream);
}

MultipoleLists make_multipole_lists(const DeviceTree& tree, DeviceLists& lists, fmm::Method method,
                                    const Stream& stream) {
  MultipoleLists made;
  made.own = std::exchange(lists.multipole, {});
  if (method == fmm::Method::treecode) made.far = std::exchange(lists.far, {});
  made.coarsest = tree.depth();
  if (made.empty()) return made;
  made.boxes = copied(tree.boxes.span().first(static_cast<std::size_t>(tree.box_count)), stream);
  if (made.own.size > 0) {
    DeviceBuffer<int> level(std::span<const int>(&made.coarsest, 1), stream);
    launch("coarsest multipoles", &coarsest_kernel,
           one_thread_each(static_cast<std::size_t>(made.own.size)), stream, made.boxes.data(),
           made.own.items.data(), made.own.size, level.data());
    made.coarsest = level.download(stream)[0];
  }
  if (made.far.size > 0) made.coarsest = std::min(made.coarsest, made.far.coarsest());
  make_chunks(made, tree.box_count, stream);
  return made;
}

}  // namespace rankine::gpu
