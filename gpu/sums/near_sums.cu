// A warp processes a block of at most 64 targets of one leaf, and one or four right-hand sides,
// which share the inverse distances. Each lane has two, three or four targets. The remaining lanes
// sum other sources for the same targets, so that few lanes are idle for any leaf size; the parts
// are added in a fixed order at the end. Sources are fetched 32 at a time, regardless of the
// boundaries of near leaves, and shifted into the frame of the target leaf. The next 32 are fetched
// while the current ones are summed.
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/mutual_sums.hpp"
#include "rankine/gpu/sums/pair_tile.cuh"
#include "rankine/gpu/sums/sum_components.cuh"

namespace rankine::gpu {
namespace {

constexpr int warps_per_block = 4;
constexpr int batch = 32;

template <class Kind>
struct Task {
  using T = typename Kind::Real;
  typename Kind::Term term;
  const TargetBlock<T>* blocks;
  std::int32_t block_count;
  const SourceRange<T>* ranges;
  SourceView<T> sources;
  PointView<T> targets;
  SumView<T> sums;
  int rhs;  ///< total number
};

/// Fetches the sources of consecutive ranges, 32 at a time, one per lane.
template <class Kind>
class Feeder {
 public:
  using T = typename Kind::Real;

  __device__ Feeder(const Task<Kind>& task, const TargetBlock<T>& block, int first_rhs)
      : task_(task), range_(block.near_begin), end_(block.near_end), first_rhs_(first_rhs) {
    open();
  }

  /// The lane's next source; count() and self() then refer to its batch.
  __device__ PairSource<Kind> next() {
    const int lane = threadIdx.x % 32;
    int index = -1;
    T shift[3] = {};
    count_ = 0;
    self_ = false;
    while (count_ < batch && range_ < end_) {
      const int taken = min(batch - count_, current_.end - current_.begin);
      if (lane >= count_ && lane < count_ + taken) {
        index = current_.begin + lane - count_;
        for (int axis = 0; axis < 3; ++axis) shift[axis] = current_.shift[axis];
      }
      self_ = self_ || current_.self();
      count_ += taken;
      current_.begin += taken;
      if (current_.begin == current_.end) {
        ++range_;
        open();
      }
    }
    PairSource<Kind> source{};
    if (index < 0) return source;
    source.value[0] = task_.sources.points.x[index] - shift[0];
    source.value[1] = task_.sources.points.y[index] - shift[1];
    source.value[2] = task_.sources.points.z[index] - shift[2];
    if constexpr (Kind::terms.vortices)
      source.value[PairSource<Kind>::core_at] = task_.sources.inverse_cores[index];
#pragma unroll
    for (int k = 0; k < Kind::rhs; ++k) {
      const int rhs = first_rhs_ + k;
      if (Kind::rhs > 1 && rhs >= task_.rhs) break;
      if constexpr (Kind::terms.charges) {
        source.value[PairSource<Kind>::charge_at + k] =
            task_.sources.charges[rhs * task_.sources.size + index];
      }
      if constexpr (Kind::terms.vortices) {
        for (int axis = 0; axis < 3; ++axis) {
          source.value[PairSource<Kind>::dipole_at + axis] =
              task_.sources.charges[(3 * rhs + axis) * task_.sources.size + index];
        }
      }
      if constexpr (Kind::terms.dipoles) {
        for (int axis = 0; axis < 3; ++axis) {
          source.value[PairSource<Kind>::dipole_at + 3 * k + axis] =
              task_.sources.dipoles[(3 * rhs + axis) * task_.sources.size + index];
        }
      }
    }
    return source;
  }

  __device__ int count() const { return count_; }
  /// True if the batch has sources of the target leaf itself.
  __device__ bool self() const { return self_; }

 private:
  __device__ void open() {
    if (range_ < end_) current_ = task_.ranges[range_];
  }

  const Task<Kind>& task_;
  SourceRange<T> current_{};
  int range_, end_, first_rhs_;
  int count_ = 0;
  bool self_ = false;
};

template <Coincidence coincidence, class Kind, int per_lane>
__device__ __forceinline__ void add_batch(const typename Kind::Term& term,
                                          const PairSource<Kind>* tile, int count, int part,
                                          int parts, const PairTargets<Kind, per_lane>& at,
                                          PairSums<Kind, per_lane>& sums) {
#pragma unroll 2
  for (int j = part; j < count; j += parts) {
    const PairSource<Kind> source = tile[j];
    add_source<coincidence>(term, source, at, sums);
  }
}

/// Coincident points of different leaves are treated elsewhere (fmm/close_pairs.hpp).
template <class Kind, int per_lane>
__device__ __forceinline__ void sum_block(const Task<Kind>& task,
                                          const TargetBlock<typename Kind::Real>& block,
                                          int first_rhs, int part, int parts,
                                          PairSource<Kind>* tile,
                                          const PairTargets<Kind, per_lane>& at,
                                          PairSums<Kind, per_lane>& sums) {
  Feeder<Kind> feeder(task, block, first_rhs);
  PairSource<Kind> source = feeder.next();
  while (feeder.count() > 0) {
    const int count = feeder.count();
    const bool guard = feeder.self();
    __syncwarp();
    tile[threadIdx.x % 32] = source;
    __syncwarp();
    source = feeder.next();
    if (guard) {
      add_batch<Coincidence::possible>(task.term, tile, count, part, parts, at, sums);
    } else {
      add_batch<Coincidence::excluded>(task.term, tile, count, part, parts, at, sums);
    }
  }
}

/// Adds the values of the parts; the total is in the lanes of the first part.
template <class T>
__device__ __forceinline__ T add_parts(T value, int slot, int lanes, int parts) {
  T total = value;
  for (int part = 1; part < parts; ++part) total += __shfl_sync(~0u, value, slot + part * lanes);
  return total;
}

template <class Kind, int per_lane>
__device__ __forceinline__ void process_block(const Task<Kind>& task,
                                              const TargetBlock<typename Kind::Real>& block,
                                              int first_rhs, PairSource<Kind>* tile) {
  using T = typename Kind::Real;
  const int lane = threadIdx.x % 32;
  const int lanes = (block.target_count + per_lane - 1) / per_lane, parts = 32 / lanes;
  const int slot = lane % lanes, part = lane / lanes < parts ? lane / lanes : 0;
  PairTargets<Kind, per_lane> at;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    const int target = block.target_begin + min(slot + i * lanes, block.target_count - 1);
    at.position[i][0] = task.targets.x[target];
    at.position[i][1] = task.targets.y[target];
    at.position[i][2] = task.targets.z[target];
  }
  PairSums<Kind, per_lane> sums;
  sum_block(task, block, first_rhs, part, parts, tile, at, sums);
  const bool writes = lane < lanes;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    const int local = slot + i * lanes;
    const bool exists = writes && local < block.target_count;
    const std::int64_t target = block.target_begin + local;
#pragma unroll
    for (int k = 0; k < Kind::rhs; ++k) {
      const int rhs = first_rhs + k;
      if (Kind::rhs > 1 && rhs >= task.rhs) break;
      sums.finish(i, k);
#pragma unroll
      for (int c = 0; c < Kind::components; ++c) {
        const T sum = add_parts(sums.value[i][k][c], slot, lanes, parts);
        if (exists) *component<Kind::terms>(task.sums, c, rhs, target) = sum;
      }
    }
  }
}

/// Number of the warp's 32 * per_lane target slots that are used for a block of n targets.
__device__ __forceinline__ int busy_places(int n, int per_lane) {
  const int lanes = (n + per_lane - 1) / per_lane;
  return lanes > 32 ? 0 : n * (32 / lanes) * 12 / per_lane;
}

/// Number of targets per lane for which registers are sufficient: four with one right-hand side,
/// otherwise two.
template <class Kind>
constexpr bool holds_four_targets = Kind::components* Kind::rhs * sizeof(typename Kind::Real) <=
                                    4 * sizeof(double);

/// Or up to three targets, if fewer lanes are then idle.
template <class Kind>
constexpr bool holds_three_targets = Kind::terms.vortices &&
                                     sizeof(typename Kind::Real) == sizeof(float);

/// Resident blocks per multiprocessor: more blocks hide latencies in float; in double registers
/// would spill.
template <class Kind>
constexpr int resident_blocks = sizeof(typename Kind::Real) == sizeof(float)
                                    ? (holds_three_targets<Kind> ? 4 : 6)
                                    : 1;

template <class Kind>
__global__ void __launch_bounds__(32 * warps_per_block, resident_blocks<Kind>)
    near_kernel(const __grid_constant__ Task<Kind> task) {
  __shared__ PairSource<Kind> tiles[warps_per_block][batch];
  const int warp = threadIdx.x / 32, index = blockIdx.x * warps_per_block + warp,
            first_rhs = blockIdx.y * Kind::rhs;
  if (index >= task.block_count) return;
  const TargetBlock<typename Kind::Real> block = task.blocks[index];
  if constexpr (holds_four_targets<Kind>) {
    const int two = busy_places(block.target_count, 2), three = busy_places(block.target_count, 3),
              four = busy_places(block.target_count, 4);
    if (four >= three && four >= two)
      return process_block<Kind, 4>(task, block, first_rhs, tiles[warp]);
    if (three >= two) return process_block<Kind, 3>(task, block, first_rhs, tiles[warp]);
  } else if constexpr (holds_three_targets<Kind>) {
    if (busy_places(block.target_count, 3) > busy_places(block.target_count, 2))
      return process_block<Kind, 3>(task, block, first_rhs, tiles[warp]);
  }
  process_block<Kind, 2>(task, block, first_rhs, tiles[warp]);
}

template <class Kind>
void launch_near(const Task<Kind>& task, const Stream& stream) {
  const int groups = (task.rhs + Kind::rhs - 1) / Kind::rhs;
  const LaunchShape shape{dim3(blocks_for(task.block_count, warps_per_block), groups),
                          dim3(32 * warps_per_block)};
  launch("P2P", &near_kernel<Kind>, shape, stream, task);
}

}  // namespace

template <class T>
void sum_near(const fmm::PairKernel& kernel, const DeviceBuffer<TargetBlock<T>>& blocks,
              const DeviceBuffer<SourceRange<T>>& ranges, const SourceView<T>& sources,
              const PointView<T>& targets, const SumView<T>& sums, int rhs, Root root,
              const Stream& stream) {
  with_kernel_and_terms<T>(kernel, sources, sums, [&](auto term, auto terms) {
    using Term = decltype(term);
    constexpr fmm::PairTerms t = terms();
    // For these terms registers are not sufficient for four right-hand sides.
    constexpr bool alone = (t.charges && t.dipoles) || t.derivatives == 2 || t.vortices;
    const auto launch_with = [&]<class Kind>() {
      launch_near<Kind>({term, blocks.data(), static_cast<std::int32_t>(blocks.size()),
                         ranges.data(), sources, targets, sums, rhs},
                        stream);
    };
    if constexpr (sizeof(T) == sizeof(double)) {
      if (root == Root::precise)
        return launch_with.template operator()<PairKind<Term, T, coded(t), 1>>();
    }
    if (alone || rhs == 1) {
      launch_with.template operator()<PairKind<Term, T, coded(t), 1, Root::quick>>();
    } else {
      launch_with.template operator()<PairKind<Term, T, coded(t), alone ? 1 : 4, Root::quick>>();
    }
  });
}

template void sum_near<float>(const fmm::PairKernel&, const DeviceBuffer<TargetBlock<float>>&,
                              const DeviceBuffer<SourceRange<float>>&, const SourceView<float>&,
                              const PointView<float>&, const SumView<float>&, int, Root,
                              const Stream&);
template void sum_near<double>(const fmm::PairKernel&, const DeviceBuffer<TargetBlock<double>>&,
                               const DeviceBuffer<SourceRange<double>>&, const SourceView<double>&,
                               const PointView<double>&, const SumView<double>&, int, Root,
                               const Stream&);

}  // namespace rankine::gpu
