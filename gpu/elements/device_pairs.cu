#include "rankine/gpu/elements/device_pairs.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;
constexpr int axis_bits = 19;
constexpr int most_classes = 64;  // radii smaller than 2^-63 of the largest share the last one

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

/// The grids of all occupied classes, by value in every kernel.
struct Grids {
  Vec3d origin;
  int largest_exponent;
  int classes = 0;
  int index[most_classes];     ///< of the occupied classes
  double width[most_classes];  ///< by class

  __device__ int class_of(double radius) const {
    return min(largest_exponent - ilogb(radius), most_classes - 1);
  }
};

struct Cell {
  std::int64_t x, y, z;
};

__device__ Cell cell_of(const Vec3d& p, const Vec3d& origin, double width) {
  const Vec3d r = (p - origin) / width;
  return {static_cast<std::int64_t>(floor(r.x)), static_cast<std::int64_t>(floor(r.y)),
          static_cast<std::int64_t>(floor(r.z))};
}

__device__ std::uint64_t key_of(int size_class, std::int64_t x, std::int64_t y, std::int64_t z) {
  return (((static_cast<std::uint64_t>(size_class) << axis_bits | static_cast<std::uint64_t>(z))
               << axis_bits |
           static_cast<std::uint64_t>(y))
          << axis_bits) |
         static_cast<std::uint64_t>(x);
}

/// Largest radius of every class, as the bits of a double, which order like it.
__global__ void find_reaches(const double* radii, std::int64_t count, Grids grids,
                             unsigned long long* reach) {
  __shared__ unsigned long long of_block[most_classes];
  for (int c = static_cast<int>(threadIdx.x); c < most_classes; c += threads) of_block[c] = 0;
  __syncthreads();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < count) {
    atomicMax(&of_block[grids.class_of(radii[i])],
              static_cast<unsigned long long>(__double_as_longlong(radii[i])));
  }
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < most_classes; c += threads) {
    if (of_block[c] != 0) atomicMax(&reach[c], of_block[c]);
  }
}

__global__ void make_keys(const Vec3d* points, const double* radii, std::int64_t count, Grids grids,
                          std::uint64_t* keys, std::int32_t* order) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  const int size_class = grids.class_of(radii[i]);
  const Cell cell = cell_of(points[i], grids.origin, grids.width[size_class]);
  keys[i] = key_of(size_class, cell.x, cell.y, cell.z);
  order[i] = static_cast<std::int32_t>(i);
}

/// A point in the order of the keys.
struct Member {
  Vec3d point;
  double radius2;
};

__global__ void gather_members(const Vec3d* points, const double* radii, std::int64_t count,
                               const std::int32_t* order, Member* members) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  const std::int32_t j = order[i];
  members[i] = {points[j], radii[j] * radii[j]};
}

__device__ std::int64_t lower_bound(const std::uint64_t* keys, std::int64_t count,
                                    std::uint64_t key) {
  std::int64_t begin = 0;
  while (count > 0) {
    const std::int64_t half = count / 2;
    if (keys[begin + half] < key) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

/// Counts the row of the target at place `s` of the order (columns null), or writes it.
__global__ void __launch_bounds__(threads)
    visit_rows(const Member* __restrict__ members, const std::uint64_t* __restrict__ keys,
               const std::int32_t* __restrict__ order, std::int64_t count, Grids grids,
               std::int32_t* counts, const std::int64_t* __restrict__ offsets,
               std::int32_t* columns) {
  const std::int64_t s = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (s >= count) return;
  const Vec3d target = members[s].point;
  std::int32_t found = 0;
  std::int32_t* row = columns == nullptr ? nullptr : columns + offsets[order[s]];
  for (int each = 0; each < grids.classes; ++each) {
    const int size_class = grids.index[each];
    const Cell centre = cell_of(target, grids.origin, grids.width[size_class]);
    for (std::int64_t z = max(centre.z - 1, std::int64_t{0}); z <= centre.z + 1; ++z) {
      for (std::int64_t y = max(centre.y - 1, std::int64_t{0}); y <= centre.y + 1; ++y) {
        const std::uint64_t last = key_of(size_class, centre.x + 1, y, z);
        std::int64_t k =
            lower_bound(keys, count, key_of(size_class, max(centre.x - 1, std::int64_t{0}), y, z));
        for (; k < count && keys[k] <= last; ++k) {
          const Vec3d r = target - members[k].point;
          const double r2 = dot(r, r);
          if (r2 < members[k].radius2 || r2 == 0.0) {
            if (row != nullptr) row[found] = order[k];
            ++found;
          }
        }
      }
    }
  }
  if (row == nullptr) counts[order[s]] = found;
}

struct Widen {
  __device__ std::int64_t operator()(std::int32_t value) const { return value; }
};

/// Calls a CUB algorithm twice: for the size of its scratch memory, and to run it.
template <class Algorithm>
void with_scratch(const char* name, const Stream& stream, Algorithm&& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), name);
  DeviceBuffer<std::byte> scratch(bytes, stream);
  check(algorithm(scratch.data(), bytes), name);
}

Grids make_grids(const Vec3d* points, const double* radii, std::int64_t count,
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

  Grids grids{};
  grids.origin = all.low;
  grids.largest_exponent = std::ilogb(all.radius);
  DeviceBuffer<unsigned long long> reach(most_classes, stream);
  reach.zero(stream);
  launch("find_reaches", find_reaches,
         {blocks_for(static_cast<std::size_t>(count), threads), threads}, stream, radii, count,
         grids, reach.data());
  const std::vector<unsigned long long> reaches = reach.download(stream);
  const double least_width = std::max({sides.x, sides.y, sides.z}) / ((1 << axis_bits) - 2);
  for (int c = 0; c < most_classes; ++c) {
    if (reaches[c] == 0) continue;
    double widest;
    static_assert(sizeof widest == sizeof reaches[c]);
    std::copy_n(reinterpret_cast<const std::byte*>(&reaches[c]), sizeof widest,
                reinterpret_cast<std::byte*>(&widest));
    grids.width[c] = std::max(widest, least_width);
    grids.index[grids.classes++] = c;
  }
  return grids;
}

}  // namespace

NearPairs find_near_pairs(const Vec3d* points, const double* radii, std::size_t count,
                          std::size_t bytes_per_pair, const Stream& stream) {
  NearPairs pairs;
  pairs.offsets = DeviceBuffer<std::int64_t>(count + 1, stream);
  pairs.offsets.zero(stream);
  if (count == 0) return pairs;
  const auto n = static_cast<std::int64_t>(count);
  const LaunchShape one_each{blocks_for(count, threads), threads};
  const Grids grids = make_grids(points, radii, n, stream);

  DeviceBuffer<std::uint64_t> unsorted_keys(count, stream), keys(count, stream);
  DeviceBuffer<std::int32_t> unsorted(count, stream), order(count, stream);
  launch("make_keys", make_keys, one_each, stream, points, radii, n, grids, unsorted_keys.data(),
         unsorted.data());
  with_scratch("sorting the panels", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, unsorted_keys.data(), keys.data(),
                                           unsorted.data(), order.data(), n, 0, 64,
                                           stream.handle());
  });
  DeviceBuffer<Member> members(count, stream);
  launch("gather_members", gather_members, one_each, stream, points, radii, n, order.data(),
         members.data());

  DeviceBuffer<std::int32_t>& counts = unsorted;
  launch("count_rows", visit_rows, one_each, stream, members.data(), keys.data(), order.data(), n,
         grids, counts.data(), static_cast<const std::int64_t*>(nullptr),
         static_cast<std::int32_t*>(nullptr));
  const auto wide =
      thrust::make_transform_iterator(static_cast<const std::int32_t*>(counts.data()), Widen{});
  with_scratch("adding up near pairs", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, wide, pairs.offsets.data() + 1, n,
                                         stream.handle());
  });
  std::int64_t total = 0;
  download_bytes(&total, pairs.offsets.data() + count, sizeof total, stream.handle());
  stream.synchronize();

  stream.context()->require_memory(
      static_cast<std::size_t>(total) * (sizeof(std::int32_t) + bytes_per_pair),
      "The near-field matrix (" + std::to_string(total) + " entries)",
      "Use fewer panels, a looser quadrature tolerance, or --backend cpu.");
  pairs.columns = DeviceBuffer<std::int32_t>(static_cast<std::size_t>(total), stream);
  launch("write_rows", visit_rows, one_each, stream, members.data(), keys.data(), order.data(), n,
         grids, counts.data(), static_cast<const std::int64_t*>(pairs.offsets.data()),
         pairs.columns.data());
  return pairs;
}

}  // namespace rankine::gpu
