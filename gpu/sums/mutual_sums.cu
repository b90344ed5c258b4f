// A warp has the points of a block in registers, two to four per lane, and processes the leaves
// whose pairs the block owns, 32 points (a batch) at a time. The batch rotates: in every step a
// lane reads another point of the batch from shared memory, and passes the partial sums of the
// previous point to the lane that reads that point next. After a full round the sums are back in
// the lane that fetched the point, which writes them. If a block is small, the remaining lanes have
// copies of its points and process other points of the batch. A second kernel adds the partial sums
// of each point.
#include <type_traits>

#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/mutual_sums.hpp"
#include "rankine/gpu/sums/pair_tile.cuh"
#include "rankine/gpu/sums/sum_components.cuh"

namespace rankine::gpu {
namespace {

constexpr int warps_per_block = 4;
constexpr int batch = 32;
constexpr unsigned whole_warp = ~0u;

template <class Kind>
struct Task {
  using T = typename Kind::Real;
  typename Kind::Term term;
  const MutualBlock* blocks;
  std::int32_t block_count;
  const MutualRange<T>* ranges;
  SourceView<T> points;
  SumView<T> sums;
  T* partials;
  std::int64_t partial_count;  ///< per component
};

/// Position and charge of the points of a batch, in words that adjacent lanes read in one access.
template <class T>
struct Tile {
  static constexpr int values = 16 / sizeof(T), words = 4 / values;
  struct alignas(16) Word {
    T value[values];
  };
  Word word[words][batch];

  __device__ void put(int i, const T (&point)[4]) {
#pragma unroll
    for (int w = 0; w < words; ++w) {
#pragma unroll
      for (int v = 0; v < values; ++v) word[w][i].value[v] = point[w * values + v];
    }
  }
  __device__ void get(int i, T (&point)[4]) const {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const Word read = word[w][i];
#pragma unroll
      for (int v = 0; v < values; ++v) point[w * values + v] = read.value[v];
    }
  }
};

/// Fetches the points of consecutive ranges, 32 at a time, one per lane.
template <class T>
class Feeder {
 public:
  __device__ Feeder(const MutualRange<T>* ranges, const MutualBlock& block,
                    const SourceView<T>& points)
      : ranges_(ranges),
        points_(points),
        range_(block.range_begin),
        end_(block.range_end),
        part_(block.part) {
    open();
  }

  /// The lane's next point. If there is none, a distant point of zero charge.
  __device__ void next(T (&point)[4]) {
    const int lane = threadIdx.x % 32;
    int index = -1;
    T shift[3] = {};
    count_ = 0;
    self_ = false;
    place_ = -1;
    while (count_ < batch && range_ < end_) {
      const int taken = min(batch - count_, sources_.end - sources_.begin);
      if (lane >= count_ && lane < count_ + taken) {
        index = sources_.begin + lane - count_;
        place_ = row_ < 0 ? -1 : row_ + lane - count_;
        for (int axis = 0; axis < 3; ++axis) shift[axis] = sources_.shift[axis];
      }
      self_ = self_ || row_ < 0;
      count_ += taken;
      sources_.begin += taken;
      if (row_ >= 0) row_ += taken;
      if (sources_.begin == sources_.end) {
        ++range_;
        open();
      }
    }
    constexpr T nowhere = T(64);
    point[0] = index < 0 ? nowhere : points_.points.x[index] - shift[0];
    point[1] = index < 0 ? nowhere : points_.points.y[index] - shift[1];
    point[2] = index < 0 ? nowhere : points_.points.z[index] - shift[2];
    point[3] = index < 0 ? T(0) : points_.charges[index];
  }

  __device__ int count() const { return count_; }
  /// True if the batch has points of the block's own leaf.
  __device__ bool self() const { return self_; }
  /// The position of the partial sums of the lane's point; negative: none.
  __device__ std::int32_t place() const { return place_; }

 private:
  __device__ void open() {
    if (range_ >= end_) return;
    const MutualRange<T> range = ranges_[range_];
    sources_ = range.sources;
    row_ = range.row;
    if (row_ >= 0) row_ += part_ * (sources_.end - sources_.begin);
  }

  const MutualRange<T>* ranges_;
  const SourceView<T>& points_;
  fmm::SourceRange<T> sources_{};
  std::int32_t row_ = 0, place_ = -1;
  int range_, end_, part_;
  int count_ = 0;
  bool self_ = false;
};

/// The points of a lane and their sums.
template <class Kind, int per_lane>
struct LanePoints {
  using T = typename Kind::Real;
  T at[per_lane][4];  ///< position, charge
  T sum[per_lane][Kind::components] = {};
};

/// Adds the pairs of `point` with the points of the lane in both directions: to own.sum and to
/// `back`.
template <Coincidence coincidence, class Kind, int per_lane>
__device__ __forceinline__ void add_point(const typename Kind::Term& term,
                                          const typename Kind::Real (&point)[4],
                                          LanePoints<Kind, per_lane>& own,
                                          typename Kind::Real (&back)[Kind::components]) {
  using T = typename Kind::Real;
  T sum[Kind::components] = {};
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    const T rx = own.at[i][0] - point[0], ry = own.at[i][1] - point[1],
            rz = own.at[i][2] - point[2];
    const T u = inverse_distance<coincidence, Kind::root>(term, rx, ry, rz);
    own.sum[i][0] = fma(u, point[3], own.sum[i][0]);
    sum[0] = fma(u, own.at[i][3], sum[0]);
    if constexpr (Kind::components > 1) {
      const T u3 = u * u * u, here = u3 * point[3], there = u3 * own.at[i][3];
      const T r[3] = {rx, ry, rz};
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        T& gradient = own.sum[i][fmm::gradient_at + axis];
        gradient = fma(-here, r[axis], gradient);
        sum[fmm::gradient_at + axis] = fma(there, r[axis], sum[fmm::gradient_at + axis]);
      }
    }
  }
#pragma unroll
  for (int c = 0; c < Kind::components; ++c) back[c] += sum[c];
}

/// A full round of the batch, in rings of `ring` lanes. Afterwards `back` has the sums of the
/// lane's own point.
template <Coincidence coincidence, class Kind, int per_lane>
__device__ __forceinline__ void add_round(const typename Kind::Term& term,
                                          const Tile<typename Kind::Real>& tile, int ring,
                                          LanePoints<Kind, per_lane>& own,
                                          typename Kind::Real (&back)[Kind::components]) {
  const int lane = threadIdx.x % 32, first = lane & ~(ring - 1),
            next = first | (lane + 1 & ring - 1);
#pragma unroll 2
  for (int step = 0; step < ring; ++step) {
    typename Kind::Real point[4];
    tile.get(first | (lane + step & ring - 1), point);
    add_point<coincidence>(term, point, own, back);
#pragma unroll
    for (int c = 0; c < Kind::components; ++c) back[c] = __shfl_sync(whole_warp, back[c], next);
  }
}

template <class Kind, int per_lane>
__device__ __forceinline__ void process_block(const Task<Kind>& task, const MutualBlock& block,
                                              int ring, Tile<typename Kind::Real>& tile) {
  using T = typename Kind::Real;
  const int lane = threadIdx.x % 32, slot = lane & (ring - 1);
  LanePoints<Kind, per_lane> own;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    const int local = slot + i * ring, point = block.begin + min(local, block.count - 1);
    own.at[i][0] = task.points.points.x[point];
    own.at[i][1] = task.points.points.y[point];
    own.at[i][2] = task.points.points.z[point];
    own.at[i][3] = local < block.count ? task.points.charges[point] : T(0);
  }
  Feeder<T> feeder(task.ranges, block, task.points);
  T point[4];
  feeder.next(point);
  while (feeder.count() > 0) {
    const bool self = feeder.self();
    const std::int32_t place = feeder.place();
    __syncwarp();
    tile.put(lane, point);
    __syncwarp();
    feeder.next(point);
    T back[Kind::components] = {};
    if (self) {
      add_round<Coincidence::possible>(task.term, tile, ring, own, back);
    } else {
      add_round<Coincidence::excluded>(task.term, tile, ring, own, back);
    }
    if (place >= 0) {
#pragma unroll
      for (int c = 0; c < Kind::components; ++c)
        task.partials[c * task.partial_count + place] = back[c];
    }
  }
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    const int local = slot + i * ring;
#pragma unroll
    for (int c = 0; c < Kind::components; ++c) {
      T total = own.sum[i][c];
      for (int first = ring; first < 32; first += ring)
        total += __shfl_sync(whole_warp, own.sum[i][c], slot + first);
      if (lane >= ring || local >= block.count) continue;
      const std::int32_t point = block.begin + local;
      T* const to = block.own_row < 0 ? component<Kind::terms>(task.sums, c, 0, point)
                                      : task.partials + c * task.partial_count + block.own_row +
                                            (point - block.leaf_begin);
      *to = total;
    }
  }
}

constexpr int most_per_lane = 4;  ///< most points per lane

/// The number of lanes in a ring, a power of two, that minimises the time of a round for `count`
/// points.
__device__ __forceinline__ int best_ring(int count) {
  int best = 32, least = 1 << 30;
  for (int ring = 32; ring >= 4; ring /= 2) {
    const int per_lane = max((count + ring - 1) / ring, 2), time = ring * (2 * per_lane + 1);
    if (per_lane > most_per_lane || time >= least) continue;
    best = ring;
    least = time;
  }
  return best;
}

/// Resident blocks per multiprocessor.
template <class Kind>
constexpr int resident_blocks = sizeof(typename Kind::Real) == sizeof(float)
                                    ? (Kind::components > 1 ? 6 : 7)
                                    : (Kind::components > 1 ? 3 : 4);

template <class Kind>
__global__ void __launch_bounds__(32 * warps_per_block, resident_blocks<Kind>)
    mutual_kernel(const __grid_constant__ Task<Kind> task) {
  __shared__ Tile<typename Kind::Real> tiles[warps_per_block];
  const int warp = threadIdx.x / 32, index = blockIdx.x * warps_per_block + warp;
  if (index >= task.block_count) return;
  const MutualBlock block = task.blocks[index];
  const int ring = best_ring(block.count), per_lane = (block.count + ring - 1) / ring;
  if (per_lane == 4) return process_block<Kind, 4>(task, block, ring, tiles[warp]);
  if (per_lane == 3) return process_block<Kind, 3>(task, block, ring, tiles[warp]);
  process_block<Kind, 2>(task, block, ring, tiles[warp]);
}

template <class T>
struct GatherTask {
  const MutualBlock* blocks;
  const std::int32_t* rows;
  const T* partials;
  std::int64_t partial_count;
  SumView<T> sums;
};

/// A thread block per block of points, a thread per point.
template <int components, class T>
__global__ void __launch_bounds__(mutual_targets)
    gather_partials_kernel(const __grid_constant__ GatherTask<T> task) {
  const MutualBlock block = task.blocks[blockIdx.x];
  if (block.own_row >= 0 || static_cast<std::int32_t>(threadIdx.x) >= block.count) return;
  const std::int32_t point = block.begin + static_cast<std::int32_t>(threadIdx.x),
                     in_row = point - block.leaf_begin;
  T total[components] = {};
  const auto add = [&](std::int64_t row) {
#pragma unroll
    for (int c = 0; c < components; ++c)
      total[c] += task.partials[c * task.partial_count + row + in_row];
  };
#pragma unroll 4
  for (std::int32_t r = 0; r < block.own_rows; ++r)
    add(block.own_rows_begin + static_cast<std::int64_t>(r) * (block.leaf_end - block.leaf_begin));
#pragma unroll 8
  for (std::int32_t r = block.rows_begin; r < block.rows_end; ++r) add(task.rows[r]);
#pragma unroll
  for (int c = 0; c < components; ++c) *component(task.sums, c, 0, point) += total[c];
}

template <class Kind>
void launch_mutual(const Task<Kind>& task, const std::int32_t* rows, const Stream& stream) {
  const LaunchShape shape{dim3(blocks_for(task.block_count, warps_per_block)),
                          dim3(32 * warps_per_block)};
  launch("P2P", &mutual_kernel<Kind>, shape, stream, task);
  using T = typename Kind::Real;
  const LaunchShape blocks{dim3(task.block_count), dim3(mutual_targets)};
  launch("P2P of other owners", &gather_partials_kernel<Kind::components, T>, blocks, stream,
         GatherTask<T>{task.blocks, rows, task.partials, task.partial_count, task.sums});
}

}  // namespace

template <class T>
void sum_mutual(const fmm::PairKernel& kernel, const MutualItems<T>& items,
                const SourceView<T>& points, const SumView<T>& sums, DeviceBuffer<T>& partials,
                Root root, const Stream& stream) {
  fmm::with_kernel<T>(kernel, [&](auto term) {
    using Term = decltype(term);
    // add_point() computes the charge terms of Laplace, which are also those of Plummer
    // (kernels/plummer.hpp).
    constexpr bool as_laplace = std::is_base_of_v<fmm::Laplace, Term>;
    static_assert(as_laplace || Term::vortices, "add_point() does not sum this kernel");
    if constexpr (as_laplace) {
      const auto launch_with = [&]<int derivatives, Root how>() {
        constexpr int what = coded({.derivatives = derivatives});
        launch_mutual<PairKind<Term, T, what, 1, how>>(
            {term, items.blocks.data(), static_cast<std::int32_t>(items.blocks.size()),
             items.ranges.data(), points, sums, partials.data(), items.partials},
            items.rows.data(), stream);
      };
      const auto launch_rooted = [&]<int derivatives>() {
        if constexpr (sizeof(T) == sizeof(double)) {
          if (root == Root::precise)
            return launch_with.template operator()<derivatives, Root::precise>();
        }
        launch_with.template operator()<derivatives, Root::quick>();
      };
      if (sums.gradient != nullptr) return launch_rooted.template operator()<1>();
      launch_rooted.template operator()<0>();
    }
  });
}

template void sum_mutual<float>(const fmm::PairKernel&, const MutualItems<float>&,
                                const SourceView<float>&, const SumView<float>&,
                                DeviceBuffer<float>&, Root, const Stream&);
template void sum_mutual<double>(const fmm::PairKernel&, const MutualItems<double>&,
                                 const SourceView<double>&, const SumView<double>&,
                                 DeviceBuffer<double>&, Root, const Stream&);

}  // namespace rankine::gpu
