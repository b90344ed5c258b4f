// The assignment of translations to matrices, and their order; computed on the device.
//
// Target boxes are divided into tiles. A block of threads processes a tile chunk by chunk. A chunk
// is a matrix with up to 64 columns (a source box, a target of the tile, the reflection); the
// products are added to the tile's sums in shared memory. Within eight consecutive columns every
// target occurs only once, so no two threads add to the same sum at the same time. The order of the
// additions is fixed, so results are reproducible.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rankine/gpu/sums/device_lists.hpp"
#include "rankine/gpu/sums/translation_matrices.hpp"

namespace rankine::gpu {

inline constexpr int tile_targets = 64;   ///< most target boxes of a tile
inline constexpr int chunk_columns = 64;  ///< most columns of a chunk
/// A target uses a matrix at most once per reflection.
inline constexpr int tile_rounds = 8;

struct TileColumn {
  std::int32_t source;  ///< box, or -1 for a padding column
  std::int32_t target;  ///< position in the tile + 256 * reflection
};

struct alignas(16) TileChunk {
  std::int32_t matrix;     ///< first fragment
  std::int32_t row_tiles;  ///< fragments down
  std::int32_t k_tiles;    ///< fragments across
  std::int32_t columns;    ///< multiple of 8, at most chunk_columns
  TileColumn column[chunk_columns];
};

struct TranslationTile {
  std::int32_t chunk_begin, chunk_end;      ///< row_tiles decrease from chunk to chunk
  std::int32_t target_begin, target_count;  ///< range of DeviceTiles::targets
};

/// Places the columns of one matrix in one tile. Calls place(target, round, column) for every use
/// (`round`) of the matrix by a target, `meets(target)` times in total. The targets take turns, so
/// that repeated targets are far apart; gaps ensure that a target does not occur twice within eight
/// columns. Returns the number of columns, gaps included, a multiple of 8.
template <class Meets, class Place>
RANKINE_HD inline int place_columns(int targets, const Meets& meets, Place&& place) {
  int column = 0;
  std::uint64_t in_group = 0;
  for (int round = 0; round < tile_rounds; ++round) {
    bool any = false;
    for (int target = 0; target < targets; ++target) {
      if (meets(target) <= round) continue;
      any = true;
      if (column % 8 == 0) in_group = 0;
      if ((in_group >> target & 1) != 0) {
        column = (column + 7) / 8 * 8;
        in_group = 0;
      }
      place(target, round, column++);
      in_group |= std::uint64_t{1} << target;
    }
    if (!any) break;
  }
  return (column + 7) / 8 * 8;
}

/// Tiles of one pass.
struct DeviceTiles {
  std::int32_t size = 0;  ///< largest number of targets of a tile
  DeviceBuffer<TranslationTile> tiles;
  DeviceBuffer<TileChunk> chunks;
  std::span<const std::int32_t> targets;  ///< boxes, on the device

  std::size_t bytes() const { return tiles.bytes() + chunks.bytes(); }
};

/// The target boxes of the translations.
struct TranslationTargets {
  DeviceBuffer<std::int32_t> local;   ///< for M2L and L2L: boxes with targets, of all levels
  DeviceBuffer<std::int32_t> parent;  ///< for M2M: divided boxes with sources of this device
  /// The number of boxes before each level.
  std::vector<std::int32_t> local_begin, parent_begin;

  std::size_t bytes() const { return local.bytes() + parent.bytes(); }
};
TranslationTargets translation_targets(const DeviceTree& tree, const Stream& stream);

// `entries`: the matrices of the pass; `size`: the number of targets of a tile, for a pass over
// this many targets. `targets` must outlive the tiles.

using TileSize = std::function<int(std::int64_t targets)>;

/// Tiles over every box with targets, of all levels, the longest first; boxes with empty lists are
/// set to zero.
DeviceTiles m2l_tiles(const DeviceTree& tree, const TranslationTargets& targets,
                      const RowsView& far, const TileSize& size,
                      const std::vector<MatrixEntry>& entries, const Stream& stream);
/// Tiles over the divided boxes with sources of `level`, from their children.
DeviceTiles m2m_tiles(const DeviceTree& tree, const TranslationTargets& targets, int level,
                      const TileSize& size, const std::vector<MatrixEntry>& entries,
                      const Stream& stream);
/// Tiles over the boxes with targets of `level`, from their parents.
DeviceTiles l2l_tiles(const DeviceTree& tree, const TranslationTargets& targets, int level,
                      const TileSize& size, const std::vector<MatrixEntry>& entries,
                      const Stream& stream);

}  // namespace rankine::gpu
