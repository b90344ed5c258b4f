// A block of threads owns a tile of at most 64 target boxes and up to 128 rows of their expansions,
// summed in shared memory. Each warp owns 16 rows. The block goes through the chunks of its tile in
// steps of a few 16-wide slices of the inner index; source expansions of the next step arrive in
// the background, while matrix fragments come straight from L2 in the lanes' own order. Reflections
// flip signs as columns are read and as products are added.
#include <algorithm>
#include <type_traits>

#include "fmm/host_device.hpp"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/mma.cuh"
#include "gpu/translate.hpp"

namespace rankine::gpu {
namespace {

constexpr int stages = 2;      // of staged columns; two leave room for two blocks
constexpr int ring = 4;        // chunk descriptions kept
constexpr int most_warps = 8;  // of a block

/// How a launch uses its block and shared memory; decided on the host from the order.
template <class T>
struct Layout {
  static constexpr bool wide = sizeof(T) == 8;

  int warps, slices;  ///< slices: fragments across, per step

  Layout(int row_tiles, int row_blocks) : warps((row_tiles + row_blocks - 1) / row_blocks) {
    slices = row_tiles < (wide ? 2 : 3) ? row_tiles : (wide ? 2 : 3);
  }

  /// Elements from a staged column to the next, such that lanes hit different banks.
  RANKINE_HD int column_stride() const {
    return wide ? slices * fragment_rows + 2 : (slices == 2 ? 3 : slices) * fragment_rows;
  }
  RANKINE_HD int stage_size() const { return chunk_columns * column_stride(); }
  RANKINE_HD int rows() const { return warps * fragment_rows; }
  /// Elements from the sums of a target to the next's.
  RANKINE_HD int sum_stride() const { return rows() + (wide ? 2 : 4); }

  std::size_t shared_bytes(int targets, int coefficients) const {
    return (targets * sum_stride() + stages * stage_size()) * sizeof(T) + ring * sizeof(TileChunk) +
           coefficients;
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
  Layout<T> layout;
  int tile_size;
  bool add;
};

/// Flips the sign of x where bit 31 of `mask` is set; the other bits are zero.
__device__ __forceinline__ double flip(double x, std::uint32_t mask) {
  return __hiloint2double(__double2hiint(x) ^ static_cast<int>(mask), __double2loint(x));
}
__device__ __forceinline__ float flip(float x, std::uint32_t mask) {
  return __int_as_float(__float_as_int(x) ^ static_cast<int>(mask));
}

/// 16 * count / sizeof(T)-element copies in 16-byte pieces.
template <int count, class T>
__device__ __forceinline__ void load_vector(T* to, const T* from, int stride_in_vectors) {
  constexpr int vector = 16 / sizeof(T);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    *reinterpret_cast<int4*>(to + i * vector) =
        *(reinterpret_cast<const int4*>(from) + i * stride_in_vectors);
  }
}

/// How many chunks of the tile have more than `row_tile` row tiles. Call with the whole block.
__device__ __forceinline__ int count_reaching(const TileChunk* chunks, const TranslationTile& tile,
                                              int row_tile) {
  int count = 0;
  for (int first = tile.chunk_begin; first < tile.chunk_end; first += blockDim.x) {
    const int chunk = first + threadIdx.x;
    count += __syncthreads_count(chunk < tile.chunk_end && chunks[chunk].row_tiles > row_tile);
  }
  return count;
}

template <class T>
__global__ void __launch_bounds__(32 * most_warps, 2)
    translate_kernel(const __grid_constant__ Task<T> task) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int vector = 16 / sizeof(T);
  const Layout<T>& layout = task.layout;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int g = lane / 4, t = lane % 4;
  const int rows = layout.rows(), row_base = blockIdx.y * rows, sum_stride = layout.sum_stride();
  const int column_stride = layout.column_stride();
  T* const sums = reinterpret_cast<T*>(shared);
  T* const staged = sums + task.tile_size * sum_stride;
  auto* const chunks = reinterpret_cast<TileChunk*>(staged + stages * layout.stage_size());
  auto* const signs = reinterpret_cast<std::uint8_t*>(chunks + ring);

  TranslationTile tile = task.tiles[blockIdx.x];
  tile.chunk_end = tile.chunk_begin + count_reaching(task.chunks, tile, blockIdx.y * layout.warps);
  const T* const source = task.source.data + blockIdx.z * task.source.rhs_stride;
  for (int i = threadIdx.x; i < task.tile_size * sum_stride; i += blockDim.x) sums[i] = T(0);
  for (int i = threadIdx.x; i < task.source.stride; i += blockDim.x) signs[i] = task.signs[i];

  const auto load_chunk = [&](int chunk) {
    if (chunk >= tile.chunk_end) return;
    const auto* from = reinterpret_cast<const int4*>(task.chunks + chunk);
    auto* to = reinterpret_cast<int4*>(chunks + chunk % ring);
    for (int i = threadIdx.x; i < static_cast<int>(sizeof(TileChunk) / 16); i += blockDim.x) {
      copy_async(to + i, from + i);
    }
  };
  load_chunk(tile.chunk_begin);
  load_chunk(tile.chunk_begin + 1);
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();

  // The copies run one step ahead of the products. The description of chunk c + 2 is asked for with
  // the first step of chunk c, hence complete when a step of chunk c + 2 is begun.
  const int pieces = layout.slices * fragment_rows / vector;  // 16-byte copies per staged column
  const int my_piece = threadIdx.x % pieces, my_column = threadIdx.x / pieces,
            columns_at_once = blockDim.x / pieces;
  int next_chunk = tile.chunk_begin, next_slice = 0;
  const auto copy_step = [&](int stage) {
    if (next_chunk < tile.chunk_end) {
      const TileChunk& chunk = chunks[next_chunk % ring];
      if (next_slice == 0) load_chunk(next_chunk + 2);
      const int offset = next_slice * fragment_rows + my_piece * vector;
      T* const to = staged + stage * layout.stage_size() + my_piece * vector;
      if (my_column < columns_at_once && offset < chunk.k_tiles * fragment_rows) {
        for (int column = my_column; column < chunk.columns; column += columns_at_once) {
          const int box = chunk.column[column].source;
          copy_async(to + column * column_stride,
                     source + static_cast<std::int64_t>(max(box, 0)) * task.source.stride + offset,
                     box >= 0);
        }
      }
      next_slice += layout.slices;
      if (next_slice >= chunk.k_tiles) {
        next_slice = 0;
        ++next_chunk;
      }
    }
    commit_copies();
  };
  copy_step(0);

  // The matrix fragment of the next slice is fetched while the present one multiplies.
  const int row_tile = blockIdx.y * layout.warps + warp, row = warp * fragment_rows + g;
  const bool row_exists = row_base + row < task.source.stride;
  const std::uint32_t row_signs =
      row_exists ? signs[row_base + row] | signs[row_base + row + 8] << 8 : 0;
  T next_fragment[8];
  const T* next_address = nullptr;
  const auto fetch_first = [&](int chunk_index) {
    if (chunk_index >= tile.chunk_end) return;
    const TileChunk& chunk = chunks[chunk_index % ring];
    if (row_tile >= chunk.row_tiles) return;
    next_address = task.fragments +
                   static_cast<std::int64_t>(chunk.matrix + row_tile * chunk.k_tiles) * 256 +
                   lane * vector;
    load_vector<8 / vector>(next_fragment, next_address, 32);
  };
  fetch_first(tile.chunk_begin);

  int stage = 0;
  for (int chunk_index = tile.chunk_begin; chunk_index < tile.chunk_end; ++chunk_index) {
    const TileChunk& chunk = chunks[chunk_index % ring];
    const bool active = row_tile < chunk.row_tiles;
    const int groups = chunk.columns / 8, k_tiles = chunk.k_tiles;
    std::uint32_t reflections = 0;  // three bits for each of the lane's columns
#pragma unroll
    for (int j = 0; j < chunk_columns / 8; ++j) {
      if (j < groups)
        reflections |= static_cast<std::uint32_t>(chunk.column[8 * j + g].target >> 8) << 3 * j;
    }
    T product[chunk_columns / 8][4] = {};
    for (int slice = 0; slice < k_tiles; slice += layout.slices) {
      wait_for_copies<stages - 2>();
      __syncthreads();
      copy_step((stage + stages - 1) % stages);
      // Without conditions inside, loads run ahead of products; columns that do not exist are
      // multiplied and dropped.
      const auto multiply = [&](auto group_count) {
        const int slice_end = min(slice + layout.slices, k_tiles);
        const T* column = staged + stage * layout.stage_size() + g * column_stride + 4 * t;
        for (int k = slice; k < slice_end; ++k, column += fragment_rows) {
          T fragment[8];
#pragma unroll
          for (int e = 0; e < 8; ++e) fragment[e] = next_fragment[e];
          if (k + 1 < k_tiles) {
            next_address += 256;
            load_vector<8 / vector>(next_fragment, next_address, 32);
          } else {
            fetch_first(chunk_index + 1);
          }
          const auto k_signs =
              *reinterpret_cast<const std::uint32_t*>(signs + k * fragment_rows + 4 * t);
#pragma unroll
          for (int j = 0; j < decltype(group_count)::value; ++j) {
            T b[4];
            load_vector<4 / vector>(b, column + 8 * j * column_stride, 1);
            const std::uint32_t bits = k_signs >> (reflections >> 3 * j & 7);
            b[0] = flip(b[0], bits << 31);
            b[1] = flip(b[1], (bits & 0x100u) << 23);
            b[2] = flip(b[2], (bits & 0x10000u) << 15);
            b[3] = flip(b[3], (bits & 0x1000000u) << 7);
            multiply_add(product[j], fragment, b);
          }
        }
      };
      if (active) {
        if (groups > 6) {
          multiply(std::integral_constant<int, 8>());
        } else if (groups > 4) {
          multiply(std::integral_constant<int, 6>());
        } else if (groups > 2) {
          multiply(std::integral_constant<int, 4>());
        } else {
          multiply(std::integral_constant<int, 2>());
        }
      }
      stage = (stage + 1) % stages;
    }
    if (active) {
#pragma unroll
      for (int j = 0; j < chunk_columns / 8; ++j) {
        if (j < groups) {
#pragma unroll
          for (int e = 0; e < 2; ++e) {
            const TileColumn column = chunk.column[8 * j + 2 * t + e];
            if (column.source >= 0) {
              const std::uint32_t bits = row_signs >> (column.target >> 8);
              T* const sum = sums + (column.target & 255) * sum_stride + row;
              sum[0] += flip(product[j][e], bits << 31);
              sum[8] += flip(product[j][2 + e], (bits & 0x100u) << 23);
            }
          }
          __syncwarp();
        }
      }
    }
  }

  __syncthreads();
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

}  // namespace

template <class T>
void translate(const char* pass, const DeviceTiles& tiles, const DeviceMatrices<T>& matrices,
               Expansions<const T> source, Expansions<T> target, Update update, int rhs,
               const Stream& stream) {
  const int row_tiles = target.stride / fragment_rows;
  const int row_blocks = (row_tiles + most_warps - 1) / most_warps;
  const Layout<T> layout(row_tiles, row_blocks);
  const Task<T> task{tiles.tiles.data(),
                     tiles.chunks.data(),
                     tiles.targets.data(),
                     matrices.fragments.data(),
                     matrices.signs.data(),
                     source,
                     target,
                     layout,
                     tiles.size,
                     update == Update::add};
  const LaunchShape shape{dim3(static_cast<unsigned>(tiles.tiles.size()), row_blocks, rhs),
                          dim3(32 * layout.warps), layout.shared_bytes(tiles.size, source.stride)};
  launch(pass, &translate_kernel<T>, shape, stream, task);
}

template void translate<float>(const char*, const DeviceTiles&, const DeviceMatrices<float>&,
                               Expansions<const float>, Expansions<float>, Update, int,
                               const Stream&);
template void translate<double>(const char*, const DeviceTiles&, const DeviceMatrices<double>&,
                                Expansions<const double>, Expansions<double>, Update, int,
                                const Stream&);

}  // namespace rankine::gpu
