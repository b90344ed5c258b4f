#include "rankine/gpu/sums/translation_tiles.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <numeric>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/dense_translation.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/translations.hpp"

namespace rankine::gpu {
namespace {

struct TileStep {
  std::int32_t matrix, reflection, source, target;
};

/// The columns of one matrix in one tile, in groups of eight without repeated targets.
class ColumnWriter {
 public:
  ColumnWriter(const TileChunk& header, AlignedVector<TileChunk>& chunks)
      : header_(header), chunks_(chunks) {}

  void add(const TileStep& step) {
    const std::int32_t group = columns_ / 8 * 8;
    for (std::int32_t i = group; i < columns_; ++i) {
      if ((chunks_.back().column[i].target & 255) == step.target) {
        pad();
        break;
      }
    }
    append({step.source, step.target | step.reflection << 8});
  }

  void finish() {
    if (columns_ == 0) return;
    pad();
    chunks_.back().columns = columns_;
  }

 private:
  void append(const TileColumn& column) {
    if (columns_ == chunk_columns) {
      chunks_.back().columns = columns_;
      columns_ = 0;
    }
    if (columns_ == 0) {
      chunks_.resize(chunks_.size() + 1);
      TileChunk& chunk = chunks_.back();
      chunk.matrix = header_.matrix;
      chunk.row_tiles = header_.row_tiles;
      chunk.k_tiles = header_.k_tiles;
    }
    chunks_.back().column[columns_++] = column;
  }

  void pad() {
    while (columns_ % 8 != 0) append({-1, 0});
  }

  const TileChunk& header_;
  AlignedVector<TileChunk>& chunks_;
  std::int32_t columns_ = 0;
};

/// Writes the chunks of tiles, one after the other; keeps its workspace between them.
class ChunkWriter {
 public:
  explicit ChunkWriter(const std::vector<TileChunk>& headers)
      : headers_(headers), by_order_(headers.size()) {
    std::iota(by_order_.begin(), by_order_.end(), std::size_t{0});
    std::stable_sort(by_order_.begin(), by_order_.end(), [&](std::size_t a, std::size_t b) {
      return headers[a].row_tiles > headers[b].row_tiles;
    });
  }

  /// Chunks of one tile, those of the highest order first. Columns of a matrix go round robin over
  /// the targets, so that repeated targets are far apart.
  void write(const std::vector<TileStep>& steps, AlignedVector<TileChunk>& chunks) {
    sort_into_rounds(steps);
    for (const std::size_t matrix : by_order_) {
      ColumnWriter writer(headers_[matrix], chunks);
      for (std::size_t i = begin_[matrix * rounds]; i < begin_[(matrix + 1) * rounds]; ++i)
        writer.add(sorted_[i]);
      writer.finish();
    }
  }

 private:
  static constexpr std::size_t rounds = 8;  // a target meets a matrix once per reflection at most

  /// Stable counting sort by matrix, then by how often the target has met the matrix before.
  void sort_into_rounds(const std::vector<TileStep>& steps) {
    seen_.assign(headers_.size() * tile_targets, 0);
    keys_.clear();
    begin_.assign(headers_.size() * rounds + 1, 0);
    for (const TileStep& step : steps) {
      const std::size_t round = seen_[step.matrix * tile_targets + step.target]++;
      keys_.push_back(step.matrix * rounds + round);
      ++begin_[keys_.back() + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    next_.assign(begin_.begin(), begin_.end());
    sorted_.resize(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) sorted_[next_[keys_[i]]++] = steps[i];
  }

  const std::vector<TileChunk>& headers_;
  std::vector<std::size_t> by_order_, keys_, begin_, next_;
  std::vector<std::uint8_t> seen_;
  std::vector<TileStep> sorted_;
};

/// What a thread keeps while it makes tiles, and the chunks of all that it has made.
struct TileMaker {
  ChunkWriter writer;
  std::vector<TileStep> list;
  AlignedVector<TileChunk> chunks;
  std::int32_t first = 0;  ///< of its chunks among all
};

/// Tiles over `targets`; steps(box, position in tile, list) appends the translations of one box. Where
/// a tile's chunks stand depends on the thread that made them, what they are does not.
template <class Steps>
TranslationTiles make_tiles(std::vector<std::int32_t> targets, int order,
                            const std::vector<TileChunk>& headers, Steps&& steps) {
  TranslationTiles result;
  result.targets = std::move(targets);
  const auto count = static_cast<std::int32_t>(result.targets.size());
  const std::int32_t size = tile_size(count, order);
  result.size = size;
  const std::int32_t tiles = (count + size - 1) / size;
  result.tiles.resize(static_cast<std::size_t>(tiles));
  std::vector<const TileMaker*> maker(result.tiles.size());
  std::deque<TileMaker> makers;
  std::mutex adding;
  parallel_chunks(
      result.tiles.size(), 4,
      [&] {
        const std::lock_guard lock(adding);
        return &makers.emplace_back(ChunkWriter(headers));
      },
      [&](std::size_t i, TileMaker* make) {
        const std::int32_t begin = static_cast<std::int32_t>(i) * size,
                           end = std::min(begin + size, count);
        make->list.clear();
        for (std::int32_t k = begin; k < end; ++k) steps(result.targets[k], k - begin, make->list);
        const auto written = [&] { return static_cast<std::int32_t>(make->chunks.size()); };
        TranslationTile& tile = result.tiles[i];
        tile = {written(), 0, begin, end - begin};
        make->writer.write(make->list, make->chunks);
        tile.chunk_end = written();
        maker[i] = make;
      });
  std::int32_t total = 0;
  for (TileMaker& make : makers) {
    make.first = total;
    total += static_cast<std::int32_t>(make.chunks.size());
  }
  result.chunks.resize(static_cast<std::size_t>(total));
  parallel_chunks(makers.size(), 1, [&](std::size_t i) {
    std::copy(makers[i].chunks.begin(), makers[i].chunks.end(),
              result.chunks.begin() + makers[i].first);
  });
  for (std::size_t i = 0; i < result.tiles.size(); ++i) {
    result.tiles[i].chunk_begin += maker[i]->first;
    result.tiles[i].chunk_end += maker[i]->first;
  }
  // The longest tiles first, so that the last ones to run are short.
  std::stable_sort(result.tiles.begin(), result.tiles.end(),
                   [](const TranslationTile& a, const TranslationTile& b) {
                     return a.chunk_end - a.chunk_begin > b.chunk_end - b.chunk_begin;
                   });
  return result;
}

/// A translation for which a set needs a matrix; order 0 for none.
struct Wanted {
  Vec3d t;
  int order = 0;
};

template <class T>
MatrixSet<T> build_matrices(fmm::Shift shift, const std::vector<Wanted>& wanted) {
  MatrixSet<T> set;
  std::int32_t fragments = 0;
  for (const Wanted& each : wanted) {
    const std::int32_t tiles = each.order > 0 ? padded_coefficients(each.order) / fragment_rows : 0;
    set.entries.push_back({fragments, tiles, tiles});
    fragments += tiles * tiles;
  }
  set.fragments.resize(static_cast<std::size_t>(fragments) * 256);
  parallel_chunks(wanted.size(), 1, [&](std::size_t i) {
    if (wanted[i].order == 0) return;
    const int size = fmm::coefficient_count(wanted[i].order), tiles = set.entries[i].k_tiles;
    const std::vector<double> dense = fmm::dense_translation(shift, wanted[i].t, wanted[i].order);
    T* const out = set.fragments.data() + static_cast<std::size_t>(set.entries[i].first) * 256;
    std::fill_n(out, static_cast<std::size_t>(tiles) * tiles * 256, T(0));  // the padding, too
    for (int row = 0; row < size; ++row) {
      for (int k = 0; k < size; ++k) {
        out[(row / 16 * tiles + k / 16) * 256 + fragment_position<T>(row % 16, k % 16)] =
            static_cast<T>(dense[static_cast<std::size_t>(row) * size + k]);
      }
    }
  });
  return set;
}

/// The boxes [begin, end) for which wanted(box).
template <class Wants>
std::vector<std::int32_t> boxes_where(const fmm::Octree& tree, std::size_t begin, std::size_t end,
                                      Wants&& wanted) {
  std::vector<std::int32_t> boxes;
  for (std::size_t b = begin; b < end; ++b) {
    if (wanted(tree.boxes[b])) boxes.push_back(static_cast<std::int32_t>(b));
  }
  return boxes;
}

bool has_targets(const fmm::Box& box) { return box.target_count() > 0; }

}  // namespace

int tile_size(std::int64_t targets, int order) {
  // Two rounds of two blocks for each multiprocessor of the largest devices;
  // seven warps to a block.
  constexpr std::int64_t wanted_blocks = 528;
  const std::int64_t row_blocks = (padded_coefficients(order) / fragment_rows + 6) / 7;
  const std::int64_t size = targets * row_blocks / wanted_blocks / 8 * 8;
  return static_cast<int>(std::clamp<std::int64_t>(size, 8, tile_targets));
}

std::vector<std::uint8_t> reflection_signs(int order) {
  std::vector<std::uint8_t> signs(padded_coefficients(order), 0);
  for (int n = 0; n < order; ++n) {
    for (int m = -n; m <= n; ++m) {
      const int a = std::abs(m);
      const int x = m >= 0 ? a % 2 : (a + 1) % 2, y = m < 0 ? 1 : 0, z = (n + a) % 2;
      std::uint8_t bits = 0;
      for (int s = 0; s < 8; ++s) {
        const int parity = ((s & 1) * x + (s >> 1 & 1) * y + (s >> 2 & 1) * z) % 2;
        bits = static_cast<std::uint8_t>(bits | parity << s);
      }
      signs[fmm::coefficient_index(n, m)] = bits;
    }
  }
  return signs;
}

Reflected reflected_offset(int dx, int dy, int dz) {
  return {std::abs(dx) + 4 * (std::abs(dy) + 4 * std::abs(dz)),
          (dx < 0 ? 1 : 0) | (dy < 0 ? 2 : 0) | (dz < 0 ? 4 : 0)};
}

template <class T>
MatrixSet<T> m2l_matrices(const fmm::Orders& orders) {
  std::vector<Wanted> wanted(m2l_matrix_count);
  for (int i = 0; i < m2l_matrix_count; ++i) {
    const int offset = fmm::offset_index(i % 4, i / 4 % 4, i / 16);
    if (fmm::offset_is_far(offset)) wanted[i] = {fmm::offset_vector(offset), orders.m2l[offset]};
  }
  return build_matrices<T>(fmm::Shift::multipole_to_local, wanted);
}

// The matrix of octant 7, of which the others are reflections.
template <class T>
MatrixSet<T> m2m_matrix(int order) {
  return build_matrices<T>(fmm::Shift::multipole_to_multipole, {{fmm::octant_offset(7), order}});
}

template <class T>
MatrixSet<T> l2l_matrix(int order) {
  return build_matrices<T>(fmm::Shift::local_to_local, {{fmm::octant_offset(7), order}});
}

TranslationTiles m2l_tiles(const fmm::Octree& tree, const fmm::BoxLists& far, int order,
                           const std::vector<TileChunk>& headers) {
  return make_tiles(boxes_where(tree, 0, tree.boxes.size(), has_targets), order, headers,
                    [&](std::int32_t b, std::int32_t position, std::vector<TileStep>& steps) {
                      fmm::visit_m2l(tree, far, b, [&](std::int32_t c, int dx, int dy, int dz) {
                        const auto [matrix, reflection] = reflected_offset(dx, dy, dz);
                        steps.push_back({matrix, reflection, c, position});
                      });
                    });
}

TranslationTiles m2m_tiles(const fmm::Octree& tree, int level, int order,
                           const std::vector<TileChunk>& headers) {
  const auto divided = [](const fmm::Box& box) { return !box.is_leaf() && box.source_count() > 0; };
  return make_tiles(
      boxes_where(tree, tree.level_begin[level], tree.level_begin[level + 1], divided), order,
      headers, [&](std::int32_t b, std::int32_t position, std::vector<TileStep>& steps) {
        fmm::visit_m2m(tree, b, [&](std::int32_t child, int octant) {
          steps.push_back({0, 7 ^ octant, child, position});
        });
      });
}

TranslationTiles l2l_tiles(const fmm::Octree& tree, int level, int order,
                           const std::vector<TileChunk>& headers) {
  return make_tiles(
      boxes_where(tree, tree.level_begin[level], tree.level_begin[level + 1], has_targets), order,
      headers, [&](std::int32_t b, std::int32_t position, std::vector<TileStep>& steps) {
        fmm::visit_l2l(tree, b, [&](std::int32_t parent, int octant) {
          steps.push_back({0, 7 ^ octant, parent, position});
        });
      });
}

template struct MatrixSet<float>;
template struct MatrixSet<double>;
template MatrixSet<float> m2l_matrices<float>(const fmm::Orders&);
template MatrixSet<double> m2l_matrices<double>(const fmm::Orders&);
template MatrixSet<float> m2m_matrix<float>(int);
template MatrixSet<double> m2m_matrix<double>(int);
template MatrixSet<float> l2l_matrix<float>(int);
template MatrixSet<double> l2l_matrix<double>(int);

}  // namespace rankine::gpu
