#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <array>

#include "rankine/fmm/interaction_rows.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/runtime/scratch.cuh"
#include "rankine/gpu/sums/device_tree.hpp"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

__device__ std::int64_t thread_index() {
  return blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}

LaunchShape one_thread_each(std::size_t items) {
  return {dim3(blocks_for(items, threads)), dim3(threads)};
}

/// Exclusive sums of `values`, in place.
void scan(DeviceBuffer<std::int64_t>& values, const Stream& stream) {
  with_scratch("scan", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, values.data(), values.data(),
                                         values.size(), stream.handle());
  });
}

std::int64_t last_of(const DeviceBuffer<std::int64_t>& values, const Stream& stream) {
  std::int64_t value = 0;
  download_bytes(&value, values.data() + values.size() - 1, sizeof value, stream);
  stream.synchronize();
  return value;
}

// ---- Sorting the points -------------------------------------------------------------------------

__global__ void key_kernel(const Vec3d* points, std::int64_t n, Vec3d corner, double side,
                           std::uint64_t* keys, std::int32_t* order) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  keys[i] = fmm::morton_key(points[i], corner, side);
  order[i] = static_cast<std::int32_t>(i);
}

struct SortedPoints {
  DeviceBuffer<std::uint64_t> keys;
  DeviceBuffer<std::int32_t> order;
};

SortedPoints sort_points(std::span<const Vec3d> points, const fmm::Octree& tree,
                         const Stream& stream) {
  const std::size_t n = points.size();
  const DeviceBuffer<Vec3d> given(points, stream);
  SortedPoints unsorted{DeviceBuffer<std::uint64_t>(n, stream),
                        DeviceBuffer<std::int32_t>(n, stream)};
  SortedPoints sorted{DeviceBuffer<std::uint64_t>(n, stream),
                      DeviceBuffer<std::int32_t>(n, stream)};
  launch("Morton keys", &key_kernel, one_thread_each(n), stream, given.data(),
         static_cast<std::int64_t>(n), tree.corner, tree.side, unsorted.keys.data(),
         unsorted.order.data());
  with_scratch("Morton sort", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, unsorted.keys.data(), sorted.keys.data(),
                                           unsorted.order.data(), sorted.order.data(), n, 0,
                                           3 * fmm::max_level, stream.handle());
  });
  return sorted;
}

// ---- Dividing the boxes -------------------------------------------------------------------------

__global__ void divide_kernel(const fmm::Box* boxes, std::int32_t count, int leaf_capacity,
                              const std::uint64_t* source_keys, const std::uint64_t* target_keys,
                              fmm::Division* divisions, std::int64_t* children) {
  const std::int64_t i = thread_index();
  if (i > count) return;
  if (i == count) {
    children[i] = 0;
    return;
  }
  divisions[i] = fmm::divide(boxes[i], leaf_capacity, source_keys, target_keys);
  children[i] = divisions[i].children();
}

/// `boxes` and `first` count from the root: box first + i becomes a parent.
__global__ void adopt_kernel(fmm::Box* boxes, std::int32_t first, std::int32_t count,
                             const fmm::Division* divisions, const std::int64_t* child_offset) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  fmm::adopt(boxes, first + static_cast<std::int32_t>(i),
             first + count + static_cast<std::int32_t>(child_offset[i]), divisions[i]);
}

/// Boxes, level by level, in one array that grows.
class BoxArray {
 public:
  BoxArray(std::size_t capacity, const Stream& stream)
      : stream_(stream), boxes_(capacity, stream) {}

  fmm::Box* data() { return boxes_.data(); }
  void reserve(std::size_t used, std::size_t size) {
    if (size <= boxes_.size()) return;
    DeviceBuffer<fmm::Box> larger(2 * size, stream_);
    copy_bytes(larger.data(), boxes_.data(), used * sizeof(fmm::Box), stream_);
    boxes_ = std::move(larger);
  }

 private:
  const Stream& stream_;
  DeviceBuffer<fmm::Box> boxes_;
};

// ---- Listing the boxes --------------------------------------------------------------------------

enum List { colleague_list, near_list, far_list, multipole_list, local_list, deferred_list };
constexpr int list_count = 6;

/// Rows of one list for the boxes of one level: row b - first is items[begin[b - first]] ...
struct LevelRows {
  const std::int64_t* begin;
  const std::int32_t* items;
  std::int32_t first;

  __device__ fmm::RowPointers row(std::int32_t b) const {
    return {items + begin[b - first], items + begin[b - first + 1]};
  }
};

struct AllLevels {
  LevelRows level[fmm::max_level + 1];
};

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

template <class Lists>
__device__ void visit(const fmm::Box* boxes, int direct_threshold, std::int32_t b,
                      const LevelRows& parents, const AllLevels& deferred, Lists& lists) {
  if (boxes[b].parent < 0) return fmm::visit_root(boxes[b], lists);
  const fmm::RowPointers row = parents.row(boxes[b].parent);
  fmm::visit_lists(
      boxes, direct_threshold, b, row.first, row.last - row.first,
      [&](std::int32_t a) { return deferred.level[boxes[a].level].row(a); }, lists);
}

/// begin[list * (count + 1) + i]: the length of row first + i, the last of each list zero.
__global__ void count_kernel(const fmm::Box* boxes, int direct_threshold, std::int32_t first,
                             std::int32_t count, LevelRows parents, AllLevels deferred,
                             std::int64_t* begin) {
  const std::int64_t i = thread_index();
  if (i > count) return;
  CountLists lists;
  if (i < count) {
    visit(boxes, direct_threshold, first + static_cast<std::int32_t>(i), parents, deferred, lists);
  }
  for (int k = 0; k < list_count; ++k) begin[k * (count + 1) + i] = lists.count[k];
}

__global__ void fill_kernel(const fmm::Box* boxes, int direct_threshold, std::int32_t first,
                            std::int32_t count, LevelRows parents, AllLevels deferred,
                            const std::int64_t* begin, std::int32_t* items) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  FillLists lists;
  for (int k = 0; k < list_count; ++k) lists.at[k] = items + begin[k * (count + 1) + i];
  visit(boxes, direct_threshold, first + static_cast<std::int32_t>(i), parents, deferred, lists);
}

/// The rows of all lists of one level: one array of offsets,
/// scanned through all lists, and one of items.
struct LevelLists {
  std::int32_t first = 0, count = 0;
  DeviceBuffer<std::int64_t> begin;
  DeviceBuffer<std::int32_t> items;
  std::array<std::int64_t, list_count>
      list_begin{};  ///< of the lists that the host takes, in `items`

  LevelRows rows(List list) const {
    return {begin.data() + list * (count + 1), items.data(), first};
  }
};

/// Appends the lengths of the rows of one list of one level, whose offsets are `begin`, to the host's.
void append_rows(fmm::BoxLists& lists, List list, std::int32_t count,
                 const std::vector<std::int64_t>& begin) {
  const std::int64_t* row = begin.data() + list * (count + 1);
  const std::int64_t first = row[0], offset = lists.begin.back();
  for (std::int32_t i = 1; i <= count; ++i) lists.begin.push_back(row[i] - first + offset);
}

class DeviceTreeBuilder final : public fmm::TreeBuilder {
 public:
  explicit DeviceTreeBuilder(const Stream& stream) : stream_(stream) {}

  fmm::Octree octree(std::span<const Vec3d> sources, std::span<const Vec3d> targets,
                     int leaf_capacity, double room) override;
  fmm::InteractionLists lists(const fmm::Octree& tree, int direct_threshold) override;

 private:
  void download_items(fmm::BoxLists& lists, List list, const std::vector<LevelLists>& levels);

  const Stream& stream_;
};

fmm::Octree DeviceTreeBuilder::octree(std::span<const Vec3d> sources,
                                      std::span<const Vec3d> targets, int leaf_capacity,
                                      double room) {
  fmm::Octree tree = fmm::make_root(sources, targets, room);
  const SortedPoints sorted_sources = sort_points(sources, tree, stream_);
  const SortedPoints own_targets =
      tree.shared_points ? SortedPoints{} : sort_points(targets, tree, stream_);
  const SortedPoints& sorted_targets = tree.shared_points ? sorted_sources : own_targets;

  BoxArray boxes(std::size_t{1} << 16, stream_);
  upload_bytes(boxes.data(), tree.boxes.data(), sizeof(fmm::Box), stream_);
  std::int32_t begin = 0, end = 1;
  while (true) {
    const std::int32_t count = end - begin;
    DeviceBuffer<fmm::Division> divisions(static_cast<std::size_t>(count), stream_);
    DeviceBuffer<std::int64_t> offsets(static_cast<std::size_t>(count) + 1, stream_);
    launch("dividing boxes", &divide_kernel, one_thread_each(offsets.size()), stream_,
           boxes.data() + begin, count, leaf_capacity, sorted_sources.keys.data(),
           sorted_targets.keys.data(), divisions.data(), offsets.data());
    scan(offsets, stream_);
    const auto children = static_cast<std::int32_t>(last_of(offsets, stream_));
    if (children == 0) break;
    boxes.reserve(static_cast<std::size_t>(end), static_cast<std::size_t>(end + children));
    launch("making boxes", &adopt_kernel, one_thread_each(static_cast<std::size_t>(count)), stream_,
           boxes.data(), begin, count, divisions.data(), offsets.data());
    begin = end;
    end += children;
    tree.level_begin.push_back(end);
  }

  tree.boxes.resize(static_cast<std::size_t>(end));
  download_bytes(tree.boxes.data(), boxes.data(), tree.boxes.size() * sizeof(fmm::Box), stream_);
  const auto download_order = [&](const SortedPoints& sorted, AlignedVector<std::int32_t>& order) {
    order.resize(sorted.order.size());
    download_bytes(order.data(), sorted.order.data(), sorted.order.bytes(), stream_);
  };
  download_order(sorted_sources, tree.source_order);
  download_order(sorted_targets, tree.target_order);
  stream_.synchronize();
  return tree;
}

/// The items of the rows that `lists` has.
void DeviceTreeBuilder::download_items(fmm::BoxLists& lists, List list,
                                       const std::vector<LevelLists>& levels) {
  lists.items.resize(static_cast<std::size_t>(lists.begin.back()));
  for (const LevelLists& level : levels) {
    const std::int64_t begin = lists.begin[static_cast<std::size_t>(level.first)],
                       end = lists.begin[static_cast<std::size_t>(level.first + level.count)];
    if (begin == end) continue;
    download_bytes(lists.items.data() + begin, level.items.data() + level.list_begin[list],
                   static_cast<std::size_t>(end - begin) * sizeof(std::int32_t), stream_);
  }
}

fmm::InteractionLists DeviceTreeBuilder::lists(const fmm::Octree& tree, int direct_threshold) {
  const DeviceBuffer<fmm::Box> boxes(tree.boxes, stream_);
  fmm::InteractionLists result;
  std::array<fmm::BoxLists*, list_count> host{};
  host[near_list] = &result.near;
  host[far_list] = &result.far;
  host[multipole_list] = &result.multipole;
  host[local_list] = &result.local;
  for (fmm::BoxLists* each : host) {
    if (each == nullptr) continue;
    each->begin.reserve(tree.boxes.size() + 1);
    each->begin.push_back(0);
  }

  std::vector<LevelLists> levels;
  levels.reserve(static_cast<std::size_t>(tree.depth()) + 1);
  AllLevels deferred{};
  LevelRows parents{};
  for (int level = 0; level <= tree.depth(); ++level) {
    LevelLists& now = levels.emplace_back();
    now.first = tree.level_begin[level];
    now.count = tree.level_begin[level + 1] - now.first;
    const auto rows = static_cast<std::size_t>(now.count);
    // One more offset, so that the scan ends with the number of all items.
    now.begin = DeviceBuffer<std::int64_t>(list_count * (rows + 1), stream_);
    launch("counting lists", &count_kernel, one_thread_each(rows + 1), stream_, boxes.data(),
           direct_threshold, now.first, now.count, parents, deferred, now.begin.data());
    scan(now.begin, stream_);
    const std::vector<std::int64_t> begin = now.begin.download(stream_);
    now.items = DeviceBuffer<std::int32_t>(static_cast<std::size_t>(begin.back()), stream_);
    launch("filling lists", &fill_kernel, one_thread_each(rows), stream_, boxes.data(),
           direct_threshold, now.first, now.count, parents, deferred, now.begin.data(),
           now.items.data());
    for (int list = 0; list < list_count; ++list) {
      if (host[list] == nullptr) continue;
      append_rows(*host[list], static_cast<List>(list), now.count, begin);
      now.list_begin[list] = begin[static_cast<std::size_t>(list * (now.count + 1))];
    }
    parents = now.rows(colleague_list);
    deferred.level[level] = now.rows(deferred_list);
  }
  for (int list = 0; list < list_count; ++list) {
    if (host[list] != nullptr) download_items(*host[list], static_cast<List>(list), levels);
  }
  stream_.synchronize();
  return result;
}

}  // namespace

std::unique_ptr<fmm::TreeBuilder> make_device_tree_builder(const Stream& stream) {
  return std::make_unique<DeviceTreeBuilder>(stream);
}

std::unique_ptr<fmm::TreeBuilder> tree_builder(const fmm::Points& points, const Stream& stream) {
  constexpr std::size_t many_points = 50'000;
  if (points.sources.size() + points.targets.size() >= many_points)
    return make_device_tree_builder(stream);
  return std::make_unique<fmm::TreeBuilder>();
}

}  // namespace rankine::gpu
