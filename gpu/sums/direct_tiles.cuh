// Points and strengths of the direct sum in tiles. A tile has the points of one block, with
// positions relative to its centre, and sources packed for shared memory.
#pragma once

#include <cstdint>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/source_range.hpp"
#include "rankine/gpu/sums/pair_tile.cuh"

namespace rankine::gpu {
namespace {

/// Number of points in a tile: the threads of a block, and the sources in shared memory at a time.
constexpr int direct_tile = 128;

struct TileBox {
  Vec3d centre;
  Vec3f half;  ///< half the edges, in units of 1 / inverse_side
};
/// One set of points.
struct DirectPoints {
  const Vec3d* point;         ///< in the caller's order, metres
  const std::int32_t* order;  ///< Morton order -> caller's order; null: the caller's order
  std::int32_t count;
  const TileBox* box;  ///< of each tile; null in double, where positions are not relative
};

/// A position as the unevaluated sum of two floats: differences have 48 bits.
struct SplitPosition {
  Vec3f high, low;
};

/// Strengths in the caller's order; null: none. `stride` is the number of sources.
struct DirectStrengths {
  const double* charges;
  const double* normal_dipoles;
  const double* dipoles;
  const Vec3d* normals;
  const double* vortices;
  const double* core_radii;  ///< metres
  std::int64_t stride;
};

/// The caller's index of the i-th point.
__device__ std::int32_t original_index(const std::int32_t* order, int i) {
  return order == nullptr ? i : order[i];
}

/// Tile-wise data of points; null if not requested.
template <class T>
struct TilePositions {
  TileBox* box;
  SplitPosition* split;  ///< relative to one origin for the whole set
  Vec3<T>* local;        ///< see local_position()
};

/// One warp per tile. Tiles are padded with the origin.
template <class T>
__global__ void place_tiles(DirectPoints points, Vec3d origin, double inverse_side,
                            TilePositions<T> to, int tiles) {
  const int tile = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (tile >= tiles) return;
  const int begin = tile * direct_tile, lane = static_cast<int>(threadIdx.x % 32);
  const int end = min(begin + direct_tile, points.count);
  const auto point = [&](int i) { return points.point[original_index(points.order, i)]; };
  Vec3d centre;  // zero in double: positions are not shifted
  if (to.box != nullptr) {
    Vec3d low = point(min(begin + lane, end - 1)), high = low;
    for (int i = begin + lane + 32; i < end; i += 32) {
      const Vec3d p = point(i);
      low = {fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
      high = {fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    for (int apart = 16; apart > 0; apart /= 2) {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = fmin(low[axis], __shfl_xor_sync(~0u, low[axis], apart));
        high[axis] = fmax(high[axis], __shfl_xor_sync(~0u, high[axis], apart));
      }
    }
    centre = 0.5 * (low + high);
    const Vec3d half = 0.5 * inverse_side * (high - low);
    if (lane == 0) {
      to.box[tile] = {
          centre,
          {__double2float_ru(half.x), __double2float_ru(half.y), __double2float_ru(half.z)}};
    }
  }
  for (int i = begin + lane; i < begin + direct_tile; i += 32) {
    const Vec3d p = i < end ? point(i) : origin;
    if (to.local != nullptr) {
      const Vec3d r = i < end ? (p - centre) * inverse_side : Vec3d{};
      to.local[i] = {static_cast<T>(r.x), static_cast<T>(r.y), static_cast<T>(r.z)};
    }
    if (to.split == nullptr) continue;
    const Vec3d r = (p - origin) * inverse_side;
    const Vec3f high{static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)};
    to.split[i] = {high,
                   {static_cast<float>(r.x - high.x), static_cast<float>(r.y - high.y),
                    static_cast<float>(r.z - high.z)}};
  }
}

/// Position of the i-th point in Morton order relative to its tile, in units of 1 / inverse_side.
__device__ Vec3d local_position(const DirectPoints& points, int i, double inverse_side) {
  const Vec3d centre = points.box == nullptr ? Vec3d{} : points.box[i / direct_tile].centre;
  return (points.point[original_index(points.order, i)] - centre) * inverse_side;
}

/// Sources with Kind::rhs strengths each, padded with zero strengths to a whole number of tiles.
/// With the unit of length s = 1 / inverse_side, a charge q becomes q/s and a moment mu becomes
/// mu/s^2, so that potentials are in the caller's units.
template <class Kind>
__global__ void pack_sources(DirectPoints points, DirectStrengths strengths, int first_rhs,
                             double inverse_side, PairSource<Kind>* packed, int padded) {
  using T = typename Kind::Real;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= padded) return;
  PairSource<Kind> source = {};
  if (i < points.count) {
    const std::int64_t j = original_index(points.order, i);
    const Vec3d p = local_position(points, i, inverse_side);
    source.value[0] = static_cast<T>(p.x);
    source.value[1] = static_cast<T>(p.y);
    source.value[2] = static_cast<T>(p.z);
#pragma unroll
    for (int k = 0; k < Kind::rhs; ++k) {
      const std::int64_t at = (first_rhs + k) * strengths.stride + j;
      if constexpr (Kind::terms.charges) {
        source.value[source.charge_at + k] = static_cast<T>(strengths.charges[at] * inverse_side);
      }
      if constexpr (Kind::terms.vortices) {
        source.value[source.core_at] =
            static_cast<T>(1.0 / (strengths.core_radii[j] * inverse_side));
        for (int axis = 0; axis < 3; ++axis) {
          source.value[source.dipole_at + axis] =
              static_cast<T>(strengths.vortices[3 * at + axis] * inverse_side);
        }
      }
      if constexpr (Kind::terms.dipoles) {
        const Vec3d moment = fmm::source_moment(
            strengths.normal_dipoles == nullptr ? nullptr : strengths.normal_dipoles + at,
            [&] { return strengths.normals[j]; },
            strengths.dipoles == nullptr ? nullptr : strengths.dipoles + 3 * at,
            inverse_side * inverse_side);
        for (int axis = 0; axis < 3; ++axis)
          source.value[source.dipole_at + 3 * k + axis] = static_cast<T>(moment[axis]);
      }
    }
  }
  packed[i] = source;
}

}  // namespace
}  // namespace rankine::gpu
