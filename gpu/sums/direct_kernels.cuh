// Kernels of the direct sum over tiles (direct_tiles.cuh): the sum itself, and adding partial sums.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/gpu/sums/direct_tiles.cuh"
#include "rankine/gpu/sums/pair_tile.cuh"
#include "rankine/gpu/sums/sum_components.cuh"

namespace rankine::gpu {
namespace {

/// True if the gap between two boxes is at most `least_gap` times their size, so that distances
/// from float positions relative to the centres may be too inaccurate. `apart` is the vector
/// between the centres. Touching boxes and coincident points are always close.
__device__ bool close(const Vec3f& apart, const Vec3f& reach, float least_gap) {
  const float gap_x = fmaxf(fabsf(apart.x) - reach.x, 0.0f),
              gap_y = fmaxf(fabsf(apart.y) - reach.y, 0.0f),
              gap_z = fmaxf(fabsf(apart.z) - reach.z, 0.0f);
  return gap_x * gap_x + gap_y * gap_y + gap_z * gap_z <= least_gap * least_gap * dot(reach, reach);
}

/// The input of a block of the direct sum. In double the split positions are not used.
template <class Kind>
struct DirectInput {
  using T = typename Kind::Real;
  typename Kind::Term term;
  DirectPoints sources, targets;  ///< the caller's
  const PairSource<Kind>* source;
  const TileBox* source_box;
  const SplitPosition* source_split;
  int source_tiles, tiles_per_split;
  /// Number of groups of threads of a block that divide the sources of each tile. 1: no division,
  /// and a thread has targets of several tiles. More than 1, for few targets: a block has the
  /// targets of one tile.
  int shares;
  const Vec3<T>* target;
  const TileBox* target_box;
  const SplitPosition* target_split;
  int target_tiles;
  bool shared_points;
  double inverse_side;
  float least_gap;  ///< smallest distance, relative to the size of the boxes, that float positions
                    ///< resolve
};

/// Positions relative to the centres of two boxes have a total error of about 2^-23 of the boxes'
/// size. The relative error of a pair's terms and their derivatives is twice that over the
/// distance; a quarter of the tolerance is allowed.
inline float least_gap_of(double tolerance) {
  constexpr double most = 0.125;
  return static_cast<float>(std::min(0x1p-20 / tolerance, most));
}
/// Above this gap most close boxes contain pairs that float does not resolve.
constexpr float worth_trying = 0.03f;
/// Only for charges (bodies in gravity), for which the additional code is worthwhile.
template <class Kind>
constexpr bool may_be_resolved = sizeof(typename Kind::Real) == sizeof(float) && Kind::rhs == 1 &&
                                 !Kind::terms.dipoles && !Kind::terms.vortices;

/// The terms of a pair that coincides in float but not in the caller's positions, for kernels with
/// softening or a core.
template <class Kind>
__device__ void add_inseparable(const DirectInput<Kind>& in, const PairSource<Kind>& source,
                                int source_index, int target_index,
                                typename Kind::Real (&sums)[Kind::rhs][Kind::running]) {
  const auto place = [](const DirectPoints& points, int i) {
    return points.point[original_index(points.order, i)];
  };
  if (source_index >= in.sources.count || target_index >= in.targets.count) return;
  const Vec3d a = place(in.sources, source_index), b = place(in.targets, target_index);
  if (a.x == b.x && a.y == b.y && a.z == b.z) return;
  constexpr float very_near = 1e30f;
  float u = very_near;
  if constexpr (!Kind::terms.vortices)
    u = inverse_distance<Coincidence::excluded, Kind::root>(in.term, 0.0f, 0.0f, 0.0f);
  const auto pair = in.term.pair(0.0f, 0.0f, 0.0f, u, source.inverse_core());
  for (int k = 0; k < Kind::rhs; ++k)
    in.term.template add<Kind::terms>(pair, source.charge(k), source.dipole(k), sums[k]);
}

/// Adds a tile in which some pairs may be closer than relative positions resolve. `own_source`: the
/// target itself in the tile, or -1. Returns false if there was such a pair; the sums are then
/// invalid.
template <class Kind, int targets>
__device__ bool add_if_resolved(const typename Kind::Term& term, const PairSource<Kind>* tile,
                                const PairTargets<Kind, targets>& at,
                                const int (&own_source)[targets], const float (&limit2)[targets],
                                PairSums<Kind, targets>& sums) {
  constexpr float never = 1e38f;
  bool resolved = true;
#pragma unroll 4
  for (int j = 0; j < direct_tile; ++j) {
    const PairSource<Kind> source = tile[j];
#pragma unroll
    for (int i = 0; i < targets; ++i) {
      const float rx = at.position[i][0] - source.value[0],
                  ry = at.position[i][1] - source.value[1],
                  rz = at.position[i][2] - source.value[2];
      const float r2 = fma(rx, rx, fma(ry, ry, rz * rz));
      float length2 = r2;
      if constexpr (is_softened<typename Kind::Term>) length2 = term.under_root(rx, ry, rz);
      // A body contributes to the potential of another one at the same position, but not to its
      // own.
      if constexpr (Kind::terms.potential) length2 = r2 > 0.0f ? length2 : 0.0f;
      length2 = j == own_source[i] ? never : length2;
      resolved = resolved && length2 >= limit2[i];
    }
    add_source<Coincidence::possible>(term, source, at, sums);
  }
  return resolved;
}

/// Adds tile `source_tile`, in shared memory, to the targets, using split positions. Their
/// differences are exact for close boxes, so that coincident points are detected.
template <class Kind, int targets>
__device__ void add_close_tile(const DirectInput<Kind>& in, const PairSource<Kind>* tile,
                               const SplitPosition* source, int source_tile,
                               PairSums<Kind, targets>& sums) {
  const auto target_index = [&](int i) {
    const int target_tile = min(static_cast<int>(blockIdx.x) * targets + i, in.target_tiles - 1);
    return target_tile * direct_tile + static_cast<int>(threadIdx.x);
  };
  PairTargets<Kind, targets> apart;
  SplitPosition at[targets];
#pragma unroll
  for (int i = 0; i < targets; ++i) at[i] = in.target_split[target_index(i)];
#pragma unroll 2
  for (int j = 0; j < direct_tile; ++j) {
    PairSource<Kind> at_origin = tile[j];
    at_origin.value[0] = at_origin.value[1] = at_origin.value[2] = 0.0f;
    const SplitPosition from = source[j];
#pragma unroll
    for (int i = 0; i < targets; ++i) {
      const Vec3f r = (at[i].high - from.high) + (at[i].low - from.low);
      apart.position[i][0] = r.x;
      apart.position[i][1] = r.y;
      apart.position[i][2] = r.z;
      if constexpr (is_softened<typename Kind::Term> || Kind::terms.vortices) {
        if (!(dot(r, r) > 0.0f)) {
          add_inseparable(in, at_origin, source_tile * direct_tile + j, target_index(i),
                          sums.value[i]);
        }
      }
    }
    add_source<Coincidence::possible>(in.term, at_origin, apart, sums);
  }
}

/// Resident blocks per multiprocessor: sufficient to hide the latency of rsqrt.
template <class Kind>
constexpr int direct_blocks = Kind::rhs > 1
                                  ? 1
                                  : (Kind::terms.derivatives > 0 ? 4
                                                                 : (Kind::terms.dipoles ? 6 : 7));

/// The targets of a thread and its part of the sources of each tile. Sources are divided only in
/// double.
template <class Kind, int targets>
class DirectPart {
 public:
  __device__ explicit DirectPart(int shares) : shares_(may_share ? shares : 1) {}

  __device__ int share() const { return static_cast<int>(threadIdx.x) / threads(); }
  /// The tile of target i.
  __device__ int target_tile(int i) const {
    const int block = static_cast<int>(blockIdx.x);
    return shares_ > 1 ? block : block * targets + i;
  }
  __device__ int place_in_tile(int i) const {
    const int thread = static_cast<int>(threadIdx.x);
    return shares_ > 1 ? i * threads() + thread % threads() : thread;
  }
  __device__ int first_source() const { return share() * threads(); }
  __device__ int sources() const { return threads(); }

  /// The sum of a value over all shares, in their order, for the threads of the first one.
  __device__ double over_shares(double value) const {
    if (shares_ == 1) return value;
    __shared__ double all[direct_tile];
    all[threadIdx.x] = value;
    __syncthreads();
    for (int s = 1; share() == 0 && s < shares_; ++s) value += all[s * threads() + threadIdx.x];
    __syncthreads();
    return value;
  }

 private:
  static constexpr bool may_share = sizeof(typename Kind::Real) == 8 && targets > 1;
  /// Threads of a share, and sources of its part of a tile.
  __device__ int threads() const { return direct_tile / shares_; }

  int shares_;
};

/// Sums tiles [blockIdx.y * tiles_per_split, ...) for `targets` targets per thread.
/// partial: splits x (rhs x components) x padded targets.
template <class Kind, int targets>
__global__ void __launch_bounds__(direct_tile, direct_blocks<Kind>)
    sum_directly(DirectInput<Kind> in, double* __restrict__ partial) {
  using T = typename Kind::Real;
  constexpr bool relative = sizeof(T) == 4;
  __shared__ PairSource<Kind> tile[direct_tile];
  __shared__ TileBox own_box[targets];
  __shared__ Vec3f shift[targets];
  __shared__ float limit2[targets];
  __shared__ SplitPosition split[relative ? direct_tile : 1];

  const int lane = static_cast<int>(threadIdx.x);
  const DirectPart<Kind, targets> part(in.shares);
  PairTargets<Kind, targets> own, at;
#pragma unroll
  for (int i = 0; i < targets; ++i) {
    const int target_tile = min(part.target_tile(i), in.target_tiles - 1);
    const Vec3<T> p = in.target[target_tile * direct_tile + part.place_in_tile(i)];
    own.position[i][0] = p.x;
    own.position[i][1] = p.y;
    own.position[i][2] = p.z;
    if (relative && lane == 0) own_box[i] = in.target_box[target_tile];
  }

  PairSums<Kind, targets> total;
  PairTotals<Kind, targets> grand_total;
  const int end = min(in.source_tiles, static_cast<int>(blockIdx.y + 1) * in.tiles_per_split);
  for (int t = static_cast<int>(blockIdx.y) * in.tiles_per_split; t < end; ++t) {
    __syncthreads();
    tile[lane] = in.source[t * direct_tile + lane];
    if constexpr (relative) {
      bool is_close = false;
      if (lane < targets) {
        const TileBox box = in.source_box[t];
        const Vec3d apart = (own_box[lane].centre - box.centre) * in.inverse_side;
        shift[lane] = {static_cast<float>(apart.x), static_cast<float>(apart.y),
                       static_cast<float>(apart.z)};
        const Vec3f reach = own_box[lane].half + box.half;
        limit2[lane] = in.least_gap * in.least_gap * dot(reach, reach);
        is_close = close(shift[lane], reach, in.least_gap);
        // A softened force varies on the length scale of the softening and vanishes at zero
        // distance.
        if constexpr (is_softened<typename Kind::Term> && !Kind::terms.potential)
          is_close = is_close && in.term.under_root(0.0f, 0.0f, 0.0f) < limit2[lane];
      }
      const bool any_close = __syncthreads_or(is_close) != 0;
#pragma unroll
      for (int i = 0; i < targets; ++i) {
        at.position[i][0] = own.position[i][0] + shift[i].x;
        at.position[i][1] = own.position[i][1] + shift[i].y;
        at.position[i][2] = own.position[i][2] + shift[i].z;
      }
      PairSums<Kind, targets> sums;
      if (any_close) {
        bool resolved = false;
        if constexpr (may_be_resolved<Kind>) {
          if (in.least_gap < worth_trying) {
            int own_source[targets];
            float limits[targets];
#pragma unroll
            for (int i = 0; i < targets; ++i) {
              const bool own = in.shared_points && static_cast<int>(blockIdx.x) * targets + i == t;
              own_source[i] = own ? lane : -1;
              limits[i] = limit2[i];
            }
            resolved = add_if_resolved(in.term, tile, at, own_source, limits, sums);
          }
        }
        if (__syncthreads_and(resolved) == 0) {
          sums = {};
          split[lane] = in.source_split[t * direct_tile + lane];
          __syncthreads();
          add_close_tile(in, tile, split, t, sums);
        }
      } else {
        add_tile<Coincidence::excluded>(in.term, tile, direct_tile, at, sums);
      }
      grand_total.add(sums);
    } else {
      __syncthreads();
      add_tile<Coincidence::possible>(in.term, tile + part.first_source(), part.sources(), own,
                                      total);
    }
  }
  if constexpr (!relative) grand_total.add(total);

  const std::int64_t padded = static_cast<std::int64_t>(in.target_tiles) * direct_tile;
  constexpr int components = Kind::components;
#pragma unroll
  for (int i = 0; i < targets; ++i) {
    const int target_tile = part.target_tile(i);
    if (target_tile >= in.target_tiles) break;
    double* out = partial + blockIdx.y * (Kind::rhs * components) * padded +
                  target_tile * direct_tile + part.place_in_tile(i);
#pragma unroll
    for (int k = 0; k < Kind::rhs; ++k) {
#pragma unroll
      for (int c = 0; c < components; ++c) {
        const double sum = part.over_shares(grand_total.value[i][k][c]);
        if (part.share() == 0) out[(k * components + c) * padded] = sum;
      }
    }
  }
}

/// Targets and splits that a block of add_partial_sums works on at a time.
constexpr int targets_at_once = 32, splits_at_once = 8;

/// Adds the partial sums of all splits in a fixed order, and converts to the caller's order and
/// units. One row of blocks per component of a right-hand side.
template <class Kind>
__global__ void add_partial_sums(const double* __restrict__ partial, int splits, int rhs,
                                 const std::int32_t* __restrict__ order, int count,
                                 std::int64_t padded, double inverse_side, ResultView results) {
  constexpr fmm::PairTerms terms = Kind::terms;
  constexpr int components = Kind::components;
  __shared__ double sums[splits_at_once][targets_at_once];
  const int column = static_cast<int>(threadIdx.x) % targets_at_once,
            first = static_cast<int>(threadIdx.x) / targets_at_once,
            i = static_cast<int>(blockIdx.x) * targets_at_once + column,
            row = static_cast<int>(blockIdx.y), k = row / components, c = row % components;
  double sum = 0.0;
#pragma unroll 4
  for (int s = first; s < splits; s += splits_at_once)
    sum += partial[(static_cast<std::int64_t>(s) * rhs * components + row) * padded + i];
  sums[first][column] = sum;
  __syncthreads();
  if (first > 0 || i >= count) return;
  for (int s = 1; s < splits_at_once; ++s) sum += sums[s][column];
  double* const to =
      component<terms>(results, c, static_cast<std::int64_t>(k) * count + original_index(order, i));
  if (to == nullptr) return;
  for (int d = fmm::derivative_of(terms, c); d > 0; --d) sum *= inverse_side;
  *to = sum;
}

}  // namespace
}  // namespace rankine::gpu
