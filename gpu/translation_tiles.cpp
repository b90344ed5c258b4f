#include "gpu/translation_tiles.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "fmm/harmonics.hpp"
#include "fmm/translation.hpp"

namespace rankine::gpu {
namespace {

struct Step {
  std::int32_t matrix, reflection, source, target;
};

/// The columns of one matrix in one tile, in groups of eight without repeated targets.
class ColumnWriter {
 public:
  ColumnWriter(const TileChunk& header, std::vector<TileChunk>& chunks)
      : header_(header), chunks_(chunks) {}

  void add(const Step& step) {
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
    if (columns_ == 0) chunks_.push_back(header_);
    chunks_.back().column[columns_++] = column;
  }

  void pad() {
    while (columns_ % 8 != 0) append({-1, 0});
  }

  const TileChunk& header_;
  std::vector<TileChunk>& chunks_;
  std::int32_t columns_ = 0;
};

/// Chunks of one tile, those of the highest order first. Columns of a matrix go round robin over
/// the targets, so that repeated targets are far apart.
void write_chunks(const std::vector<Step>& steps, const std::vector<TileChunk>& headers,
                  std::vector<TileChunk>& chunks) {
  std::vector<std::vector<std::vector<Step>>> rounds(headers.size());
  std::vector<std::array<std::int32_t, tile_targets>> seen(headers.size());
  for (auto& each : seen) each.fill(0);
  for (const Step& step : steps) {
    const std::int32_t round = seen[step.matrix][step.target]++;
    auto& of_matrix = rounds[step.matrix];
    if (of_matrix.size() <= static_cast<std::size_t>(round)) of_matrix.resize(round + 1);
    of_matrix[round].push_back(step);
  }
  std::vector<std::size_t> by_order(headers.size());
  std::iota(by_order.begin(), by_order.end(), std::size_t{0});
  std::stable_sort(by_order.begin(), by_order.end(), [&](std::size_t a, std::size_t b) {
    return headers[a].row_tiles > headers[b].row_tiles;
  });
  for (const std::size_t matrix : by_order) {
    ColumnWriter writer(headers[matrix], chunks);
    for (const auto& round : rounds[matrix]) {
      for (const Step& step : round) writer.add(step);
    }
    writer.finish();
  }
}

/// Tiles over `targets`; steps(box, position in tile, list) appends the translations of one box.
template <class Steps>
TranslationTiles make_tiles(std::vector<std::int32_t> targets, int order,
                            const std::vector<TileChunk>& headers, Steps&& steps) {
  TranslationTiles result;
  result.targets = std::move(targets);
  const auto count = static_cast<std::int32_t>(result.targets.size());
  const std::int32_t size = tile_size(count, order);
  result.size = size;
  const std::int32_t tiles = (count + size - 1) / size;
  std::vector<std::vector<TileChunk>> chunks(tiles);
#pragma omp parallel
  {
    std::vector<Step> list;
#pragma omp for schedule(dynamic, 4)
    for (std::int32_t tile = 0; tile < tiles; ++tile) {
      list.clear();
      const std::int32_t begin = tile * size, end = std::min(begin + size, count);
      for (std::int32_t i = begin; i < end; ++i) steps(result.targets[i], i - begin, list);
      write_chunks(list, headers, chunks[tile]);
    }
  }
  std::int32_t total = 0;
  for (std::int32_t tile = 0; tile < tiles; ++tile) {
    const std::int32_t begin = tile * size;
    const auto length = static_cast<std::int32_t>(chunks[tile].size());
    result.tiles.push_back({total, total + length, begin, std::min(size, count - begin)});
    total += length;
  }
  result.chunks.resize(total);
#pragma omp parallel for schedule(static)
  for (std::int32_t tile = 0; tile < tiles; ++tile) {
    std::copy(chunks[tile].begin(), chunks[tile].end(),
              result.chunks.begin() + result.tiles[tile].chunk_begin);
  }
  // The longest tiles first, so that the last ones to run are short.
  std::stable_sort(result.tiles.begin(), result.tiles.end(),
                   [](const TranslationTile& a, const TranslationTile& b) {
                     return a.chunk_end - a.chunk_begin > b.chunk_end - b.chunk_begin;
                   });
  return result;
}

template <class T>
void append_matrix(const fmm::Translation& translation, typename MatrixSet<T>::Entry& entry,
                   std::vector<T>& fragments) {
  const int size = fmm::coefficient_count(translation.order);
  const std::vector<double> dense = fmm::dense_matrix(translation);
  const int tiles = padded_coefficients(translation.order) / fragment_rows;
  entry.row_tiles = entry.k_tiles = tiles;
  fragments.assign(static_cast<std::size_t>(tiles) * tiles * 256, T(0));
  for (int row = 0; row < size; ++row) {
    for (int k = 0; k < size; ++k) {
      const std::size_t fragment = static_cast<std::size_t>(row / 16) * tiles + k / 16;
      fragments[fragment * 256 + fragment_position<T>(row % 16, k % 16)] =
          static_cast<T>(dense[static_cast<std::size_t>(row) * size + k]);
    }
  }
}

template <class T>
MatrixSet<T> join(std::vector<typename MatrixSet<T>::Entry> entries,
                  const std::vector<std::vector<T>>& fragments) {
  MatrixSet<T> set{std::move(entries), {}};
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    set.entries[i].first = static_cast<std::int32_t>(set.fragments.size() / 256);
    set.fragments.insert(set.fragments.end(), fragments[i].begin(), fragments[i].end());
  }
  return set;
}

/// The matrix of octant 7, of which the others are reflections.
template <class T>
MatrixSet<T> octant_matrix(fmm::Shift shift, int order) {
  std::vector<typename MatrixSet<T>::Entry> entries(1);
  std::vector<std::vector<T>> fragments(1);
  append_matrix<T>(fmm::make_translation(shift, fmm::octant_offset(7), order), entries[0],
                   fragments[0]);
  return join<T>(std::move(entries), fragments);
}

int difference(std::uint32_t a, std::uint32_t b) {
  return static_cast<int>(static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b));
}

}  // namespace

int tile_size(std::int64_t targets, int order) {
  constexpr std::int64_t wanted_blocks = 264;  // two for each multiprocessor of the largest devices
  const std::int64_t row_blocks = (padded_coefficients(order) / fragment_rows + 7) / 8;
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
  std::vector<typename MatrixSet<T>::Entry> entries(m2l_matrix_count);
  std::vector<std::vector<T>> fragments(m2l_matrix_count);
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < m2l_matrix_count; ++i) {
    const int x = i % 4, y = i / 4 % 4, z = i / 16;
    const int offset = fmm::offset_index(x, y, z);
    if (!fmm::offset_is_far(offset)) continue;
    append_matrix<T>(fmm::make_translation(fmm::Shift::multipole_to_local,
                                           fmm::offset_vector(offset), orders.m2l[offset]),
                     entries[i], fragments[i]);
  }
  return join<T>(std::move(entries), fragments);
}

template <class T>
MatrixSet<T> m2m_matrix(int order) {
  return octant_matrix<T>(fmm::Shift::multipole_to_multipole, order);
}

template <class T>
MatrixSet<T> l2l_matrix(int order) {
  return octant_matrix<T>(fmm::Shift::local_to_local, order);
}

TranslationTiles m2l_tiles(const fmm::Octree& tree, const fmm::BoxLists& far, int order,
                           const std::vector<TileChunk>& headers) {
  std::vector<std::int32_t> targets;
  for (std::size_t b = 0; b < tree.boxes.size(); ++b) {
    if (tree.boxes[b].target_count() > 0) targets.push_back(static_cast<std::int32_t>(b));
  }
  return make_tiles(std::move(targets), order, headers,
                    [&](std::int32_t b, std::int32_t position, std::vector<Step>& steps) {
                      const fmm::Box& target = tree.boxes[b];
                      for (const std::int32_t c : far.row(b)) {
                        const fmm::Box& source = tree.boxes[c];
                        const Reflected reflected = reflected_offset(
                            difference(target.x, source.x), difference(target.y, source.y),
                            difference(target.z, source.z));
                        steps.push_back({reflected.matrix, reflected.reflection, c, position});
                      }
                    });
}

TranslationTiles m2m_tiles(const fmm::Octree& tree, int level, int order,
                           const std::vector<TileChunk>& headers) {
  std::vector<std::int32_t> targets;
  for (std::int32_t b = tree.level_begin[level]; b < tree.level_begin[level + 1]; ++b) {
    if (!tree.boxes[b].is_leaf() && tree.boxes[b].source_count() > 0) targets.push_back(b);
  }
  return make_tiles(std::move(targets), order, headers,
                    [&](std::int32_t b, std::int32_t position, std::vector<Step>& steps) {
                      const fmm::Box& parent = tree.boxes[b];
                      for (std::int32_t c = parent.first_child;
                           c < parent.first_child + parent.child_count; ++c) {
                        if (tree.boxes[c].source_count() > 0)
                          steps.push_back({0, 7 ^ tree.boxes[c].octant(), c, position});
                      }
                    });
}

TranslationTiles l2l_tiles(const fmm::Octree& tree, int level, int order,
                           const std::vector<TileChunk>& headers) {
  std::vector<std::int32_t> targets;
  for (std::int32_t b = tree.level_begin[level]; b < tree.level_begin[level + 1]; ++b) {
    if (tree.boxes[b].target_count() > 0) targets.push_back(b);
  }
  return make_tiles(
      std::move(targets), order, headers,
      [&](std::int32_t b, std::int32_t position, std::vector<Step>& steps) {
        steps.push_back({0, 7 ^ tree.boxes[b].octant(), tree.boxes[b].parent, position});
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
