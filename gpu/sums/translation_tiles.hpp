// Translations between expansions, arranged for the tensor cores:
// which boxes, which matrices, in which order.
//
// One matrix serves many translations because expansions are scale-free, and even more because the
// real harmonics have parity: reflecting an axis multiplies every coefficient by +1 or -1,
//
//   matrix(s t) = D(s) matrix(t) D(s) ,   D(s) diagonal with entries +-1,
//
// so that the 316 relative positions of M2L need the 56 matrices of the offsets (|dx|, |dy|, |dz|),
// and the eight octants of M2M and of L2L need one each.
//
// Target boxes are cut into tiles. A block of threads owns a tile: it walks through chunks, each a
// matrix with up to 64 columns (a source box, a target of the tile, the reflection), multiplies and
// adds to the tile's sums in shared memory. Within eight consecutive columns no target appears
// twice, so that no two threads add to one sum at the same time; the order of the additions is
// fixed, hence results are reproducible.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/order.hpp"

namespace rankine::gpu {

inline constexpr int tile_targets = 64;   ///< most target boxes of a tile
inline constexpr int chunk_columns = 64;  ///< most columns of a chunk
/// Rows and columns of the blocks into which matrices are cut.
inline constexpr int fragment_rows = 16;

/// Expansions are padded with zeros to whole fragments.
constexpr int padded_coefficients(int order) {
  return (order * order + fragment_rows - 1) / fragment_rows * fragment_rows;
}

struct TileColumn {
  std::int32_t source;  ///< box, or -1 for a column that pads
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
  std::int32_t chunk_begin, chunk_end;      ///< row_tiles fall from chunk to chunk
  std::int32_t target_begin, target_count;  ///< range of TranslationTiles::targets
};

struct TranslationTiles {
  std::int32_t size = 0;  ///< most targets of a tile
  std::vector<TranslationTile> tiles;
  AlignedVector<TileChunk> chunks;
  std::vector<std::int32_t> targets;  ///< boxes
};

/// Matrices cut into 16 x 16 fragments in the order in which the lanes of a warp hold them (see
/// gpu/sums/mma.cuh).
template <class T>
struct MatrixSet {
  struct Entry {
    std::int32_t first = 0, row_tiles = 0, k_tiles = 0;
  };
  std::vector<Entry> entries;
  AlignedVector<T> fragments;
};

/// Where element (row, k) of a 16 x 16 fragment stands among its 256 elements.
template <class T>
constexpr int fragment_position(int row, int k) {
  constexpr int vector = 16 / static_cast<int>(sizeof(T));
  const int lane = 4 * (row % 8) + k / 4;
  const int element = 2 * (k % 4) + row / 8;
  return (element / vector * 32 + lane) * vector + element % vector;
}

/// For each coefficient eight bits: bit s is the sign (1: minus)
/// that reflection s gives it. Padded.
std::vector<std::uint8_t> reflection_signs(int order);

/// Index of the matrix of an M2L offset, and the reflection (bit per negative component).
struct Reflected {
  std::int32_t matrix, reflection;
};
inline constexpr int m2l_matrix_count = 64;
Reflected reflected_offset(int dx, int dy, int dz);

template <class T>
MatrixSet<T> m2l_matrices(const fmm::Orders& orders);
template <class T>
MatrixSet<T> m2m_matrix(int order);
template <class T>
MatrixSet<T> l2l_matrix(int order);

/// Entries of a MatrixSet, which is all that the tiles depend on.
template <class T>
std::vector<TileChunk> matrix_headers(const MatrixSet<T>& set) {
  std::vector<TileChunk> headers;
  for (const auto& entry : set.entries)
    headers.push_back({entry.first, entry.row_tiles, entry.k_tiles, 0, {}});
  return headers;
}

/// Targets per tile for a pass over `targets` boxes: few where there are few boxes, so that all
/// multiprocessors have work.
int tile_size(std::int64_t targets, int order);

/// Tiles over every box with targets, of all levels; boxes with empty lists are set to zero.
TranslationTiles m2l_tiles(const fmm::Octree& tree, const fmm::BoxLists& far, int order,
                           const std::vector<TileChunk>& headers);
/// Tiles over the divided boxes with sources of `level`, from their children.
TranslationTiles m2m_tiles(const fmm::Octree& tree, int level, int order,
                           const std::vector<TileChunk>& headers);
/// Tiles over the boxes with targets of `level`, from their parents.
TranslationTiles l2l_tiles(const fmm::Octree& tree, int level, int order,
                           const std::vector<TileChunk>& headers);

}  // namespace rankine::gpu
