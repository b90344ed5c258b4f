// A block of threads processes a tile of at most 64 target boxes and up to 128 rows of their
// expansions, summed in shared memory. Each warp has 16 rows. The block processes the chunks of its
// tile in steps of a few slices of the inner index, 16 wide. Source expansions of the next step are
// copied in the background; matrix fragments are loaded directly from L2 in the order of the lanes.
// Reflections change signs when columns are read and when products are added.
#include <algorithm>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/gpu/runtime/async_copy.cuh"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/expansion_products.hpp"
#include "rankine/gpu/sums/mma.cuh"

namespace rankine::gpu {
namespace {

constexpr int stages = 2;  // buffers of staged columns; with two, two blocks fit on a
                           // multiprocessor
constexpr int ring = 4;    // chunk descriptions in shared memory

/// How a kernel divides its block and its shared memory.
template <class T, int step_slices>
struct Layout {
  using Real = T;
  static constexpr bool wide = sizeof(T) == 8;
  static constexpr int vector = 16 / sizeof(T);
  /// With two blocks per multiprocessor a thread has 144 or 128 registers.
  static constexpr int most_warps = wide ? 7 : 8;
  static constexpr int slices = step_slices;  ///< fragments across, per step
  /// Elements from a staged column to the next, chosen so that lanes access different banks.
  static constexpr int column_stride =
      wide ? slices * fragment_rows + 2 : (slices == 2 ? 3 : slices) * fragment_rows;
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
struct Task {
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

constexpr std::uint32_t sign_bit = 0x80000000u;

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

  const Task<T>& task;  ///< kernel parameters, which need no registers
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

/// Writes or adds the sums of a tile to the expansions of its targets.
template <class L>
__device__ __forceinline__ void store_sums(const Task<typename L::Real>& task,
                                           const TranslationTile& tile,
                                           const typename L::Real* sums, int sum_stride,
                                           int row_base, int rows) {
  using T = typename L::Real;
  const int kept = min(rows, task.target.stride - row_base);
  T* const target = task.target.data + blockIdx.z * task.target.rhs_stride;
  for (int i = threadIdx.x; i < tile.target_count * rows; i += blockDim.x) {
    const int position = i / rows, r = i % rows;
    if (r >= kept) continue;
    T& out = target[static_cast<std::int64_t>(task.targets[tile.target_begin + position]) *
                        task.target.stride +
                    row_base + r];
    const T value = sums[position * sum_stride + r];
    out = task.add ? out + value : value;
  }
}

template <class L>
__global__ void __launch_bounds__(32 * L::most_warps, 2)
    translate_kernel(const __grid_constant__ Task<typename L::Real> task) {
  using T = typename L::Real;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32;
  const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  const int rows = warps * fragment_rows, row_base = blockIdx.y * rows;
  const int sum_stride = L::sum_stride(warps);
  T* const sums = reinterpret_cast<T*>(shared_bytes);
  T* const staged = sums + task.tile_size * sum_stride;
  auto* const chunks = reinterpret_cast<TileChunk*>(staged + stages * L::stage_size);
  auto* const signs = reinterpret_cast<std::uint8_t*>(chunks + ring);

  TranslationTile tile = task.tiles[blockIdx.x];
  tile.chunk_end = tile.chunk_begin + count_reaching(task.chunks, tile, blockIdx.y * warps);
  for (int i = threadIdx.x; i < task.tile_size * sum_stride; i += blockDim.x) sums[i] = T(0);
  for (int i = threadIdx.x; i < task.source.stride; i += blockDim.x) signs[i] = task.signs[i];
  ColumnCopies<L> copies{task, tile.chunk_begin, tile.chunk_end};
  copies.begin(staged, chunks);

  const int row_tile = blockIdx.y * warps + warp;
  const int row = warp * fragment_rows + g;
  const bool row_exists = row_base + row < task.source.stride;
  const std::uint32_t row_signs =
      row_exists ? signs[row_base + row] | signs[row_base + row + 8] << 8 : 0;
  int stage = 0;
  for (int chunk_index = tile.chunk_begin; chunk_index < tile.chunk_end; ++chunk_index) {
    const TileChunk& chunk = chunks[chunk_index % ring];
    const bool active = row_tile < chunk.row_tiles;
    const int k_tiles = chunk.k_tiles;
    const T* fragment =
        task.fragments + (static_cast<std::int64_t>(chunk.matrix) + row_tile * k_tiles) * 256;
    Products<L> products(chunk);
    for (int slice = 0; slice < k_tiles; slice += L::slices) {
      T a[L::slices][8];
      if (active) load_fragments<L>(a, fragment + slice * 256, k_tiles - slice);
      wait_for_copies<stages - 2>();
      __syncthreads();
      copies.copy_step((stage + 1) % stages, staged, chunks);
      if (active) {
        products.multiply_step(a, staged + stage * L::stage_size + g * L::column_stride + 4 * t,
                               k_tiles - slice, signs + slice * fragment_rows + 4 * t);
      }
      stage = (stage + 1) % stages;
    }
    if (active) products.add_to(sums + row, sum_stride, chunk, row_signs);
  }
  __syncthreads();
  store_sums<L>(task, tile, sums, sum_stride, row_base, rows);
}

template <class L, class T>
void launch_translate(const char* pass, const Task<T>& task, int tile_count, int rhs,
                      const Stream& stream) {
  const int row_tiles = task.target.stride / fragment_rows;
  const int row_blocks = (row_tiles + L::most_warps - 1) / L::most_warps;
  const int warps = (row_tiles + row_blocks - 1) / row_blocks;
  const LaunchShape shape{dim3(tile_count, row_blocks, rhs), dim3(32 * warps),
                          L::shared_bytes(task.tile_size, warps, task.source.stride)};
  launch(pass, &translate_kernel<L>, shape, stream, task);
}

}  // namespace

template <class T>
void translate(const char* pass, const DeviceTiles& tiles, const DeviceMatrices<T>& matrices,
               Expansions<const T> source, Expansions<T> target, Update update, int rhs,
               const Stream& stream) {
  const Task<T> task{tiles.tiles.data(),
                     tiles.chunks.data(),
                     tiles.targets.data(),
                     matrices.fragments.data(),
                     matrices.signs.data(),
                     source,
                     target,
                     tiles.size,
                     update == Update::add};
  const int row_tiles = target.stride / fragment_rows, count = static_cast<int>(tiles.tiles.size());
  // Short steps need little shared memory: with up to ten row tiles three blocks fit instead of
  // two.
  const int step_slices = sizeof(T) == 8 ? (row_tiles <= 10 ? 1 : 2) : std::min(row_tiles, 3);
  if (step_slices == 1) {
    launch_translate<Layout<T, 1>>(pass, task, count, rhs, stream);
  } else if (step_slices == 2) {
    launch_translate<Layout<T, 2>>(pass, task, count, rhs, stream);
  } else if constexpr (sizeof(T) == 4) {
    launch_translate<Layout<T, 3>>(pass, task, count, rhs, stream);
  }
}

template void translate<float>(const char*, const DeviceTiles&, const DeviceMatrices<float>&,
                               Expansions<const float>, Expansions<float>, Update, int,
                               const Stream&);
template void translate<double>(const char*, const DeviceTiles&, const DeviceMatrices<double>&,
                                Expansions<const double>, Expansions<double>, Update, int,
                                const Stream&);

}  // namespace rankine::gpu
