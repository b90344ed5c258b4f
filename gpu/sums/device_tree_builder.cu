#include "rankine/gpu/sums/device_tree_builder.hpp"

#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// `numbers`: of the points in Morton order; null: all.
__global__ void read_kernel(const Vec3d* points, const std::int32_t* order,
                            const std::int32_t* numbers, std::int64_t n, Vec3d* read) {
  const std::int64_t i = thread_index();
  if (i < n) read[i] = points[order[numbers == nullptr ? i : numbers[i]]];
}

struct BranchingOfBox {
  __device__ fmm::Branching operator()(const fmm::Box& box) const {
    if (box.child_count < 2) return {};
    return {1, box.child_count};
  }
};

struct AddBranching {
  __device__ fmm::Branching operator()(const fmm::Branching& a, const fmm::Branching& b) const {
    return {a.divided + b.divided, a.children + b.children};
  }
};

/// Numbers of fmm::LeafSums.
constexpr int sum_count = 4;

/// Adds the boxes to `sums`, a table in global memory, by way of one in shared memory.
__global__ void __launch_bounds__(loop_threads)
    count_kernel(const __grid_constant__ fmm::CountedBoxes boxes, std::int64_t count,
                 unsigned long long* sums) {
  extern __shared__ unsigned long long of_block[];
  const int size = sum_count * (boxes.end() + 1), first = static_cast<int>(threadIdx.x);
  for (int k = first; k < size; k += loop_threads) of_block[k] = 0;
  __syncthreads();
  const auto add = [&](int number, const fmm::LeafSums& more, int sign) {
    const std::int64_t values[sum_count] = {more.boxes, more.leaves, more.own_pairs,
                                            more.sibling_pairs};
    for (int k = 0; k < sum_count; ++k) {
      if (values[k] != 0)
        atomicAdd(of_block + sum_count * number + k,
                  static_cast<unsigned long long>(sign * values[k]));
    }
  };
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * loop_threads;
  for (std::int64_t b = thread_index(); b < count; b += stride) {
    boxes.visit(b, [&](int from, int end, const fmm::LeafSums& more) {
      add(from, more, 1);
      add(end, more, -1);
    });
  }
  __syncthreads();
  for (int k = first; k < size; k += loop_threads)
    if (of_block[k] != 0) atomicAdd(sums + k, of_block[k]);
}

fmm::Branching branching_of(const DeviceTree& tree, const Stream& stream) {
  DeviceBuffer<fmm::Branching> sum(1, stream);
  with_scratch("branching", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(scratch, bytes, tree.boxes.data(), sum.data(),
                                              tree.box_count, AddBranching{}, BranchingOfBox{},
                                              fmm::Branching{}, stream.handle());
  });
  return sum.download(stream)[0];
}

class Builder final : public DeviceTreeBuilder {
 public:
  Builder(const DevicePoints& points, const Stream& stream, Communicator* processes)
      : points_(points), stream_(stream), processes_(processes) {}

  Communicator* processes() const override { return processes_; }

  fmm::Octree octree(const fmm::Points&, int leaf_capacity, double padding,
                     double least_edge) override {
    least_edge_ = least_edge;
    const fmm::Octree root = fmm::make_root(points_.extent(), padding);
    if (find(root.side) == roots_.end())
      roots_.push_back({root, sort_points(points_, root, stream_)});
    build(*find(root.side), leaf_capacity);
    return tree_.depth() == fmm::deepest_level(tree_.root.side, least_edge) ? downloaded()
                                                                            : tree_.root;
  }

  fmm::LeafCounts counts([[maybe_unused]] const fmm::Octree& tree, int least) override {
    assert(tree.side == tree_.root.side);
    const fmm::Branching branching = branching_of(tree_, stream_);
    const fmm::CountedBoxes boxes{tree_.boxes.data(), fmm::most_counted(least),
                                  fmm::children_of(branching)};
    static_assert(sizeof(fmm::LeafSums) == sum_count * sizeof(unsigned long long));
    DeviceBuffer<fmm::LeafSums> sums(static_cast<std::size_t>(boxes.end()) + 1, stream_);
    sums.zero(stream_);
    constexpr std::size_t boxes_of_thread = 8;  // so that few tables are added up
    LaunchShape shape =
        one_thread_each((static_cast<std::size_t>(tree_.box_count) - 1) / boxes_of_thread + 1);
    shape.shared_bytes = sums.bytes();
    launch("counting leaves", &count_kernel, shape, stream_, boxes, std::int64_t{tree_.box_count},
           reinterpret_cast<unsigned long long*>(sums.data()));
    return {tree_.root.boxes[0], branching, boxes.most, sums.download(stream_)};
  }

  fmm::Octree coarse(fmm::Octree tree, int leaf_capacity) override {
    build(*find(tree.side), leaf_capacity);
    return downloaded();
  }

  fmm::MortonPoints ordered(const fmm::Octree& tree, const fmm::Points& points) override {
    const SortedSets& sorted = find(tree.side)->points;
    fmm::MortonPoints result{};
    if (!points.core_radii.empty()) {
      result.core_radii = fmm::in_order(points.core_radii, sorted.sources.order.download(stream_));
    }
    result.sources =
        ordered(points_.points().sources, sorted.sources.order, result.fetched_sources);
    result.targets = tree.shared_points ? result.sources
                                        : ordered(points_.points().targets, sorted.targets.order,
                                                  result.fetched_targets);
    return result;
  }

  DeviceTree take() override {
    SortedSets& sorted = find(tree_.root.side)->points;
    tree_.source_order = std::move(sorted.sources.order);
    tree_.target_order = std::move(sorted.targets.order);
    return std::move(tree_);
  }

 private:
  /// A root box, and the points along its Morton curve.
  struct Root {
    fmm::Octree tree;
    SortedSets points;
  };
  std::vector<Root>::iterator find(double side) {
    return std::find_if(roots_.begin(), roots_.end(),
                        [&](const Root& root) { return root.tree.side == side; });
  }

  void build(const Root& root, int leaf_capacity) {
    tree_ = divided(root.tree, root.points, leaf_capacity, least_edge_, stream_);
  }

  fmm::Octree downloaded() const {
    fmm::Octree host = tree_.root;
    host.boxes.resize(static_cast<std::size_t>(tree_.box_count));
    download_bytes(host.boxes.data(), tree_.boxes.data(), host.boxes.size() * sizeof(fmm::Box),
                   stream_);
    stream_.synchronize();
    return host;
  }

  /// All points if they are few; more are read when they are needed.
  fmm::OrderedPoints ordered(std::span<const Vec3d> points, const DeviceBuffer<std::int32_t>& order,
                             AlignedVector<Vec3d>& fetched) const {
    constexpr std::size_t few = 4'000'000;
    const auto read = [this, points, order = order.data()](const std::int32_t* numbers,
                                                           std::size_t count) {
      DeviceBuffer<Vec3d> found(count, stream_);
      launch("reading points", &read_kernel, one_thread_each(count), stream_, points.data(), order,
             numbers, static_cast<std::int64_t>(count), found.data());
      return found.fetch(stream_);
    };
    if (points.size() <= few) {
      fetched = read(nullptr, points.size());
      return {fetched};
    }
    return {.read = [this, read](std::span<const std::int32_t> numbers) {
      return read(DeviceBuffer<std::int32_t>(numbers, stream_).data(), numbers.size());
    }};
  }

  const DevicePoints& points_;
  const Stream& stream_;
  Communicator* processes_;
  std::vector<Root> roots_;
  DeviceTree tree_;  ///< the last one
  double least_edge_ = 0.0;
};

}  // namespace

std::unique_ptr<DeviceTreeBuilder> make_device_tree_builder(const DevicePoints& points,
                                                            const Stream& stream,
                                                            Communicator* processes) {
  return std::make_unique<Builder>(points, stream, processes);
}

}  // namespace rankine::gpu
