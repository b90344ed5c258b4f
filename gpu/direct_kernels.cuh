// Kernels of the direct sum: packing points and strengths into tiles, the sum itself, adding
// partial sums.
#pragma once

#include <cstdint>

#include "fmm/vec3.hpp"
#include "gpu/pair_tile.cuh"

namespace rankine::gpu {

/// Points of one tile: threads of a block, sources staged in shared memory at a time.
inline constexpr int direct_tile = 128;

/// One set of points in Morton order. `centre` has one entry per tile, zero where positions are not
/// made relative.
struct DirectPoints {
  const Vec3d* point;         ///< in the caller's order, metres
  const std::int32_t* order;  ///< Morton order -> caller's order
  std::int32_t count;
  const Vec3d* centre;
};

/// Strengths in the caller's order; null where not given. `stride` is the number of sources.
struct DirectStrengths {
  const double* charges;
  const double* normal_dipoles;
  const double* dipoles;
  const Vec3d* normals;
  std::int64_t stride;
};

/// Centre of the bounding box of every tile.
static __global__ void find_tile_centres(DirectPoints points, Vec3d* centre, int tiles) {
  const int tile = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (tile >= tiles) return;
  const int begin = tile * direct_tile;
  const int end = min(begin + direct_tile, points.count);
  Vec3d low = points.point[points.order[begin]], high = low;
  for (int i = begin + 1; i < end; ++i) {
    const Vec3d p = points.point[points.order[i]];
    low = {fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
    high = {fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
  }
  centre[tile] = 0.5 * (low + high);
}

/// Position of the i-th point in Morton order relative to its tile, in units of 1 / inverse_side.
__device__ inline Vec3d local_position(const DirectPoints& points, int i, double inverse_side) {
  return (points.point[points.order[i]] - points.centre[i / direct_tile]) * inverse_side;
}

/// Targets, padded with the origin to a whole number of thread blocks.
template <class T>
__global__ void pack_targets(DirectPoints points, double inverse_side, Vec3<T>* packed,
                             int padded) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= padded) return;
  const Vec3d p = i < points.count ? local_position(points, i, inverse_side) : Vec3d{};
  packed[i] = {static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)};
}

/// Sources with Kind::rhs strengths each, padded with zero strengths to a whole number of tiles. In
/// lengths of s = 1 / inverse_side a charge q becomes q/s and a moment mu becomes mu/s^2, for
/// potentials in the caller's units.
template <class Kind>
__global__ void pack_sources(DirectPoints points, DirectStrengths strengths, int first_rhs,
                             double inverse_side, PairSource<Kind>* packed, int padded) {
  using T = typename Kind::Real;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= padded) return;
  PairSource<Kind> source = {};
  if (i < points.count) {
    const std::int64_t j = points.order[i];
    const Vec3d p = local_position(points, i, inverse_side);
    source.value[0] = static_cast<T>(p.x);
    source.value[1] = static_cast<T>(p.y);
    source.value[2] = static_cast<T>(p.z);
#pragma unroll
    for (int k = 0; k < Kind::rhs; ++k) {
      const std::int64_t at = (first_rhs + k) * strengths.stride + j;
      if constexpr (Kind::charges) {
        source.value[source.charge_at + k] = static_cast<T>(strengths.charges[at] * inverse_side);
      }
      if constexpr (Kind::dipoles) {
        Vec3d moment{};
        if (strengths.normal_dipoles != nullptr)
          moment = strengths.normals[j] * strengths.normal_dipoles[at];
        if (strengths.dipoles != nullptr) {
          const double* free = strengths.dipoles + 3 * at;
          moment += Vec3d{free[0], free[1], free[2]};
        }
        moment *= inverse_side * inverse_side;
        source.value[source.dipole_at + 3 * k] = static_cast<T>(moment.x);
        source.value[source.dipole_at + 3 * k + 1] = static_cast<T>(moment.y);
        source.value[source.dipole_at + 3 * k + 2] = static_cast<T>(moment.z);
      }
    }
  }
  packed[i] = source;
}

/// Results of one right-hand side and target.
template <class Kind>
constexpr int direct_components = Kind::gradient ? 4 : 1;

/// Sums tiles [blockIdx.y * tiles_per_split, ...) for `targets` targets per thread.
/// partial: splits x (rhs x components) x padded targets.
template <class Kind, int targets>
__global__ void __launch_bounds__(direct_tile)
    sum_directly(const PairSource<Kind>* __restrict__ sources,
                 const Vec3d* __restrict__ source_centre, int tiles, int tiles_per_split,
                 const Vec3<typename Kind::Real>* __restrict__ target,
                 const Vec3d* __restrict__ target_centre, int target_tiles, double inverse_side,
                 double* __restrict__ partial) {
  using T = typename Kind::Real;
  constexpr bool relative = sizeof(T) == 4;
  __shared__ PairSource<Kind> tile[direct_tile];
  __shared__ Vec3d own_centre[targets];

  PairTargets<Kind, targets> own, at;
#pragma unroll
  for (int i = 0; i < targets; ++i) {
    const int target_tile = min(static_cast<int>(blockIdx.x) * targets + i, target_tiles - 1);
    const Vec3<T> p = target[target_tile * direct_tile + threadIdx.x];
    own.position[i][0] = p.x;
    own.position[i][1] = p.y;
    own.position[i][2] = p.z;
    if (relative && threadIdx.x == 0) own_centre[i] = target_centre[target_tile];
  }

  PairSums<Kind, targets> total;
  PairTotals<Kind, targets> grand_total;
  const int end = min(tiles, static_cast<int>(blockIdx.y + 1) * tiles_per_split);
  for (int t = static_cast<int>(blockIdx.y) * tiles_per_split; t < end; ++t) {
    __syncthreads();
    tile[threadIdx.x] = sources[t * direct_tile + static_cast<int>(threadIdx.x)];
    __syncthreads();
    if constexpr (relative) {
      const Vec3d centre = source_centre[t];
#pragma unroll
      for (int i = 0; i < targets; ++i) {
        const Vec3d shift = (own_centre[i] - centre) * inverse_side;
        at.position[i][0] = own.position[i][0] + static_cast<T>(shift.x);
        at.position[i][1] = own.position[i][1] + static_cast<T>(shift.y);
        at.position[i][2] = own.position[i][2] + static_cast<T>(shift.z);
      }
      PairSums<Kind, targets> sums;
      add_tile<Coincidence::excluded>(tile, direct_tile, at, sums);
      if (!__all_sync(0xffffffffu, sums.finite())) {
        sums = {};
        add_tile<Coincidence::possible>(tile, direct_tile, at, sums);
      }
      grand_total.add(sums);
    } else {
      add_tile<Coincidence::possible>(tile, direct_tile, own, total);
    }
  }
  if constexpr (!relative) grand_total.add(total);

  const std::int64_t padded = static_cast<std::int64_t>(target_tiles) * direct_tile;
  constexpr int components = direct_components<Kind>;
#pragma unroll
  for (int i = 0; i < targets; ++i) {
    const int target_tile = static_cast<int>(blockIdx.x) * targets + i;
    if (target_tile >= target_tiles) break;
    double* out = partial + blockIdx.y * (Kind::rhs * components) * padded +
                  target_tile * direct_tile + threadIdx.x;
#pragma unroll
    for (int k = 0; k < Kind::rhs; ++k) {
      out[k * components * padded] = grand_total.potential[i][k];
      if constexpr (Kind::gradient) {
#pragma unroll
        for (int axis = 0; axis < 3; ++axis)
          out[(k * components + 1 + axis) * padded] = grand_total.gradient[i][k][axis];
      }
    }
  }
}

/// Adds the partial sums of all splits in their order and puts them in the caller's order and
/// units.
static __global__ void add_partial_sums(const double* __restrict__ partial, int splits, int rhs,
                                        int components, const std::int32_t* __restrict__ order,
                                        int count, std::int64_t padded, double inverse_side,
                                        double* potential, double* gradient) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const std::int64_t target = order[i];
  for (int k = 0; k < rhs; ++k) {
    for (int c = 0; c < components; ++c) {
      double sum = 0.0;
      for (int s = 0; s < splits; ++s)
        sum += partial[((static_cast<std::int64_t>(s) * rhs + k) * components + c) * padded + i];
      const std::int64_t at = static_cast<std::int64_t>(k) * count + target;
      if (c == 0) {
        if (potential != nullptr) potential[at] = sum;
      } else {
        gradient[3 * at + c - 1] = sum * inverse_side;
      }
    }
  }
}

}  // namespace rankine::gpu
