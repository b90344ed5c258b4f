#include "rankine/gpu/elements/device_pairs.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <limits>

#include "rankine/bem/panels/near_grid.hpp"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/runtime/scratch.cuh"

namespace rankine::gpu {
namespace {

using bem::NearGrids;
using bem::NearSource;

constexpr int threads = 128;
struct Extent {
  Vec3d low, high;
  double radius;  ///< largest
};

struct ExtentOf {
  const Vec3d* points;
  const double* radii;
  __device__ Extent operator()(std::int64_t i) const { return {points[i], points[i], radii[i]}; }
};

struct Unite {
  __device__ Extent operator()(const Extent& a, const Extent& b) const {
    return {{fmin(a.low.x, b.low.x), fmin(a.low.y, b.low.y), fmin(a.low.z, b.low.z)},
            {fmax(a.high.x, b.high.x), fmax(a.high.y, b.high.y), fmax(a.high.z, b.high.z)},
            fmax(a.radius, b.radius)};
  }
};

/// Largest reach of every class, as the bits of a double, which have the same order as the doubles.
__global__ void find_reaches(const double* radii, std::int64_t count, NearGrids grids,
                             unsigned long long* reach) {
  __shared__ unsigned long long of_block[NearGrids::most_classes];
  for (int c = static_cast<int>(threadIdx.x); c < NearGrids::most_classes; c += threads) {
    of_block[c] = 0;
  }
  __syncthreads();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < count) {
    atomicMax(&of_block[grids.class_of(radii[i])],
              static_cast<unsigned long long>(__double_as_longlong(NearGrids::reach_of(radii[i]))));
  }
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < NearGrids::most_classes; c += threads) {
    if (of_block[c] != 0) atomicMax(&reach[c], of_block[c]);
  }
}

__global__ void make_keys(const Vec3d* points, const double* radii, std::int64_t count,
                          NearGrids grids, std::uint64_t* keys, std::int32_t* order) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  keys[i] = grids.key_of(points[i], radii[i]);
  order[i] = static_cast<std::int32_t>(i);
}

__global__ void gather_sources(const Vec3d* points, const double* radii, std::int64_t count,
                               const std::int32_t* order, NearSource* sources) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  const std::int32_t j = order[i];
  sources[i] = {points[j], radii[j]};
}

__global__ void find_owners(const std::int32_t* first, std::int64_t panels, std::int32_t* owner) {
  const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (j >= panels) return;
  for (std::int32_t ball = first[j]; ball < first[j + 1]; ++ball)
    owner[ball] = static_cast<std::int32_t>(j);
}

/// Balls, sorted by key.
struct SortedBalls {
  DeviceBalls balls;
  const std::int32_t* owner;  ///< panel of a ball
  const NearSource* sources;
  const std::uint64_t* keys;
  const std::int32_t* order;

  /// True if the ball at position k is the first ball of its panel that contains x.
  __device__ bool reaches(std::int64_t k, const Vec3d& x) const {
    if (!sources[k].reaches(x)) return false;
    const std::int32_t ball = order[k];
    return bem::first_to_reach(balls.centre, balls.radius, balls.first[owner[ball]], ball, x);
  }
};

/// The row of thread `s`, or `none`: that of the panel whose first ball is at position `s` of the
/// sorted order. So consecutive threads have targets that are close to each other.
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
__device__ std::size_t row_at(const SortedBalls& sorted, NearTargets targets, std::size_t s,
                              const bem::RowRange& rows) {
  std::size_t row = rows.begin + s;
  if (targets == NearTargets::points_of_panels) {
    if (s >= sorted.balls.count) return none;
    const std::int32_t panel = sorted.owner[sorted.order[s]];
    if (sorted.order[s] != sorted.balls.first[panel]) return none;
    row = static_cast<std::size_t>(panel);
  }
  return row >= rows.begin && row < rows.end ? row : none;
}

/// Counts (if `columns` is null) or writes the rows.
__global__ void __launch_bounds__(threads)
    visit_rows(const Vec3d* __restrict__ points, NearTargets targets, SortedBalls sorted,
               NearGrids grids, bem::RowRange rows, std::int32_t* counts,
               const std::int64_t* __restrict__ offsets, std::int32_t* columns) {
  const std::size_t at =
      row_at(sorted, targets, static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x, rows);
  if (at == none) return;
  const auto count = static_cast<std::int64_t>(sorted.balls.count);
  const Vec3d target = points[at];
  std::int32_t found = 0;
  std::int32_t* row = columns == nullptr ? nullptr : columns + offsets[at - rows.begin];
  for (int each = 0; each < grids.classes; ++each) {
    const int size_class = grids.occupied[each];
    const bem::Cell centre = grids.cell_of(target, size_class);
    NearGrids::visit_runs(size_class, centre, [&](std::uint64_t first, std::uint64_t last) {
      std::int64_t k = bem::first_not_below(sorted.keys, count, first);
      for (; k < count && sorted.keys[k] <= last; ++k) {
        if (!sorted.reaches(k, target)) continue;
        if (row != nullptr) row[found] = sorted.owner[sorted.order[k]];
        ++found;
      }
    });
  }
  if (row == nullptr) counts[at - rows.begin] = found;
}

struct Widen {
  __device__ std::int64_t operator()(std::int32_t value) const { return value; }
};

NearGrids make_grids(const Vec3d* points, const double* radii, std::int64_t count,
                     const Stream& stream) {
  DeviceBuffer<Extent> extent(1, stream);
  const double huge = std::numeric_limits<double>::max();
  const Extent nothing{{huge, huge, huge}, {-huge, -huge, -huge}, 0.0};
  const auto each = thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(0),
                                                    ExtentOf{points, radii});
  with_scratch("finding the extent of the panels", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(scratch, bytes, each, extent.data(), count, Unite{}, nothing,
                                     stream.handle());
  });
  const Extent all = extent.download(stream).front();
  const Vec3d sides = all.high - all.low;

  NearGrids grids;
  grids.largest_exponent = std::ilogb(NearGrids::reach_of(all.radius));
  DeviceBuffer<unsigned long long> reach(NearGrids::most_classes, stream);
  reach.zero(stream);
  launch("find_reaches", find_reaches,
         {blocks_for(static_cast<std::size_t>(count), threads), threads}, stream, radii, count,
         grids, reach.data());
  double reaches[NearGrids::most_classes];
  static_assert(sizeof reaches == NearGrids::most_classes * sizeof(unsigned long long));
  download_bytes(reaches, reach.data(), sizeof reaches, stream);
  stream.synchronize();
  grids.set_cells(all.low, std::max({sides.x, sides.y, sides.z}), reaches);
  return grids;
}

}  // namespace

DevicePattern find_near_pairs(std::span<const Vec3d> points, NearTargets targets,
                              const DeviceBalls& balls, const bem::RowRange& rows,
                              std::size_t bytes_per_pair, const Stream& stream) {
  const std::size_t panels = balls.panels, count = balls.count, wanted = rows.end - rows.begin;
  DevicePattern pairs;
  pairs.offsets = DeviceBuffer<std::int64_t>(wanted + 1, stream);
  pairs.offsets.zero(stream);
  if (wanted == 0) return pairs;
  const auto n = static_cast<std::int64_t>(count);
  const LaunchShape one_each{blocks_for(count, threads), threads};
  const NearGrids grids = make_grids(balls.centre, balls.radius, n, stream);

  DeviceBuffer<std::uint64_t> unsorted_keys(count, stream), keys(count, stream);
  DeviceBuffer<std::int32_t> unsorted(count, stream), order(count, stream);
  launch("make_keys", make_keys, one_each, stream, balls.centre, balls.radius, n, grids,
         unsorted_keys.data(), unsorted.data());
  with_scratch("sorting the panels", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, unsorted_keys.data(), keys.data(),
                                           unsorted.data(), order.data(), n, 0, NearGrids::key_bits,
                                           stream.handle());
  });
  DeviceBuffer<NearSource> sources(count, stream);
  launch("gather_sources", gather_sources, one_each, stream, balls.centre, balls.radius, n,
         order.data(), sources.data());

  DeviceBuffer<std::int32_t> owner(count, stream);
  launch("find_owners", find_owners, {blocks_for(panels, threads), threads}, stream, balls.first,
         static_cast<std::int64_t>(panels), owner.data());
  const SortedBalls sorted{balls, owner.data(), sources.data(), keys.data(), order.data()};

  DeviceBuffer<std::int32_t> counts(wanted, stream);
  const LaunchShape each_row{blocks_for(targets == NearTargets::anything ? wanted : count, threads),
                             threads};
  launch("count_rows", visit_rows, each_row, stream, points.data(), targets, sorted, grids, rows,
         counts.data(), static_cast<const std::int64_t*>(nullptr),
         static_cast<std::int32_t*>(nullptr));
  const auto wide =
      thrust::make_transform_iterator(static_cast<const std::int32_t*>(counts.data()), Widen{});
  with_scratch("adding up near pairs", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, wide, pairs.offsets.data() + 1,
                                         static_cast<std::int64_t>(wanted), stream.handle());
  });
  std::int64_t total = 0;
  download_bytes(&total, pairs.offsets.data() + wanted, sizeof total, stream);
  stream.synchronize();

  stream.context()->require_memory(
      static_cast<std::size_t>(total) * (sizeof(std::int32_t) + bytes_per_pair),
      "The near-field matrix (" + std::to_string(total) + " entries)",
      "Use fewer panels, a looser quadrature tolerance, or --backend cpu.");
  pairs.columns = DeviceBuffer<std::int32_t>(static_cast<std::size_t>(total), stream);
  launch("write_rows", visit_rows, each_row, stream, points.data(), targets, sorted, grids, rows,
         counts.data(), static_cast<const std::int64_t*>(pairs.offsets.data()),
         pairs.columns.data());
  return pairs;
}

}  // namespace rankine::gpu
