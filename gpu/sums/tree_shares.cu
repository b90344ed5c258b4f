#include "rankine/gpu/sums/tree_shares.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

// ---- Shares -------------------------------------------------------------------------------------

/// Points [begin, end) in Morton order.
struct Range {
  std::int32_t begin, end;
};

enum class Points { sources, targets };

template <Points points>
__global__ void range_kernel(const fmm::Box* boxes, std::int64_t count, Range* ranges) {
  const std::int64_t b = thread_index();
  if (b >= count) return;
  ranges[b] = points == Points::sources ? Range{boxes[b].source_begin, boxes[b].source_end}
                                        : Range{boxes[b].target_begin, boxes[b].target_end};
}

/// The sources or targets of every box.
template <Points points>
std::vector<Range> ranges_of(const DeviceTree& tree, const Stream& stream) {
  const auto boxes = static_cast<std::size_t>(tree.box_count);
  DeviceBuffer<Range> ranges(boxes, stream);
  launch("points of boxes", &range_kernel<points>, one_thread_each(boxes), stream,
         tree.boxes.data(), static_cast<std::int64_t>(boxes), ranges.data());
  return ranges.download(stream);
}

/// Divides points into shares of equal size, to 1/200 or to a leaf: share r is [cuts[r], cuts[r +
/// 1]). A cut is at the end of the largest box that is near enough, so that shares have few
/// neighbours.
std::vector<std::int64_t> cut_points(const DeviceTree& tree, const std::vector<Range>& ranges,
                                     int shares) {
  const std::int64_t points = ranges[0].end, near_enough = points / (200 * shares);
  std::vector<std::int64_t> cuts = {0};
  for (int r = 1; r < shares; ++r) {
    const std::int64_t wanted = points * r / shares;
    std::int64_t cut = 0;
    const auto distance = [&](std::int64_t at) { return std::abs(at - wanted); };
    for (int level = 0; level <= tree.depth() && distance(cut) > near_enough; ++level) {
      for (std::int32_t b = tree.level_begin(level); b < tree.level_begin(level + 1); ++b) {
        const std::int64_t end = ranges[static_cast<std::size_t>(b)].end;
        if (distance(end) < distance(cut)) cut = end;
      }
    }
    cuts.push_back(std::max(cut, cuts.back()));
  }
  cuts.push_back(points);
  return cuts;
}

Range share_of(const std::vector<std::int64_t>& cuts, int r) {
  return {static_cast<std::int32_t>(cuts[static_cast<std::size_t>(r)]),
          static_cast<std::int32_t>(cuts[static_cast<std::size_t>(r) + 1])};
}

__global__ void keep_kernel(fmm::Box* boxes, std::int64_t count, Range share) {
  const std::int64_t b = thread_index();
  if (b >= count) return;
  const auto kept = [=](std::int32_t at) { return min(max(at, share.begin), share.end); };
  boxes[b].target_begin = kept(boxes[b].target_begin);
  boxes[b].target_end = kept(boxes[b].target_end);
}

// ---- Expansions ---------------------------------------------------------------------------------

__host__ __device__ fmm::Holder holder_of(const Range& sources, const Range& share) {
  if (sources.begin >= share.begin && sources.end <= share.end) return fmm::Holder::here;
  if (sources.end <= share.begin || sources.begin >= share.end) return fmm::Holder::remote;
  return fmm::Holder::shared;
}

__global__ void hold_kernel(fmm::Box* boxes, std::int64_t count, Range share) {
  const std::int64_t b = thread_index();
  if (b < count) boxes[b].holder = holder_of({boxes[b].source_begin, boxes[b].source_end}, share);
}

__global__ void need_kernel(const std::int32_t* items, std::int64_t count, std::uint8_t* needed) {
  const std::int64_t i = thread_index();
  if (i < count) needed[items[i]] = 1;
}

/// 1 for boxes on the lists.
DeviceBuffer<std::uint8_t> needed_boxes(const DeviceTree& tree,
                                        std::initializer_list<const DeviceRows*> lists,
                                        const Stream& stream) {
  DeviceBuffer<std::uint8_t> needed(static_cast<std::size_t>(tree.box_count), stream);
  needed.zero(stream);
  for (const DeviceRows* rows : lists) {
    launch("needed boxes", &need_kernel, one_thread_each(static_cast<std::size_t>(rows->size)),
           stream, rows->items.data(), rows->size, needed.data());
  }
  return needed;
}

/// Marks the sources of this device and those of needed boxes. A warp per box.
__global__ void use_kernel(const fmm::Box* boxes, std::int64_t count, const std::uint8_t* needed,
                           std::uint8_t* used) {
  const std::int64_t b = warp_index();
  if (b >= count) return;
  const bool own = boxes[b].is_leaf() && boxes[b].holder == fmm::Holder::here;
  if (!own && needed[b] == 0) return;
  for (std::int32_t i = boxes[b].source_begin + static_cast<std::int32_t>(threadIdx.x % 32);
       i < boxes[b].source_end; i += 32)
    used[i] = 1;
}

/// Of `sources` sources, those of this device and of needed boxes.
DeviceBuffer<std::int32_t> used_sources_of(const DeviceTree& tree, std::size_t sources,
                                           const DeviceBuffer<std::uint8_t>& needed,
                                           const Stream& stream) {
  if (sources == 0) return {};
  const auto boxes = static_cast<std::size_t>(tree.box_count);
  DeviceBuffer<std::uint8_t> used(sources, stream);
  used.zero(stream);
  launch("used sources", &use_kernel, one_warp_each(boxes), stream, tree.boxes.data(),
         static_cast<std::int64_t>(boxes), needed.data(), used.data());
  DeviceBuffer<std::int32_t> found(sources, stream), count(1, stream);
  with_scratch("used sources", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(
        scratch, bytes, thrust::make_counting_iterator<std::int32_t>(0), used.data(), found.data(),
        count.data(), static_cast<std::int64_t>(sources), stream.handle());
  });
  const auto size = static_cast<std::size_t>(count.download(stream)[0]);
  return copied<std::int32_t>(std::as_const(found).span().first(size), stream);
}

// ---- Results ------------------------------------------------------------------------------------

__global__ void place_kernel(const std::int32_t* order, std::int64_t count, std::int32_t* place) {
  const std::int64_t i = thread_index();
  if (i < count) place[order[i]] = static_cast<std::int32_t>(i);
}

/// Copies `width` values of each target from Morton order to the caller's order.
__global__ void deliver_kernel(const std::int32_t* place, std::int64_t targets, int width,
                               const double* ordered, double* results) {
  const std::int64_t i = thread_index();
  if (i >= targets) return;
  const std::int64_t from = place[i];
  for (int c = 0; c < width; ++c) results[i * width + c] = ordered[from * width + c];
}

std::array<std::span<double>, 5> arrays_of(const fmm::Results& results) {
  return {results.potential, results.gradient, results.hessian, results.velocity,
          results.velocity_gradient};
}

}  // namespace

void TreeShares::divide_targets(DeviceTree& tree, const Stream& stream) {
  target_cuts_ = cut_points(tree, ranges_of<Points::targets>(tree, stream), group_.size());
  const auto boxes = static_cast<std::size_t>(tree.box_count);
  launch("targets of a share", &keep_kernel, one_thread_each(boxes), stream, tree.boxes.data(),
         static_cast<std::int64_t>(boxes), share_of(target_cuts_, group_.rank()));
  const DeviceBuffer<std::int32_t>& order =
      tree.shared_points() ? tree.source_order : tree.target_order;
  place_ = {order.size(), stream};
  launch("places of targets", &place_kernel, one_thread_each(order.size()), stream, order.data(),
         static_cast<std::int64_t>(order.size()), place_.data());
}

void TreeShares::divide_sources(DeviceTree& tree, const DeviceLists& lists, const Stream& stream) {
  const std::vector<Range> sources = ranges_of<Points::sources>(tree, stream);
  const std::vector<std::int64_t> cuts = cut_points(tree, sources, group_.size());
  launch("holders of boxes", &hold_kernel, one_thread_each(sources.size()), stream,
         tree.boxes.data(), static_cast<std::int64_t>(sources.size()),
         share_of(cuts, group_.rank()));

  used_ = used_sources_of(tree, static_cast<std::size_t>(cuts.back()),
                          needed_boxes(tree, {&lists.near, &lists.local}, stream), stream);
  const std::vector<std::uint8_t> needed =
      needed_boxes(tree, {&lists.far, &lists.multipole}, stream).download(stream);
  std::vector<std::int32_t> shared;
  std::vector<std::vector<std::int32_t>> wanted(static_cast<std::size_t>(group_.size()));
  for (std::size_t b = 0; b < sources.size(); ++b) {
    if (sources[b].begin == sources[b].end) continue;
    const auto owner = std::upper_bound(cuts.begin(), cuts.end(), sources[b].begin) - 1;
    const auto r = static_cast<int>(owner - cuts.begin());
    if (holder_of(sources[b], share_of(cuts, r)) == fmm::Holder::shared) {
      shared.push_back(static_cast<std::int32_t>(b));
    } else if (needed[b] != 0 && r != group_.rank()) {
      wanted[static_cast<std::size_t>(r)].push_back(static_cast<std::int32_t>(b));
    }
  }
  std::vector<std::int32_t> received;
  received_begin_ = {0};
  for (const std::vector<std::int32_t>& from : wanted) {
    received.insert(received.end(), from.begin(), from.end());
    received_begin_.push_back(static_cast<std::int64_t>(received.size()));
  }
  // The requests of other devices.
  std::vector<std::int32_t> each(received.size());
  std::iota(each.begin(), each.end(), 0);
  const Route wishes(group_.processes(), received_begin_, each);
  std::vector<std::int32_t> sent(static_cast<std::size_t>(wishes.arrivals()));
  wishes.forward(group_.processes(), received.data(), 1, sent.data());
  sent_begin_.clear();
  for (int r = 0; r <= group_.size(); ++r) sent_begin_.push_back(wishes.arrivals_begin(r));
  parts_.resize(static_cast<std::size_t>(group_.size()) + 1);
  std::iota(parts_.begin(), parts_.end(), 0);
  shared_ = {shared, stream};
  sent_ = {sent, stream};
  received_ = {received, stream};
}

bool TreeShares::reserve(std::size_t bytes, const Stream& stream) {
  bool grown = false;
  const auto grow = [&](DeviceBuffer<std::byte>& buffer, std::size_t rows) {
    if (buffer.size() >= rows * bytes) return;
    grown = true;
    buffer = {};
    buffer = {rows * bytes, stream};
  };
  grow(shared_rows_, shared_.size() * static_cast<std::size_t>(group_.size()));
  grow(sent_rows_, sent_.size());
  grow(received_rows_, received_.size());
  return grown;
}

template <class T>
void TreeShares::exchange_expansions(const ExpansionRows<T>& rows, const Stream& stream) {
  const auto width = static_cast<std::size_t>(rows.width()), of_shared = shared_.size() * width;
  const auto values = [](DeviceBuffer<std::byte>& buffer) {
    return reinterpret_cast<T*>(buffer.data());
  };
  gather_rows(rows, shared_,
              values(shared_rows_) + of_shared * static_cast<std::size_t>(group_.rank()), stream);
  group_.gather(shared_rows_.data(), parts_, of_shared * sizeof(T), stream);
  scatter_rows(rows, shared_, values(shared_rows_), group_.size(), stream);
  gather_rows(rows, sent_, values(sent_rows_), stream);
  group_.exchange({sent_rows_.data(), sent_begin_}, {received_rows_.data(), received_begin_},
                  width * sizeof(T), stream);
  scatter_rows(rows, received_, values(received_rows_), 1, stream);
}

ResultView TreeShares::ordered(const fmm::Results& results, const Stream& stream) {
  const std::array<std::span<double>, 5> wanted = arrays_of(results);
  std::array<double*, 5> arrays{};
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (ordered_[k].size() < wanted[k].size()) {
      ordered_[k] = {};
      ordered_[k] = {wanted[k].size(), stream};
    }
    if (!wanted[k].empty()) arrays[k] = ordered_[k].data();
  }
  return {arrays[0], arrays[1], arrays[2], arrays[3], arrays[4]};
}

void TreeShares::gather_results(const fmm::Results& results, int rhs, const Stream& stream) {
  const std::int64_t targets = target_cuts_.back();
  const std::array<std::span<double>, 5> wanted = arrays_of(results);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const std::size_t size = wanted[k].size() / static_cast<std::size_t>(rhs);
    const std::size_t width = size / static_cast<std::size_t>(targets);
    for (std::size_t begin = 0; begin < wanted[k].size(); begin += size) {
      double* const values = ordered_[k].data() + begin;
      group_.gather(values, target_cuts_, width * sizeof(double), stream);
      launch("results of all devices", &deliver_kernel,
             one_thread_each(static_cast<std::size_t>(targets)), stream,
             static_cast<const std::int32_t*>(place_.data()), targets, static_cast<int>(width),
             static_cast<const double*>(values), wanted[k].data() + begin);
    }
  }
}

template void TreeShares::exchange_expansions(const ExpansionRows<float>&, const Stream&);
template void TreeShares::exchange_expansions(const ExpansionRows<double>&, const Stream&);

}  // namespace rankine::gpu
