// A warp processes a box, with up to four of its sources per lane. All lanes step through the
// harmonics together, without normalisation factors. The values of a step are stored as two rows in
// shared memory; sixteen rows are summed at a time, two lanes per row. So every sum has a fixed
// order.
#include "rankine/gpu/sums/mutual_sums.hpp"

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
  const StepPair<T>* steps;
  int order;
  SourceView<T> sources;
  Expansions<T> expansions;
};

constexpr int warps_of_block = 4;

/// Largest number of sources per lane that fits into its registers.
template <class Numbers>
constexpr int most_of_lane = Numbers::dipoles ? 2 : 4;

constexpr int rows_of_pair = 4, rows_together = rows_of_pair * step_pairs_together;
constexpr int row_length = 33;  ///< so that lanes that read a column access different banks

/// Sums the rows of the steps starting with `pair`; sets the coefficients of the expansion, or adds
/// to them. All lanes of the warp must call it.
template <class T>
__device__ __forceinline__ void sum_rows(const T* rows, const StepPair<T>* pair, T* expansion,
                                         bool adds) {
  const int lane = threadIdx.x % 32, row = lane % rows_together;
  __syncwarp();
  const T* const half = rows + row * row_length + lane / rows_together * rows_together;
  T even = half[0], odd = half[1];
#pragma unroll
  for (int i = 2; i < rows_together; i += 2) {
    even += half[i];
    odd += half[i + 1];
  }
  T sum = even + odd;
  sum += __shfl_xor_sync(0xffffffffu, sum, rows_together);
  const int coefficient = pair[row / rows_of_pair].coefficient[row % rows_of_pair];
  if (lane < rows_together && coefficient >= 0) {
    sum *= pair[row / rows_of_pair].factor[row % rows_of_pair / 2];
    if (adds) {
      atomicAdd(expansion + coefficient,
                sum);  // no other thread adds to it; an atomic does not wait for the old value
    } else {
      expansion[coefficient] = sum;
    }
  }
  __syncwarp();
}

/// The point at which the harmonics of source `index` are evaluated. A missing source has zero
/// strength.
template <class Numbers, class T>
__device__ fmm::HarmonicPoint<typename Numbers::Value> load_source(const CollectTask<T>& task,
                                                                   const SourceRange<T>& range,
                                                                   T scale, int rhs, int index) {
  const SourceView<T>& sources = task.sources;
  const bool exists = index < range.end;
  const int at = exists ? index : range.end - 1;
  const auto coordinate = [&](const T* values, int axis) {
    T moment = T(0);
    if constexpr (Numbers::dipoles) {
      if (exists) moment = sources.dipoles[(3 * rhs + axis) * sources.size + at] * scale;
    }
    return Numbers::coordinate((values[at] - range.shift[axis]) * scale, moment);
  };
  const T charge =
      exists && sources.charges != nullptr ? sources.charges[rhs * sources.size + at] : T(0);
  return fmm::harmonic_point(task.kind, coordinate(sources.points.x, 0),
                             coordinate(sources.points.y, 1), coordinate(sources.points.z, 2),
                             Numbers::start(charge));
}

/// Sums the sources of the range, starting at `begin`, `count` per lane.
template <int count, class Numbers, class T>
__device__ __forceinline__ void collect_batch(const CollectTask<T>& task,
                                              const SourceRange<T>& range, int begin, T scale,
                                              int rhs, T* rows, T* expansion, bool adds) {
  using V = typename Numbers::Value;
  const int lane = threadIdx.x % 32;
  fmm::HarmonicPoint<V> at[count];
  fmm::Azimuth<V> azimuth[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    at[i] = load_source<Numbers>(task, range, scale, rhs, begin + 32 * i + lane);
    azimuth[i] = {at[i].start};
  }
  const StepPair<T>* pair = task.steps;
  int pairs = 0;  // whose rows have not been summed yet
  for (int m = 0; m < task.order; ++m) {
    fmm::Ascent<V> ascent[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (m > 0) azimuth[i].advance(at[i]);
      ascent[i] = {fmm::one<V>()};
    }
#pragma unroll 1
    for (int n = m; n < task.order; n += 2) {
      T back[2];
#pragma unroll
      for (int k = 0; k < 2; ++k) back[k] = __ldg(&pair->back[k]);
      T* const own = rows + pairs * rows_of_pair * row_length + lane;
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        T cosine = T(0), sine = T(0);
#pragma unroll
        for (int i = 0; i < count; ++i) {
          cosine += Numbers::added(azimuth[i].cosine * ascent[i].q);
          sine += Numbers::added(azimuth[i].sine * ascent[i].q);
          ascent[i].climb(at[i].z, at[i].r2, back[k]);
        }
        own[2 * k * row_length] = cosine;
        own[(2 * k + 1) * row_length] = sine;
      }
      ++pair;
      if (++pairs == step_pairs_together) {
        sum_rows(rows, pair - pairs, expansion, adds);
        pairs = 0;
      }
    }
  }
  if (pairs > 0) sum_rows(rows, pair - pairs, expansion, adds);
}

template <class Numbers, class T>
__global__ void __launch_bounds__(32 * warps_of_block)
    collect_kernel(const __grid_constant__ CollectTask<T> task) {
  __shared__ T rows[warps_of_block][rows_together * row_length];
  const int warp = threadIdx.x / 32, rhs = blockIdx.y;
  const int index = blockIdx.x * warps_of_block + warp;
  if (index >= task.item_count) return;
  const CollectItem<T> item = task.items[index];
  T* const expansion = task.expansions.data + rhs * task.expansions.rhs_stride +
                       static_cast<std::int64_t>(item.box) * task.expansions.stride;
  bool adds = task.kind == fmm::Harmonic::singular;
  for (int r = item.range_begin; r < item.range_end; ++r) {
    const SourceRange<T> range = task.ranges[r];
    for (int begin = range.begin; begin < range.end; begin += 32 * most_of_lane<Numbers>) {
      const int left = (range.end - begin + 31) / 32;
      if (left <= 1) {
        collect_batch<1, Numbers>(task, range, begin, item.scale, rhs, rows[warp], expansion, adds);
      } else if (left == 2 || most_of_lane<Numbers> == 2) {
        collect_batch<2, Numbers>(task, range, begin, item.scale, rhs, rows[warp], expansion, adds);
      } else if (left == 3) {
        collect_batch<3, Numbers>(task, range, begin, item.scale, rhs, rows[warp], expansion, adds);
      } else {
        collect_batch<4, Numbers>(task, range, begin, item.scale, rhs, rows[warp], expansion, adds);
      }
      adds = true;
    }
  }
}

template <class Numbers, class T>
void launch_collect(const char* pass, const CollectTask<T>& task, int rhs, const Stream& stream) {
  const LaunchShape shape{dim3(blocks_for(task.item_count, warps_of_block), rhs),
                          dim3(32 * warps_of_block)};
  launch(pass, &collect_kernel<Numbers, T>, shape, stream, task);
}

}  // namespace

template <class T>
void collect(fmm::Harmonic kind, const DeviceBuffer<CollectItem<T>>& items,
             const DeviceBuffer<SourceRange<T>>& ranges, const HarmonicTables<T>& tables,
             const SourceView<T>& sources, Expansions<T> expansions, int rhs,
             const Stream& stream) {
  const CollectTask<T> task{
      kind,          items.data(),        static_cast<std::int32_t>(items.size()),
      ranges.data(), tables.steps.data(), tables.order,
      sources,       expansions};
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
