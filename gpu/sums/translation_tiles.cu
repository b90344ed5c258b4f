// A thread block builds a tile in three steps. It first notes with which reflections each target
// uses each matrix, then places the columns of each matrix, and finally writes the columns of each
// target.
#include "rankine/gpu/sums/translation_tiles.hpp"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <numeric>

#include "rankine/fmm/translations.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// The translations to one box: calls visit(matrix, reflection, source) for those of one of `lanes`
/// threads.
struct M2LSteps {
  static constexpr int matrices = m2l_matrix_count, lanes = 8;
  const fmm::Box* boxes;
  RowsView far;

  template <class Visit>
  __device__ void operator()(std::int32_t box, int lane, Visit&& visit) const {
    fmm::visit_m2l(
        boxes, far.row(box), box,
        [&](std::int32_t source, int dx, int dy, int dz) {
          visit(reflected_offset(dx, dy, dz), source);
        },
        lane, lanes);
  }
};

struct M2MSteps {
  static constexpr int matrices = 1, lanes = 1;
  const fmm::Box* boxes;

  template <class Visit>
  __device__ void operator()(std::int32_t box, int, Visit&& visit) const {
    fmm::visit_m2m(boxes, box,
                   [&](std::int32_t child, int octant) { visit(reflected_octant(octant), child); });
  }
};

struct L2LSteps {
  static constexpr int matrices = 1, lanes = 1;
  const fmm::Box* boxes;

  template <class Visit>
  __device__ void operator()(std::int32_t box, int, Visit&& visit) const {
    fmm::visit_l2l(boxes, box, [&](std::int32_t parent, int octant) {
      visit(reflected_octant(octant), parent);
    });
  }
};

template <class Steps>
struct Task {
  Steps steps;
  const std::int32_t* targets;
  std::int32_t target_count, tile_size;
};

template <class Steps>
constexpr int threads_of = tile_targets* Steps::lanes;

/// For each matrix and target of a tile, a bit for every reflection with which it is used.
template <int matrices>
struct Meetings {
  alignas(4) std::uint8_t reflections[matrices][tile_targets];

  __device__ void add(const Reflected& by, int target) {
    auto* const four = reinterpret_cast<unsigned*>(&reflections[by.matrix][target / 4 * 4]);
    atomicOr(four, 1U << (8 * (target % 4) + by.reflection));
  }
  __device__ int count(int matrix, int target) const { return __popc(reflections[matrix][target]); }
  /// The number of uses of the matrix by the target with smaller reflections.
  __device__ int round(const Reflected& by, int target) const {
    return __popc(reflections[by.matrix][target] & ((1U << by.reflection) - 1U));
  }
};

/// All threads of the block must call it. Returns the number of targets of the tile.
template <class Steps>
__device__ int find_meetings(const Task<Steps>& task, std::int32_t tile,
                             Meetings<Steps::matrices>& meetings) {
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int32_t begin = tile * task.tile_size;
  const int size = min(task.tile_size, task.target_count - begin);
  for (int i = thread; i < Steps::matrices * tile_targets; i += threads_of<Steps>)
    meetings.reflections[0][i] = 0;
  __syncthreads();
  const int target = thread / Steps::lanes;
  if (target < size) {
    task.steps(task.targets[begin + target], thread % Steps::lanes,
               [&](const Reflected& by, std::int32_t) { meetings.add(by, target); });
  }
  __syncthreads();
  return size;
}

RANKINE_HD constexpr int chunks_of(int columns) {
  return (columns + chunk_columns - 1) / chunk_columns;
}

template <class Steps>
__global__ void __launch_bounds__(threads_of<Steps>)
    count_kernel(const __grid_constant__ Task<Steps> task, std::int32_t* chunks) {
  __shared__ Meetings<Steps::matrices> meetings;
  __shared__ int chunks_of_tile;
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread == 0) chunks_of_tile = 0;
  const int size = find_meetings(task, static_cast<std::int32_t>(blockIdx.x), meetings);
  if (thread < Steps::matrices) {
    const int columns = place_columns(
        size, [&](int target) { return meetings.count(thread, target); }, [](int, int, int) {});
    atomicAdd(&chunks_of_tile, chunks_of(columns));
  }
  __syncthreads();
  if (thread == 0) chunks[blockIdx.x] = chunks_of_tile;
}

/// `tile_order` and `first_chunk`: the tile that a block builds, and the position of its chunks. If
/// they are null, tiles keep their order and are `spacing` chunks apart.
template <class Steps>
__global__ void __launch_bounds__(threads_of<Steps>)
    fill_kernel(const __grid_constant__ Task<Steps> task, const MatrixEntry* entries,
                const std::int32_t* sequence, const std::int32_t* tile_order,
                const std::int32_t* first_chunk, std::int32_t spacing, TranslationTile* tiles,
                TileChunk* chunks) {
  constexpr int matrices = Steps::matrices;
  __shared__ Meetings<matrices> meetings;
  __shared__ int columns_of[matrices], chunk_of[matrices];
  extern __shared__ std::uint16_t column_at[];  // [matrix][round][target]
  const auto thread = static_cast<int>(threadIdx.x);
  const auto place = static_cast<std::int32_t>(blockIdx.x);
  const std::int32_t tile = tile_order == nullptr ? place : tile_order[place];
  const std::int32_t chunk_begin = first_chunk == nullptr ? place * spacing : first_chunk[place];
  const int size = find_meetings(task, tile, meetings);
  if (thread < matrices) {
    columns_of[thread] = place_columns(
        size, [&](int target) { return meetings.count(thread, target); },
        [&](int target, int round, int column) {
          column_at[(thread * tile_rounds + round) * tile_targets + target] =
              static_cast<std::uint16_t>(column);
        });
  }
  __syncthreads();
  if (thread == 0) {
    std::int32_t next = chunk_begin;
    for (int k = 0; k < matrices; ++k) {
      const int m = sequence[k];
      chunk_of[m] = next;
      next += chunks_of(columns_of[m]);
    }
    tiles[place] = {chunk_begin, next, tile * task.tile_size, size};
  }
  __syncthreads();
  for (int m = 0; m < matrices; ++m) {
    const int columns = columns_of[m];
    for (int c = thread; c < chunks_of(columns) * chunk_columns; c += threads_of<Steps>) {
      TileChunk& chunk = chunks[chunk_of[m] + c / chunk_columns];
      if (c % chunk_columns == 0) {
        chunk.matrix = entries[m].first;
        chunk.row_tiles = entries[m].row_tiles;
        chunk.k_tiles = entries[m].k_tiles;
        chunk.columns = min(chunk_columns, columns - c);
      }
      chunk.column[c % chunk_columns] = {-1, 0};
    }
  }
  __syncthreads();
  const int target = thread / Steps::lanes;
  if (target >= size) return;
  task.steps(
      task.targets[tile * task.tile_size + target], thread % Steps::lanes,
      [&](const Reflected& by, std::int32_t source) {
        const int round = meetings.round(by, target);
        const int column = column_at[(by.matrix * tile_rounds + round) * tile_targets + target];
        chunks[chunk_of[by.matrix] + column / chunk_columns].column[column % chunk_columns] = {
            source, target | by.reflection << 8};
      });
}

/// Matrices of the highest order come first.
std::vector<std::int32_t> by_order(const std::vector<MatrixEntry>& entries) {
  std::vector<std::int32_t> sequence(entries.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::int32_t a, std::int32_t b) {
    return entries[static_cast<std::size_t>(a)].row_tiles >
           entries[static_cast<std::size_t>(b)].row_tiles;
  });
  return sequence;
}

__global__ void index_kernel(std::int32_t count, std::int32_t* index) {
  const auto i = static_cast<std::int32_t>(thread_index());
  if (i < count) index[i] = i;
}

/// Computed from the chunk counts of all tiles: the order of the tiles, longest first, the first
/// chunk of each tile, and the total number of chunks.
struct Placed {
  DeviceBuffer<std::int32_t> order, first;
  std::size_t chunks = 0;
};
Placed place_longest_first(const DeviceBuffer<std::int32_t>& counts, const Stream& stream) {
  const std::size_t tiles = counts.size() - 1;  // the last count is an extra zero
  DeviceBuffer<std::int32_t> index(tiles, stream);
  Placed placed{DeviceBuffer<std::int32_t>(tiles, stream),
                DeviceBuffer<std::int32_t>(tiles + 1, stream)};
  placed.first.zero(stream);
  launch("numbering tiles", &index_kernel, one_thread_each(tiles), stream,
         static_cast<std::int32_t>(tiles), index.data());
  constexpr int count_bits = 16;  // at most 64 x 9 chunks
  with_scratch("sorting tiles", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairsDescending(
        scratch, bytes, counts.data(), placed.first.data(), index.data(), placed.order.data(),
        tiles, 0, count_bits, stream.handle());
  });
  sum_before(placed.first, stream);
  placed.chunks = static_cast<std::size_t>(download_every(placed.first, tiles, 1, stream)[0]);
  return placed;
}

/// Upper bound of the number of chunks of a tile whose targets use one matrix at most `meetings`
/// times; up to seven columns of every round may be empty.
constexpr int most_chunks(int size, int meetings) { return chunks_of(meetings * (size + 7)); }

enum class Places { longest_first, as_they_come };

template <class Steps>
DeviceTiles make_tiles(const Steps& steps, std::span<const std::int32_t> targets,
                       const TileSize& size, const std::vector<MatrixEntry>& entries, Places places,
                       int meetings, const Stream& stream) {
  DeviceTiles result;
  result.targets = targets;
  const auto count = static_cast<std::int32_t>(targets.size());
  if (count == 0) return result;
  result.size = size(count);
  const auto tiles = static_cast<std::size_t>((count + result.size - 1) / result.size);
  const Task<Steps> task{steps, targets.data(), count, result.size};
  const LaunchShape shape{dim3(static_cast<unsigned>(tiles)), dim3(threads_of<Steps>)};
  Placed placed;
  const int spacing = most_chunks(result.size, meetings);
  if (places == Places::longest_first) {
    DeviceBuffer<std::int32_t> counts(tiles + 1, stream);
    launch("counting tiles", &count_kernel<Steps>, shape, stream, task, counts.data());
    placed = place_longest_first(counts, stream);
  } else {
    placed.chunks = tiles * static_cast<std::size_t>(spacing);
  }
  result.tiles = DeviceBuffer<TranslationTile>(tiles, stream);
  result.chunks = DeviceBuffer<TileChunk>(placed.chunks, stream);
  const DeviceBuffer<MatrixEntry> device_entries(entries, stream);
  const DeviceBuffer<std::int32_t> sequence(by_order(entries), stream);
  LaunchShape fill = shape;
  fill.shared_bytes = sizeof(std::uint16_t) * Steps::matrices * tile_rounds * tile_targets;
  launch("filling tiles", &fill_kernel<Steps>, fill, stream, task, device_entries.data(),
         sequence.data(), placed.order.data(), placed.first.data(), spacing, result.tiles.data(),
         result.chunks.data());
  return result;
}

// ---- Targets ------------------------------------------------------------------------------------

enum TargetKind { local_targets, parent_targets };

/// first[kind * (count + 1) + box]: 1 if the box is a target of that kind.
__global__ void mark_kernel(const fmm::Box* boxes, std::int32_t count, std::int32_t* first) {
  const auto b = static_cast<std::int32_t>(thread_index());
  if (b > count) return;
  const bool exists = b < count;
  first[b] = exists && boxes[b].target_count() > 0 ? 1 : 0;
  first[count + 1 + b] =
      exists && !boxes[b].is_leaf() && boxes[b].source_count() > 0 && !boxes[b].imported() ? 1 : 0;
}

__global__ void list_kernel(std::int32_t count, const std::int32_t* first, std::int32_t* local,
                            std::int32_t* parent) {
  const auto b = static_cast<std::int32_t>(thread_index());
  if (b >= count) return;
  const auto list = [&](const std::int32_t* of_kind, std::int32_t* items) {
    if (of_kind[b + 1] > of_kind[b]) items[of_kind[b] - of_kind[0]] = b;
  };
  list(first, local);
  list(first + count + 1, parent);
}

/// Converts level_begin into numbers of targets of either kind.
__global__ void level_kernel(const std::int32_t* level_begin, int levels, std::int32_t count,
                             const std::int32_t* first, std::int32_t* before) {
  const auto i = static_cast<int>(thread_index());
  if (i >= levels) return;
  const std::int32_t* const parents = first + count + 1;
  before[i] = first[level_begin[i]];
  before[levels + i] = parents[level_begin[i]] - parents[0];
}

std::span<const std::int32_t> of_level(const DeviceBuffer<std::int32_t>& targets,
                                       const std::vector<std::int32_t>& begin, int level) {
  const auto l = static_cast<std::size_t>(level);
  return targets.span().subspan(static_cast<std::size_t>(begin[l]),
                                static_cast<std::size_t>(begin[l + 1] - begin[l]));
}

}  // namespace

TranslationTargets translation_targets(const DeviceTree& tree, const Stream& stream) {
  const std::int32_t boxes = tree.box_count;
  const std::size_t row = static_cast<std::size_t>(boxes) + 1;
  DeviceBuffer<std::int32_t> first(2 * row, stream);
  launch("marking targets", &mark_kernel, one_thread_each(row), stream, tree.boxes.data(), boxes,
         first.data());
  sum_before(first, stream);
  const std::size_t levels = tree.root.level_begin.size();
  const DeviceBuffer<std::int32_t> level_begin(tree.root.level_begin, stream);
  DeviceBuffer<std::int32_t> before(2 * levels, stream);
  launch("levels of targets", &level_kernel, one_thread_each(levels), stream, level_begin.data(),
         static_cast<int>(levels), boxes, first.data(), before.data());
  const std::vector<std::int32_t> both = before.download(stream);
  TranslationTargets targets;
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(levels);
  targets.local_begin.assign(both.begin(), middle);
  targets.parent_begin.assign(middle, both.end());
  targets.local =
      DeviceBuffer<std::int32_t>(static_cast<std::size_t>(targets.local_begin.back()), stream);
  targets.parent =
      DeviceBuffer<std::int32_t>(static_cast<std::size_t>(targets.parent_begin.back()), stream);
  launch("listing targets", &list_kernel, one_thread_each(row), stream, boxes, first.data(),
         targets.local.data(), targets.parent.data());
  return targets;
}

DeviceTiles m2l_tiles(const DeviceTree& tree, const TranslationTargets& targets,
                      const RowsView& far, const TileSize& size,
                      const std::vector<MatrixEntry>& entries, const Stream& stream) {
  return make_tiles(M2LSteps{tree.boxes.data(), far}, targets.local.span(), size, entries,
                    Places::longest_first, tile_rounds, stream);
}

DeviceTiles m2m_tiles(const DeviceTree& tree, const TranslationTargets& targets, int level,
                      const TileSize& size, const std::vector<MatrixEntry>& entries,
                      const Stream& stream) {
  return make_tiles(M2MSteps{tree.boxes.data()},
                    of_level(targets.parent, targets.parent_begin, level), size, entries,
                    Places::as_they_come, tile_rounds, stream);
}

DeviceTiles l2l_tiles(const DeviceTree& tree, const TranslationTargets& targets, int level,
                      const TileSize& size, const std::vector<MatrixEntry>& entries,
                      const Stream& stream) {
  return make_tiles(L2LSteps{tree.boxes.data()},
                    of_level(targets.local, targets.local_begin, level), size, entries,
                    Places::as_they_come, 1, stream);
}

}  // namespace rankine::gpu
