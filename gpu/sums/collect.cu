// A warp takes a box, and its sources up to four to a lane. All lanes go through the harmonics together, without
// factors of normalisation; what the lanes found of one harmonic becomes a row in shared memory, and sixteen rows
// are summed at a time, two lanes to a row. So every sum is taken in the same order in every run.
#include "rankine/gpu/sums/collect.hpp"

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
  const fmm::MonicTable<T>* monic;
  const CollectedTerm<T>* terms;
  int order;
  SourceView<T> sources;
  Expansions<T> expansions;
};

constexpr int warps_of_block = 4;

/// Most sources of a lane, for what fits its registers.
template <class Numbers>
constexpr int most_of_lane = Numbers::dipoles ? 2 : 4;

constexpr int rows_together = 16;
constexpr int row_length = 33;  ///< lanes that read down the columns hit different banks

/// Sums of a warp's values, one expansion coefficient after the other in the order of `terms`.
template <class T>
class RowSums {
 public:
  __device__ RowSums(T* rows, const CollectedTerm<T>* terms, T* expansion, bool adds)
      : rows_(rows), terms_(terms), expansion_(expansion), adds_(adds), lane_(threadIdx.x % 32) {}

  /// The lane's part of the next coefficient. Call with the whole warp.
  __device__ void add(T value) {
    rows_[filled_ * row_length + lane_] = value;
    if (++filled_ == rows_together) write();
  }

  /// Sums the rows and writes the coefficients, or adds them. Call with the whole warp.
  __device__ void write() {
    __syncwarp();
    const T* const half =
        rows_ + lane_ % rows_together * row_length + lane_ / rows_together * rows_together;
    T even = half[0], odd = half[1];
#pragma unroll
    for (int i = 2; i < rows_together; i += 2) {
      even += half[i];
      odd += half[i + 1];
    }
    T sum = even + odd;
    sum += __shfl_xor_sync(0xffffffffu, sum, rows_together);
    if (lane_ < filled_) {
      const CollectedTerm<T> term = terms_[lane_];
      T* const to = expansion_ + term.coefficient;
      *to = adds_ ? *to + sum * term.factor : sum * term.factor;
    }
    __syncwarp();
    terms_ += filled_;
    filled_ = 0;
  }

 private:
  T* rows_;
  const CollectedTerm<T>* terms_;
  T* expansion_;
  bool adds_;
  int lane_, filled_ = 0;
};

/// Where the harmonics of source `index` are evaluated; one that does not exist has no strength.
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
  const T charge = exists && sources.charges != nullptr
                       ? sources.charges[rhs * sources.size + at]
                       : T(0);
  return fmm::harmonic_point(task.kind, coordinate(sources.points.x, 0),
                             coordinate(sources.points.y, 1), coordinate(sources.points.z, 2),
                             Numbers::start(charge));
}

/// Adds the sources of the range from `begin` on, `count` to a lane.
template <int count, class Numbers, class T>
__device__ __forceinline__ void collect_batch(const CollectTask<T>& task,
                                              const SourceRange<T>& range, int begin, T scale,
                                              int rhs, RowSums<T> sums) {
  using V = typename Numbers::Value;
  fmm::HarmonicPoint<V> at[count];
  fmm::Azimuth<V> azimuth[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    at[i] = load_source<Numbers>(task, range, scale, rhs,
                                 begin + 32 * i + static_cast<int>(threadIdx.x % 32));
    azimuth[i] = {at[i].start};
  }
  for (int m = 0; m < task.order; ++m) {
    fmm::Ascent<V> ascent[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (m > 0) azimuth[i].advance(at[i]);
      ascent[i] = {fmm::one<V>()};
    }
    for (int n = m;;) {
      T cosine = T(0), sine = T(0);
#pragma unroll
      for (int i = 0; i < count; ++i) {
        cosine += Numbers::added(azimuth[i].cosine * ascent[i].q);
        sine += Numbers::added(azimuth[i].sine * ascent[i].q);
      }
      sums.add(cosine);
      if (m > 0) sums.add(sine);
      if (++n >= task.order) break;
      const T back = task.monic->back(n, m);
#pragma unroll
      for (int i = 0; i < count; ++i) ascent[i].climb(at[i].z, at[i].r2, back);
    }
  }
  sums.write();
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
      const RowSums<T> sums(rows[warp], task.terms, expansion, adds);
      const int left = (range.end - begin + 31) / 32;
      if (left <= 1) {
        collect_batch<1, Numbers>(task, range, begin, item.scale, rhs, sums);
      } else if (left == 2 || most_of_lane<Numbers> == 2) {
        collect_batch<2, Numbers>(task, range, begin, item.scale, rhs, sums);
      } else if (left == 3) {
        collect_batch<3, Numbers>(task, range, begin, item.scale, rhs, sums);
      } else {
        collect_batch<4, Numbers>(task, range, begin, item.scale, rhs, sums);
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
  const CollectTask<T> task{kind,
                            items.data(),
                            static_cast<std::int32_t>(items.size()),
                            ranges.data(),
                            tables.monic.data(),
                            tables.collected.data(),
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
