// A warp takes a box, and its sources in batches. With Q, C and S of fmm/harmonics.hpp, a lane first
// finds C and S of one source for all m. Then groups of lanes go through the sources of the batch, a
// few at a time: the l-th lane of a group climbs through the degrees n of m = l, then through those
// of m = order - 1 - l, so that all lanes take the same number of steps, and adds each step to a sum
// of its own. The groups' sums are added in a fixed order at the end.
#include "rankine/gpu/sums/collect.hpp"

#include <algorithm>

#include "rankine/fmm/dual.hpp"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

template <class T>
struct CollectTask {
  fmm::Harmonic kind;
  const CollectItem<T>* items;
  std::int32_t item_count;
  const SourceRange<T>* ranges;
  const fmm::RecursionTable<T>* recursion;
  int order;
  SourceView<T> sources;
  Expansions<T> expansions;
};

/// Sources that a lane takes at a time.
template <class Numbers>
constexpr int together = Numbers::dipoles ? 2 : 4;

/// How lanes share the work of an order.
struct LaneSharing {
  int order;

  __host__ __device__ int lanes() const { return (order + 1) / 2; }  ///< of a group
  __host__ __device__ int steps() const { return order + 1; }
  __device__ int groups() const { return min(32 / lanes(), 8); }
  /// Most sources of a batch: fewer where the order is high, for shared memory.
  __host__ __device__ int most_sources() const { return order > 16 ? 16 : 32; }
  /// Sources of a batch, which the groups take in whole rounds.
  template <class Numbers>
  __device__ int batch() const {
    const int round = groups() * together<Numbers>;
    return most_sources() / round * round;
  }
  /// Elements of shared memory from one m to the next: lanes of a group hit different banks.
  __host__ __device__ int column() const { return most_sources() + 1; }
  /// The m of a lane, and how many steps it has done before n = m.
  __device__ int m(int lane, int step) const {
    return step < order - lane ? lane : order - 1 - lane;
  }
  __device__ int first_step(int lane, int m) const { return m == lane ? 0 : order - lane; }
};

/// up and back of each step and lane of a group, in whole 16-byte words.
template <class T>
constexpr std::size_t factor_bytes(int order) {
  return ((order + 1) * ((order + 1) / 2) * 2 * sizeof(T) + 15) / 16 * 16;
}

/// Arrays of one warp in shared memory.
template <class T, class V>
struct Batch {
  int column;
  V *cosine, *sine;  ///< C, S: order x column
  V *z, *r2;         ///< per source
  T* sums;           ///< steps x {cosine, sine} x lane

  static constexpr std::size_t bytes(int order) {
    const int column = LaneSharing{order}.column();
    return (2 * order * column + 64) * sizeof(V) + (order + 1) * 64 * sizeof(T);
  }
  __device__ Batch(void* shared, int order)
      : column(LaneSharing{order}.column()),
        cosine(static_cast<V*>(shared)),
        sine(cosine + order * column),
        z(sine + order * column),
        r2(z + 32),
        sums(reinterpret_cast<T*>(r2 + 32)) {}
};

/// Writes what the batch needs of source `index`; one that does not exist has no strength.
template <class Numbers, class T>
__device__ void load_source(const CollectTask<T>& task, const SourceRange<T>& range, T scale,
                            int rhs, int index, bool exists,
                            const Batch<T, typename Numbers::Value>& batch) {
  using V = typename Numbers::Value;
  const int lane = threadIdx.x % 32;
  const SourceView<T>& sources = task.sources;
  const auto component = [&](const T* values, int axis) {
    T moment = T(0);
    if constexpr (Numbers::dipoles) {
      const T loaded = sources.dipoles[(3 * rhs + axis) * sources.size + index];
      moment = exists ? loaded * scale : T(0);
    }
    return Numbers::coordinate((values[index] - range.shift[axis]) * scale, moment);
  };
  const bool charged = exists && sources.charges != nullptr;
  const T charge = charged ? sources.charges[rhs * sources.size + index] : T(0);
  const fmm::HarmonicPoint<V> at =
      fmm::harmonic_point(task.kind, component(sources.points.x, 0), component(sources.points.y, 1),
                          component(sources.points.z, 2), Numbers::start(charge));
  batch.z[lane] = at.z;
  batch.r2[lane] = at.r2;
  fmm::Azimuth<V> azimuth{at.start};
  for (int m = 0; m < task.order; ++m) {
    if (lane < batch.column) {
      batch.cosine[m * batch.column + lane] = azimuth.cosine;
      batch.sine[m * batch.column + lane] = azimuth.sine;
    }
    if (m + 1 == task.order) break;
    azimuth.advance(at, task.recursion->diagonal(m + 1));
  }
}

/// One source on its way through the degrees.
template <class V>
struct Climber {
  V z, r2, cosine, sine;
  fmm::Ascent<V> ascent;

  /// Puts it at n = m of a source of the batch.
  template <class T>
  __device__ void start(const Batch<T, V>& batch, int m, int source) {
    z = batch.z[source];
    r2 = batch.r2[source];
    cosine = batch.cosine[m * batch.column + source];
    sine = batch.sine[m * batch.column + source];
    ascent = {fmm::one<V>()};
  }
};

/// Adds the sources of the batch to the lane's sums.
/// `factors` holds up, back of each step and lane.
template <class Numbers, class T>
__device__ void add_batch(const LaneSharing& sharing, const T* factors, int count,
                          const Batch<T, typename Numbers::Value>& batch) {
  const int lanes = sharing.lanes(), groups = sharing.groups(), steps = sharing.steps();
  const int lane = threadIdx.x % 32, l = lane % lanes, group = lane / lanes;
  if (group >= groups) return;
  const int turn = sharing.order - l;  // the step at which the second m begins
  for (int base = 0; base < count; base += groups * together<Numbers>) {
    Climber<typename Numbers::Value> climbers[together<Numbers>];
    const auto start = [&](int m) {
#pragma unroll
      for (int i = 0; i < together<Numbers>; ++i)
        climbers[i].start(batch, m, base + i * groups + group);
    };
    start(l);
    for (int step = 0; step < steps; ++step) {
      if (step == turn) start(sharing.order - 1 - l);
      T* const sums = batch.sums + step * 64 + lane;
      T cosine = sums[0], sine = sums[32];
      const T up = factors[2 * (step * lanes + l)], back = factors[2 * (step * lanes + l) + 1];
#pragma unroll
      for (int i = 0; i < together<Numbers>; ++i) {
        cosine += Numbers::added(climbers[i].cosine * climbers[i].ascent.q);
        sine += Numbers::added(climbers[i].sine * climbers[i].ascent.q);
      }
      sums[0] = cosine;
      sums[32] = sine;
#pragma unroll
      for (int i = 0; i < together<Numbers>; ++i)
        climbers[i].ascent.climb(climbers[i].z, climbers[i].r2, up, back);
    }
  }
}

template <class Numbers, class T>
__global__ void collect_kernel(const __grid_constant__ CollectTask<T> task) {
  using V = typename Numbers::Value;
  extern __shared__ __align__(16) unsigned char shared[];
  const LaneSharing sharing{task.order};
  const int order = task.order, lanes = sharing.lanes(), steps = sharing.steps();
  T* const factors = reinterpret_cast<T*>(shared);
  for (int i = threadIdx.x; i < steps * lanes; i += blockDim.x) {
    const int step = i / lanes, l = i % lanes, m = sharing.m(l, step);
    const int n = min(m + step - sharing.first_step(l, m) + 1, fmm::max_harmonics - 1);
    factors[2 * i] = task.recursion->up(n, m);
    factors[2 * i + 1] = task.recursion->back(n, m);
  }
  __syncthreads();

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, rhs = blockIdx.y;
  const int index = blockIdx.x * (blockDim.x / 32) + warp;
  if (index >= task.item_count) return;
  const CollectItem<T> item = task.items[index];
  const Batch<T, V> batch(
      shared + factor_bytes<T>(order) + static_cast<std::size_t>(warp) * Batch<T, V>::bytes(order),
      order);
  for (int i = lane; i < steps * 64; i += 32) batch.sums[i] = T(0);
  const int batch_size = sharing.batch<Numbers>();
  for (int r = item.range_begin; r < item.range_end; ++r) {
    const SourceRange<T> range = task.ranges[r];
    for (int begin = range.begin; begin < range.end; begin += batch_size) {
      __syncwarp();
      const int source = begin + lane;
      load_source<Numbers>(task, range, item.scale, rhs, min(source, range.end - 1),
                           lane < batch_size && source < range.end, batch);
      __syncwarp();
      add_batch<Numbers>(sharing, factors, min(batch_size, range.end - begin), batch);
    }
  }
  __syncwarp();

  T* const expansion = task.expansions.data + rhs * task.expansions.rhs_stride +
                       static_cast<std::int64_t>(item.box) * task.expansions.stride;
  const int groups = sharing.groups();
  for (int k = lane; k < order * order; k += 32) {
    const int n = static_cast<int>(sqrtf(static_cast<float>(k) + 0.5f)), m_signed = k - n * n - n;
    const int m = abs(m_signed), l = m < lanes ? m : order - 1 - m;
    const int step = sharing.first_step(l, m) + n - m;
    T value = T(0);
    for (int i = 0; i < groups; ++i)
      value += batch.sums[step * 64 + (m_signed < 0 ? 32 : 0) + i * lanes + l];
    if (task.kind == fmm::Harmonic::singular) value += expansion[k];
    expansion[k] = value;
  }
}

template <class Numbers, class T>
void launch_collect(const char* pass, const CollectTask<T>& task, int rhs, const Stream& stream) {
  using V = typename Numbers::Value;
  constexpr std::size_t most_shared = 96 * 1024;  // of a block, on any device
  const std::size_t per_warp = Batch<T, V>::bytes(task.order), of_all = factor_bytes<T>(task.order);
  const int warps =
      static_cast<int>(std::clamp<std::size_t>((most_shared - of_all) / per_warp, 1, 4));
  const LaunchShape shape{dim3(blocks_for(task.item_count, warps), rhs), dim3(32 * warps),
                          of_all + warps * per_warp};
  launch(pass, &collect_kernel<Numbers, T>, shape, stream, task);
}

}  // namespace

template <class T>
void collect(fmm::Harmonic kind, const DeviceBuffer<CollectItem<T>>& items,
             const DeviceBuffer<SourceRange<T>>& ranges, const HarmonicTables<T>& tables,
             const SourceView<T>& sources, Expansions<T> expansions, int rhs,
             const Stream& stream) {
  const CollectTask<T> task{kind,
                            items.data(),
                            static_cast<std::int32_t>(items.size()),
                            ranges.data(),
                            tables.recursion.data(),
                            tables.order,
                            sources,
                            expansions};
  const char* const pass = kind == fmm::Harmonic::regular ? "P2M" : "P2L";
  if (sources.dipoles != nullptr) {
    launch_collect<fmm::DipoleNumbers<T>>(pass, task, rhs, stream);
  } else {
    launch_collect<fmm::ChargeNumbers<T>>(pass, task, rhs, stream);
  }
}

template void collect<float>(fmm::Harmonic, const DeviceBuffer<CollectItem<float>>&,
                             const DeviceBuffer<SourceRange<float>>&, const HarmonicTables<float>&,
                             const SourceView<float>&, Expansions<float>, int, const Stream&);
template void collect<double>(fmm::Harmonic, const DeviceBuffer<CollectItem<double>>&,
                              const DeviceBuffer<SourceRange<double>>&,
                              const HarmonicTables<double>&, const SourceView<double>&,
                              Expansions<double>, int, const Stream&);

}  // namespace rankine::gpu
