// P2M and P2L. A warp takes a box; each of its lanes takes one m and follows
//   R_m^m  <-  (x + i y)^m,    R_n^m = up(n, m) z R_{n-1}^m - back(n, m) r^2 R_{n-2}^m
// for a few sources at a time, adding to its own sums over the sources, one for each n. Where the
// order is small the warp divides into groups, each with sources of its own; the groups are added
// in a fixed order at the end.
#include <algorithm>

#include "gpu/dual.cuh"
#include "gpu/launch.cuh"
#include "gpu/point_expansions.hpp"

namespace rankine::gpu {
namespace {

constexpr int warps_per_block = 4;

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

/// The number type of a source's coordinates: with dipoles, dual numbers.
template <class T, bool dipoles>
struct Coordinate {
  using type = T;
};
template <class T>
struct Coordinate<T, true> {
  using type = Dual<T>;
};

template <class T>
__device__ __forceinline__ T select(bool first, T a, T b) {
  return first ? a : b;
}
template <class T>
__device__ __forceinline__ Dual<T> select(bool first, Dual<T> a, Dual<T> b) {
  return {first ? a.v : b.v, first ? a.d : b.d};
}
template <class T>
__device__ __forceinline__ T contribution(T charge, T value) {
  return charge * value;
}
template <class T>
__device__ __forceinline__ T contribution(T charge, Dual<T> value) {
  return charge * value.v + value.d;
}

/// A source on its way through the degrees for one m. Up to n = m a step multiplies the pair by x +
/// i y, from then on it is the three-term recursion; `p` and `q` are x and y, then z and r^2, and
/// `before` the other component, then degree n - 2.
template <class T, bool charges, bool dipoles>
struct Climber {
  using V = typename Coordinate<T, dipoles>::type;

  V p, q, z, r2, cosine, sine, cosine_before, sine_before;
  T charge;

  __device__ void load(const SourceView<T>& sources, int rhs, int index, bool exists,
                       const SourceRange<T>& range, T scale, fmm::Harmonic kind) {
    V x = coordinate(sources.points.x, sources, rhs, index, exists, range.shift[0], scale, 0);
    V y = coordinate(sources.points.y, sources, rhs, index, exists, range.shift[1], scale, 1);
    z = coordinate(sources.points.z, sources, rhs, index, exists, range.shift[2], scale, 2);
    charge = T(0);
    if constexpr (charges) charge = exists ? sources.charges[rhs * sources.size + index] : T(0);
    r2 = x * x + y * y + z * z;
    V factor = V{};
    if (kind == fmm::Harmonic::singular) {  // S(r) = R(r / |r|^2) / |r|
      factor = inverse_root(r2);
      const V square = factor * factor;
      x = x * square;
      y = y * square;
      z = z * square;
      r2 = square;
    } else {
      set_one(factor);
    }
    p = x;
    q = y;
    cosine = factor;
    sine = V{};
    cosine_before = sine;
    sine_before = -cosine;
  }

  __device__ void step(bool starts_climbing, bool climbs_next, T up, T back) {
    p = select(starts_climbing, z, p);
    q = select(starts_climbing, r2, q);
    const V a = p * up, b = q * back;
    const V c = a * cosine - b * cosine_before, s = a * sine - b * sine_before;
    cosine_before = select(climbs_next, cosine, s);
    sine_before = select(climbs_next, sine, -c);
    cosine = c;
    sine = s;
  }

 private:
  static __device__ void set_one(T& value) { value = T(1); }
  static __device__ void set_one(Dual<T>& value) { value.v = T(1); }

  static __device__ V coordinate(const T* values, const SourceView<T>& sources, int rhs, int index,
                                 bool exists, T shift, T scale, int axis) {
    const T at = (values[index] - shift) * scale;
    if constexpr (dipoles) {
      const T moment = sources.dipoles[(3 * rhs + axis) * sources.size + index];
      return {at, exists ? moment * scale : T(0)};
    } else {
      return at;
    }
  }
};

template <class T, bool charges, bool dipoles>
__global__ void __launch_bounds__(32 * warps_per_block)
    collect_kernel(const __grid_constant__ CollectTask<T> task) {
  constexpr int together = dipoles ? 2 : 4;  // sources per group
  extern __shared__ __align__(16) unsigned char shared[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int index = blockIdx.x * warps_per_block + warp;
  if (index >= task.item_count) return;
  const CollectItem<T> item = task.items[index];
  const int rhs = blockIdx.y, order = task.order;
  T* const sums =
      reinterpret_cast<T*>(shared) + warp * order * 64;  // order x {cosine, sine} x lane
  T* const expansion = task.expansions.data + rhs * task.expansions.rhs_stride +
                       static_cast<std::int64_t>(item.box) * task.expansions.stride;

  const int width = min(order, 32), groups = 32 / width, group = lane / width;
  for (int base = 0; base < order; base += 32) {
    const int m = base + lane % width;
    for (int i = lane; i < order * 64; i += 32) sums[i] = T(0);
    __syncwarp();
    for (int r = item.range_begin; r < item.range_end; ++r) {
      const SourceRange<T> range = task.ranges[r];
      for (int begin = range.begin; begin < range.end; begin += groups * together) {
        Climber<T, charges, dipoles> climbers[together];
#pragma unroll
        for (int i = 0; i < together; ++i) {
          const int source = begin + i * groups + group;
          climbers[i].load(task.sources, rhs, min(source, range.end - 1),
                           group < groups && source < range.end, range, item.scale, task.kind);
        }
        for (int n = 0; n < order; ++n) {
          if (n > 0) {
            const bool climbing = n > m;
            const T up =
                climbing ? task.recursion->up[n * fmm::max_order + m] : task.recursion->diagonal[n];
            const T back = climbing ? task.recursion->back[n * fmm::max_order + m] : up;
#pragma unroll
            for (int i = 0; i < together; ++i) climbers[i].step(n == m + 1, n >= m, up, back);
          }
          T cosine = T(0), sine = T(0);
#pragma unroll
          for (int i = 0; i < together; ++i) {
            cosine += contribution(climbers[i].charge, climbers[i].cosine);
            sine += contribution(climbers[i].charge, climbers[i].sine);
          }
          sums[n * 64 + lane] += cosine;
          sums[n * 64 + 32 + lane] += sine;
        }
      }
    }
    __syncwarp();
    for (int k = lane; k < order * order; k += 32) {
      const int n = static_cast<int>(sqrtf(static_cast<float>(k) + 0.5f)), m_signed = k - n * n - n;
      const int abs_m = abs(m_signed);
      if (abs_m < base || abs_m >= base + 32) continue;
      T value = T(0);
      for (int i = 0; i < groups; ++i) {
        value += sums[n * 64 + (m_signed < 0 ? 32 : 0) + i * width + abs_m - base];
      }
      if (task.kind == fmm::Harmonic::singular) value += expansion[k];
      expansion[k] = value;
    }
    __syncwarp();
  }
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
  const LaunchShape shape{dim3(blocks_for(items.size(), warps_per_block), rhs),
                          dim3(32 * warps_per_block),
                          warps_per_block * tables.order * 64 * sizeof(T)};
  const char* const pass = kind == fmm::Harmonic::regular ? "P2M" : "P2L";
  if (sources.charges != nullptr && sources.dipoles != nullptr) {
    launch(pass, &collect_kernel<T, true, true>, shape, stream, task);
  } else if (sources.charges != nullptr) {
    launch(pass, &collect_kernel<T, true, false>, shape, stream, task);
  } else {
    launch(pass, &collect_kernel<T, false, true>, shape, stream, task);
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
