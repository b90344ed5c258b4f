// P2M and P2L. A warp takes a box, and its sources in batches. With
//
//   R_n^m       = Q_n^m(z, r^2) C_m
//   R_n^-m      = Q_n^m(z, r^2) S_m
//   C_m + i S_m = (x + i y)^m
//   Q_m^m       = 1
//   Q_n^m       = up(n, m) z Q_{n-1}^m - back(n, m) r^2 Q_{n-2}^m
//
// (factors of fmm/harmonics.hpp; those of the diagonal go with C and S), a lane first finds C and S
// of one source for all m. Then groups of lanes go through the sources of the batch, a few at a
// time: the l-th lane of a group climbs through the degrees n of m = l, then through those of
// m = order - 1 - l, so that all lanes take the same number of steps, and adds each step to a sum
// of its own. The groups' sums are added in a fixed order at the end.
#include <algorithm>
#include <type_traits>

#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/dual.cuh"
#include "rankine/gpu/sums/point_expansions.hpp"

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

/// The number type of harmonics: with dipoles, dual numbers.
template <class T, bool dipoles>
using Value = std::conditional_t<dipoles, Dual<T>, T>;

template <class T>
__device__ __forceinline__ T one_of(T) {
  return T(1);
}
template <class T>
__device__ __forceinline__ Dual<T> one_of(Dual<T>) {
  return {T(1), T(0)};
}

/// What one source adds to an expansion: charge R + mu.grad R, as products with Q.
template <class T>
struct Weight {
  T value{};
  Weight() = default;
  __device__ Weight(T charge, T power) : value(charge * power) {}
  __device__ T times(T q) const { return value * q; }
};
template <class T>
struct Weight<Dual<T>> {
  T value{}, derivative{};
  Weight() = default;
  __device__ Weight(T charge, Dual<T> power)
      : value(charge * power.v + power.d), derivative(power.v) {}
  __device__ T times(Dual<T> q) const { return value * q.v + derivative * q.d; }
};

/// Sources that a lane takes at a time.
template <bool dipoles>
constexpr int together = dipoles ? 2 : 4;

/// How lanes share the work of an order.
struct LaneSharing {
  int order;

  __host__ __device__ int lanes() const { return (order + 1) / 2; }  ///< of a group
  __host__ __device__ int steps() const { return order + 1; }
  __device__ int groups() const { return min(32 / lanes(), 8); }
  /// Most sources of a batch: fewer where the order is high, for shared memory.
  __host__ __device__ int most_sources() const { return order > 16 ? 16 : 32; }
  /// Sources of a batch, which the groups take in whole rounds.
  template <bool dipoles>
  __device__ int batch() const {
    const int round = groups() * together<dipoles>;
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
  T* charge;
  T* sums;  ///< steps x {cosine, sine} x lane

  static constexpr std::size_t bytes(int order) {
    const int column = LaneSharing{order}.column();
    return (2 * order * column + 64) * sizeof(V) + (32 + (order + 1) * 64) * sizeof(T);
  }
  __device__ Batch(void* shared, int order)
      : column(LaneSharing{order}.column()),
        cosine(static_cast<V*>(shared)),
        sine(cosine + order * column),
        z(sine + order * column),
        r2(z + 32),
        charge(reinterpret_cast<T*>(r2 + 32)),
        sums(charge + 32) {}
};

template <class T, bool dipoles>
__device__ __forceinline__ Value<T, dipoles> coordinate(const SourceView<T>& sources,
                                                        const T* values, T shift, T scale, int axis,
                                                        int rhs, int index, bool exists) {
  const T at = (values[index] - shift) * scale;
  if constexpr (dipoles) {
    const T moment = sources.dipoles[(3 * rhs + axis) * sources.size + index];
    return {at, exists ? moment * scale : T(0)};
  } else {
    return at;
  }
}

/// Writes what the batch needs of source `index`; one that does not exist has no strength.
template <class T, bool charges, bool dipoles>
__device__ void load_source(const CollectTask<T>& task, const SourceRange<T>& range, T scale,
                            int rhs, int index, bool exists,
                            const Batch<T, Value<T, dipoles>>& batch) {
  using V = Value<T, dipoles>;
  const int lane = threadIdx.x % 32;
  const PointView<T>& points = task.sources.points;
  const auto component = [&](const T* values, int axis) {
    return coordinate<T, dipoles>(task.sources, values, range.shift[axis], scale, axis, rhs, index,
                                  exists);
  };
  V x = component(points.x, 0), y = component(points.y, 1), z = component(points.z, 2);
  V r2 = x * x + y * y + z * z;
  V cosine = one_of(V{}), sine{};
  if (task.kind == fmm::Harmonic::singular) {  // S(r) = R(r / |r|^2) / |r|
    cosine = inverse_root(r2);
    r2 = cosine * cosine;
    x = x * r2;
    y = y * r2;
    z = z * r2;
  }
  batch.z[lane] = z;
  batch.r2[lane] = r2;
  if constexpr (charges)
    batch.charge[lane] = exists ? task.sources.charges[rhs * task.sources.size + index] : T(0);
  for (int m = 0; m < task.order; ++m) {
    if (lane < batch.column) {
      batch.cosine[m * batch.column + lane] = cosine;
      batch.sine[m * batch.column + lane] = sine;
    }
    if (m + 1 == task.order) break;
    const T factor = task.recursion->diagonal[m + 1];
    const V c = (x * cosine - y * sine) * factor;
    sine = (x * sine + y * cosine) * factor;
    cosine = c;
  }
}

/// One source on its way through the degrees.
template <class T, class V>
struct Climber {
  V z, r2, q, before;
  Weight<V> cosine, sine;

  /// Puts it at n = m of a source of the batch.
  __device__ void start(const Batch<T, V>& batch, bool charges, int m, int source) {
    z = batch.z[source];
    r2 = batch.r2[source];
    q = one_of(V{});
    before = V{};
    const T charge = charges ? batch.charge[source] : T(0);
    cosine = Weight<V>(charge, batch.cosine[m * batch.column + source]);
    sine = Weight<V>(charge, batch.sine[m * batch.column + source]);
  }

  __device__ void climb(T up, T back) {
    const V next = (z * up) * q - (r2 * back) * before;
    before = q;
    q = next;
  }
};

/// Adds the sources of the batch to the lane's sums.
/// `factors` holds up, back of each step and lane.
template <class T, bool charges, bool dipoles>
__device__ void add_batch(const LaneSharing& sharing, const T* factors, int count,
                          const Batch<T, Value<T, dipoles>>& batch) {
  using V = Value<T, dipoles>;
  const int lanes = sharing.lanes(), groups = sharing.groups(), steps = sharing.steps();
  const int lane = threadIdx.x % 32, l = lane % lanes, group = lane / lanes;
  if (group >= groups) return;
  const int turn = sharing.order - l;  // the step at which the second m begins
  for (int base = 0; base < count; base += groups * together<dipoles>) {
    Climber<T, V> climbers[together<dipoles>];
    const auto start = [&](int m) {
#pragma unroll
      for (int i = 0; i < together<dipoles>; ++i)
        climbers[i].start(batch, charges, m, base + i * groups + group);
    };
    start(l);
    for (int step = 0; step < steps; ++step) {
      if (step == turn) start(sharing.order - 1 - l);
      T* const sums = batch.sums + step * 64 + lane;
      T cosine = sums[0], sine = sums[32];
      const T up = factors[2 * (step * lanes + l)], back = factors[2 * (step * lanes + l) + 1];
#pragma unroll
      for (int i = 0; i < together<dipoles>; ++i) {
        cosine += climbers[i].cosine.times(climbers[i].q);
        sine += climbers[i].sine.times(climbers[i].q);
      }
      sums[0] = cosine;
      sums[32] = sine;
#pragma unroll
      for (int i = 0; i < together<dipoles>; ++i) climbers[i].climb(up, back);
    }
  }
}

template <class T, bool charges, bool dipoles>
__global__ void collect_kernel(const __grid_constant__ CollectTask<T> task) {
  using V = Value<T, dipoles>;
  extern __shared__ __align__(16) unsigned char shared[];
  const LaneSharing sharing{task.order};
  const int order = task.order, lanes = sharing.lanes(), steps = sharing.steps();
  T* const factors = reinterpret_cast<T*>(shared);
  for (int i = threadIdx.x; i < steps * lanes; i += blockDim.x) {
    const int step = i / lanes, l = i % lanes, m = sharing.m(l, step);
    const int n = min(m + step - sharing.first_step(l, m) + 1, fmm::max_order - 1);
    factors[2 * i] = task.recursion->up[n * fmm::max_order + m];
    factors[2 * i + 1] = task.recursion->back[n * fmm::max_order + m];
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
  const int batch_size = sharing.batch<dipoles>();
  for (int r = item.range_begin; r < item.range_end; ++r) {
    const SourceRange<T> range = task.ranges[r];
    for (int begin = range.begin; begin < range.end; begin += batch_size) {
      __syncwarp();
      const int source = begin + lane;
      load_source<T, charges, dipoles>(task, range, item.scale, rhs, min(source, range.end - 1),
                                       lane < batch_size && source < range.end, batch);
      __syncwarp();
      add_batch<T, charges, dipoles>(sharing, factors, min(batch_size, range.end - begin), batch);
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

template <class T, bool charges, bool dipoles>
void launch_collect(const char* pass, const CollectTask<T>& task, int rhs, const Stream& stream) {
  using V = Value<T, dipoles>;
  constexpr std::size_t most_shared = 96 * 1024;  // of a block, on any device
  const std::size_t per_warp = Batch<T, V>::bytes(task.order), of_all = factor_bytes<T>(task.order);
  const int warps =
      static_cast<int>(std::clamp<std::size_t>((most_shared - of_all) / per_warp, 1, 4));
  const LaunchShape shape{dim3(blocks_for(task.item_count, warps), rhs), dim3(32 * warps),
                          of_all + warps * per_warp};
  launch(pass, &collect_kernel<T, charges, dipoles>, shape, stream, task);
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
  if (sources.charges != nullptr && sources.dipoles != nullptr) {
    launch_collect<T, true, true>(pass, task, rhs, stream);
  } else if (sources.charges != nullptr) {
    launch_collect<T, true, false>(pass, task, rhs, stream);
  } else {
    launch_collect<T, false, true>(pass, task, rhs, stream);
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
