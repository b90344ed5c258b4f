// The steps of the kernel for translations (gpu/sums/expansion_products.cu): copies of source
// columns to shared memory, and their products with fragments of a matrix.
#pragma once

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/gpu/runtime/async_copy.cuh"
#include "rankine/gpu/sums/expansion_products.hpp"
#include "rankine/gpu/sums/mma.cuh"

namespace rankine::gpu {

inline constexpr int stages = 2;  // buffers of staged columns; with two, two blocks fit on a
                                  // multiprocessor
inline constexpr int ring = 4;    // chunk descriptions in shared memory

/// How a kernel divides its block and its shared memory.
template <class T, int step_slices>
struct TranslationLayout {
  using Real = T;
  static constexpr bool wide = sizeof(T) == 8;
  static constexpr int vector = 16 / sizeof(T);
  /// With two blocks per multiprocessor a thread has 144 or 128 registers.
  static constexpr int most_warps = wide ? 7 : 8;
  static constexpr int slices = step_slices;  ///< fragments across, per step
  /// Elements from a staged column to the next, chosen so that lanes access different banks.
  static constexpr int column_stride = slices * fragment_rows + (wide ? 2 : 0);
  static constexpr int stage_size = chunk_columns * column_stride;
  /// 16-byte copies per staged column.
  static constexpr int pieces = slices * fragment_rows / vector;

  RANKINE_HD static constexpr int rows(int warps) { return warps * fragment_rows; }
  /// Elements from the sums of one target to those of the next.
  RANKINE_HD static constexpr int sum_stride(int warps) { return rows(warps) + (wide ? 2 : 4); }
  static constexpr std::size_t shared_bytes(int targets, int warps, int coefficients) {
    return (targets * sum_stride(warps) + stages * stage_size) * sizeof(T) +
           ring * sizeof(TileChunk) + coefficients;
  }
};

template <class T>
struct TranslationTask {
  const TranslationTile* tiles;
  const TileChunk* chunks;
  const std::int32_t* targets;
  const T* fragments;
  const std::uint8_t* signs;
  Expansions<const T> source;
  Expansions<T> target;
  int tile_size;
  bool add;
};

inline constexpr std::uint32_t sign_bit = 0x80000000u;

/// Flips the sign of x if bit 31 of `mask` is set; the other bits must be zero.
__device__ __forceinline__ double flip(double x, std::uint32_t mask) {
  return __hiloint2double(__double2hiint(x) ^ static_cast<int>(mask), __double2loint(x));
}
__device__ __forceinline__ float flip(float x, std::uint32_t mask) {
  return __int_as_float(__float_as_int(x) ^ static_cast<int>(mask));
}

/// Copies 16 * count / sizeof(T) elements in 16-byte pieces.
template <int count, class T>
__device__ __forceinline__ void load_vector(T* to, const T* from, int stride_in_vectors) {
  constexpr int vector = 16 / sizeof(T);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    *reinterpret_cast<int4*>(to + i * vector) =
        *(reinterpret_cast<const int4*>(from) + i * stride_in_vectors);
  }
}

/// Number of chunks of the tile with more than `row_tile` row tiles. All threads of the block must
/// call it.
__device__ __forceinline__ int count_reaching(const TileChunk* chunks, const TranslationTile& tile,
                                              int row_tile) {
  int count = 0;
  for (int first = tile.chunk_begin; first < tile.chunk_end; first += blockDim.x) {
    const int chunk = first + threadIdx.x;
    count += __syncthreads_count(chunk < tile.chunk_end && chunks[chunk].row_tiles > row_tile);
  }
  return count;
}

/// Copies the columns of a tile, one step before their products. The copy of the description of
/// chunk c + 2 starts with the first step of chunk c, so that it is complete when chunk c + 2
/// begins.
template <class L>
struct ColumnCopies {
  using T = typename L::Real;

  const TranslationTask<T>& task;  ///< kernel parameters, which need no registers
  int next_chunk, chunk_end;
  int next_slice = 0;

  __device__ __forceinline__ void load_chunk(int chunk, TileChunk* chunks) const {
    if (chunk >= chunk_end) return;
    const auto* from = reinterpret_cast<const int4*>(task.chunks + chunk);
    auto* to = reinterpret_cast<int4*>(chunks + chunk % ring);
    for (int i = threadIdx.x; i < static_cast<int>(sizeof(TileChunk) / 16); i += blockDim.x)
      copy_async(to + i, from + i);
  }

  /// Starts the copies of the first two chunk descriptions and of the columns of the first step.
  __device__ __forceinline__ void begin(T* staged, TileChunk* chunks) {
    load_chunk(next_chunk, chunks);
    load_chunk(next_chunk + 1, chunks);
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
    copy_step(0, staged, chunks);
  }

  __device__ __forceinline__ void copy_step(int stage, T* staged, TileChunk* chunks) {
    if (next_chunk < chunk_end) {
      const TileChunk& chunk = chunks[next_chunk % ring];
      if (next_slice == 0) load_chunk(next_chunk + 2, chunks);
      const int pieces = min(L::slices, chunk.k_tiles - next_slice) * fragment_rows *
                         static_cast<int>(sizeof(T)) / 16;
      T* const to = staged + stage * L::stage_size;
      for (int i = threadIdx.x; i < chunk.columns * L::pieces; i += blockDim.x) {
        const int column = i / L::pieces, piece = i % L::pieces;
        if (piece >= pieces) continue;
        const int box = chunk.column[column].source;
        const T* from = task.source.data + blockIdx.z * task.source.rhs_stride +
                        static_cast<std::int64_t>(max(box, 0)) * task.source.stride +
                        next_slice * fragment_rows;
        copy_async(to + column * L::column_stride + piece * (16 / sizeof(T)),
                   from + piece * (16 / sizeof(T)), box >= 0);
      }
      next_slice += L::slices;
      if (next_slice >= chunk.k_tiles) {
        next_slice = 0;
        ++next_chunk;
      }
    }
    commit_copies();
  }
};

/// Products of a warp's 16 rows with the columns of a chunk, distributed over the lanes as in
/// gpu/sums/mma.cuh.
template <class L>
struct Products {
  using T = typename L::Real;
  static constexpr int most_groups = chunk_columns / 8;

  T value[most_groups][4] = {};
  std::uint32_t reflections = 0;  ///< three bits for each of the lane's columns
  int groups;

  __device__ __forceinline__ explicit Products(const TileChunk& chunk) : groups(chunk.columns / 8) {
    const int g = threadIdx.x % 32 / 4;
#pragma unroll
    for (int j = 0; j < most_groups; ++j) {
      if (j < groups)
        reflections |= static_cast<std::uint32_t>(chunk.column[8 * j + g].target >> 8) << 3 * j;
    }
  }

  /// Adds fragment a times slice i of group j of the staged columns, whose signs are `k_signs`.
  __device__ __forceinline__ void multiply(const T (&a)[8], const T* columns, int i, int j,
                                           std::uint32_t k_signs) {
    T b[4];
    load_vector<4 / L::vector>(b, columns + 8 * j * L::column_stride + i * fragment_rows, 1);
    const std::uint32_t bits = k_signs >> (reflections >> 3 * j & 7);
    b[0] = flip(b[0], bits << 31);
    b[1] = flip(b[1], bits << 23 & sign_bit);
    b[2] = flip(b[2], bits << 15 & sign_bit);
    b[3] = flip(b[3], bits << 7 & sign_bit);
    multiply_add(value[j], a, b);
  }

  /// Adds the fragments times the staged columns for the remaining `slices`; `signs`: of the first.
  __device__ __forceinline__ void multiply_step(const T (&a)[L::slices][8], const T* columns,
                                                int slices, const std::uint8_t* signs) {
#pragma unroll
    for (int i = 0; i < L::slices; ++i) {
      if (i >= slices) break;
      const auto k_signs = *reinterpret_cast<const std::uint32_t*>(signs + i * fragment_rows);
      if constexpr (L::wide) {
#pragma unroll
        for (int j = 0; j < most_groups; ++j) {
          if (j < groups) multiply(a[i], columns, i, j, k_signs);
        }
      } else {
        // Products cost little. Processing four groups at a time allows early loads; missing
        // columns are also multiplied, and their products discarded.
#pragma unroll
        for (int j = 0; j < most_groups; j += 4) {
          if (j < groups) {
#pragma unroll
            for (int e = 0; e < 4; ++e) multiply(a[i], columns, i, j + e, k_signs);
          }
        }
      }
    }
  }

  /// Adds the products to the sums of the targets; `sums` begins at the lane's first row.
  __device__ __forceinline__ void add_to(T* sums, int sum_stride, const TileChunk& chunk,
                                         std::uint32_t row_signs) const {
    const int t = threadIdx.x % 4;
#pragma unroll
    for (int j = 0; j < most_groups; ++j) {
      if (j < groups) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const TileColumn column = chunk.column[8 * j + 2 * t + e];
          if (column.source >= 0) {
            const std::uint32_t bits = row_signs >> (column.target >> 8);
            T* const sum = sums + (column.target & 255) * sum_stride;
            sum[0] += flip(value[j][e], bits << 31);
            sum[8] += flip(value[j][2 + e], bits << 23 & sign_bit);
          }
        }
        __syncwarp();
      }
    }
  }
};

/// Loads the warp's fragments of a step with `slices` remaining slices.
template <class L>
__device__ __forceinline__ void load_fragments(typename L::Real (&a)[L::slices][8],
                                               const typename L::Real* fragment, int slices) {
#pragma unroll
  for (int i = 0; i < L::slices; ++i) {
    if (i < slices) {
      load_vector<sizeof(typename L::Real) / 2>(
          a[i], fragment + i * 256 + threadIdx.x % 32 * L::vector, 32);
    }
  }
}

}  // namespace rankine::gpu
