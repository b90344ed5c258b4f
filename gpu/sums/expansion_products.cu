// A block of threads processes a tile of at most 64 target boxes and up to 128 rows of their
// expansions, summed in shared memory. Each warp has 16 rows. The block processes the chunks of its
// tile in steps of a few slices of the inner index, 16 wide. Source expansions of the next step are
// copied in the background; matrix fragments are loaded directly from L2 in the order of the lanes.
// Reflections change signs when columns are read and when products are added.
#include <algorithm>

#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/translation_steps.cuh"

namespace rankine::gpu {
namespace {

/// Writes or adds the sums of a tile to the expansions of its targets.
template <class L>
__device__ __forceinline__ void store_sums(const TranslationTask<typename L::Real>& task,
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
    translate_kernel(const __grid_constant__ TranslationTask<typename L::Real> task) {
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

/// Blocks over the rows of a tile.
template <class L>
struct RowBlocks {
  int count, warps;

  explicit RowBlocks(int row_tiles)
      : count((row_tiles + L::most_warps - 1) / L::most_warps),
        warps((row_tiles + count - 1) / count) {}
};

/// Calls work.operator()<Layout>() with the layout for expansions of this many row tiles.
template <class T, class Work>
void with_layout(int row_tiles, const Work& work) {
  // With few row tiles short steps are faster, since more blocks fit into the shared memory.
  if (row_tiles <= (sizeof(T) == 8 ? 10 : 4))
    return work.template operator()<TranslationLayout<T, 1>>();
  if constexpr (sizeof(T) == 8) {
    work.template operator()<TranslationLayout<T, 2>>();
  } else {
    work.template operator()<TranslationLayout<T, 3>>();
  }
}

}  // namespace

template <class T>
TileSizes<T>::TileSizes(int order, int columns) {
  const int coefficients = padded_coefficients(order), row_tiles = coefficients / fragment_rows;
  with_layout<T>(row_tiles, [&]<class L>() {
    const RowBlocks<L> rows(row_tiles);
    blocks_of_tile_ = std::int64_t{rows.count} * columns;
    for (std::size_t k = 0; k < at_once_.size(); ++k) {
      const std::size_t shared =
          L::shared_bytes(step * (static_cast<int>(k) + 1), rows.warps, coefficients);
      at_once_[k] = static_cast<std::int64_t>(
          blocks_at_once("tile sizes", &translate_kernel<L>, 32 * rows.warps, shared));
    }
  });
}

template <class T>
int TileSizes<T>::best(std::int64_t targets) const {
  constexpr double full = 0.95;
  int best = step;
  double fullest = 0.0;
  for (std::size_t k = at_once_.size(); k-- > 1;) {  // tiles of less than eight waste columns
    const int size = step * (static_cast<int>(k) + 1);
    const std::int64_t blocks = (targets + size - 1) / size * blocks_of_tile_,
                       rounds = (blocks + at_once_[k] - 1) / at_once_[k];
    const double filled = static_cast<double>(blocks) /
                          static_cast<double>(std::max<std::int64_t>(rounds, 1) * at_once_[k]);
    if (filled > fullest) {
      fullest = filled;
      best = size;
    }
    if (filled >= full) break;
  }
  return best;
}

template class TileSizes<float>;
template class TileSizes<double>;

template <class T>
void translate(const char* pass, const DeviceTiles& tiles, const DeviceMatrices<T>& matrices,
               Expansions<const T> source, Expansions<T> target, Update update, int rhs,
               const Stream& stream) {
  const TranslationTask<T> task{tiles.tiles.data(),
                                tiles.chunks.data(),
                                tiles.targets.data(),
                                matrices.fragments.data(),
                                matrices.signs.data(),
                                source,
                                target,
                                tiles.size,
                                update == Update::add};
  const int row_tiles = target.stride / fragment_rows, count = static_cast<int>(tiles.tiles.size());
  with_layout<T>(row_tiles, [&]<class L>() {
    const RowBlocks<L> rows(row_tiles);
    const LaunchShape shape{dim3(count, rows.count, rhs), dim3(32 * rows.warps),
                            L::shared_bytes(task.tile_size, rows.warps, task.source.stride)};
    launch(pass, &translate_kernel<L>, shape, stream, task);
  });
}

template void translate<float>(const char*, const DeviceTiles&, const DeviceMatrices<float>&,
                               Expansions<const float>, Expansions<float>, Update, int,
                               const Stream&);
template void translate<double>(const char*, const DeviceTiles&, const DeviceMatrices<double>&,
                                Expansions<const double>, Expansions<double>, Update, int,
                                const Stream&);

}  // namespace rankine::gpu
