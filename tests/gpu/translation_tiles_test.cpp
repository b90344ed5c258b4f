// The layout of the translations, executed on the host as the device executes it, against the
// translations one by one.
#include "rankine/gpu/sums/translation_tiles.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "rankine/fmm/dense_translation.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::gpu {
namespace {

constexpr int order = 5;
constexpr int stride = padded_coefficients(order);

fmm::Orders full_orders() {
  fmm::Orders orders;
  orders.order = order;
  orders.m2l.fill(order);
  return orders;
}

/// What translate_kernel does, column by column.
std::vector<double> run_tiles(const TranslationTiles& tiles, const MatrixSet<double>& matrices,
                              const std::vector<double>& source) {
  const std::vector<std::uint8_t> signs = reflection_signs(order);
  std::vector<double> result(source.size());
  const auto sign = [&](int k, int reflection) { return signs[k] >> reflection & 1 ? -1.0 : 1.0; };
  for (const TranslationTile& tile : tiles.tiles) {
    for (int c = tile.chunk_begin; c < tile.chunk_end; ++c) {
      const TileChunk& chunk = tiles.chunks[c];
      for (int i = 0; i < chunk.columns; ++i) {
        const TileColumn& column = chunk.column[i];
        if (column.source < 0) continue;
        const int reflection = column.target >> 8;
        const std::int32_t target = tiles.targets[tile.target_begin + (column.target & 255)];
        for (int row = 0; row < 16 * chunk.row_tiles; ++row) {
          double sum = 0.0;
          for (int k = 0; k < 16 * chunk.k_tiles; ++k) {
            const std::size_t fragment = chunk.matrix + row / 16 * chunk.k_tiles + k / 16;
            sum +=
                matrices.fragments[fragment * 256 + fragment_position<double>(row % 16, k % 16)] *
                sign(k, reflection) * source[static_cast<std::size_t>(column.source) * stride + k];
          }
          result[static_cast<std::size_t>(target) * stride + row] += sign(row, reflection) * sum;
        }
      }
    }
  }
  return result;
}

class TranslationTilesTest : public ::testing::Test {
 protected:
  TranslationTilesTest() {
    const std::vector<Vec3d> points = fmm::make_points("graded", 3000, 1);
    tree_ = fmm::build_octree(points, points, 20);
    lists_ = fmm::build_interaction_lists(tree_);
    source_.resize(tree_.boxes.size() * stride);
    const std::vector<double> values =
        fmm::make_strengths(tree_.boxes.size() * fmm::coefficient_count(order), 2);
    for (std::size_t b = 0; b < tree_.boxes.size(); ++b) {
      for (int k = 0; k < fmm::coefficient_count(order); ++k)
        source_[b * stride + k] = values[b * order * order + k];
    }
  }

  /// expected[to] += matrix of t times source[from].
  void add(fmm::Shift shift, const Vec3d& t, std::int32_t from, std::int32_t to,
           std::vector<double>& expected) const {
    const std::vector<double> matrix = fmm::dense_translation(shift, t, order);
    const int size = fmm::coefficient_count(order);
    for (int row = 0; row < size; ++row) {
      for (int k = 0; k < size; ++k) {
        expected[static_cast<std::size_t>(to) * stride + row] +=
            matrix[row * size + k] * source_[static_cast<std::size_t>(from) * stride + k];
      }
    }
  }

  static void expect_equal(const std::vector<double>& actual, const std::vector<double>& expected) {
    double largest = 0.0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    ASSERT_GT(largest, 0.0);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i], 1e-13 * largest)
          << "box " << i / stride << ", coefficient " << i % stride;
    }
  }

  fmm::Octree tree_;
  fmm::InteractionLists lists_;
  std::vector<double> source_;
};

TEST_F(TranslationTilesTest, M2LFromReflectedMatricesEqualsEachTranslation) {
  const MatrixSet<double> matrices = m2l_matrices<double>(full_orders());
  const TranslationTiles tiles = m2l_tiles(tree_, lists_.far, order, matrix_headers(matrices));
  std::vector<double> expected(source_.size());
  for (std::size_t b = 0; b < tree_.boxes.size(); ++b) {
    const fmm::Box& target = tree_.boxes[b];
    for (const std::int32_t c : lists_.far.row(static_cast<std::int32_t>(b))) {
      const fmm::Box& source = tree_.boxes[c];
      const Vec3d t =
          (fmm::box_centre(target) - fmm::box_centre(source)) * double(1u << target.level);
      add(fmm::Shift::multipole_to_local, t, c, static_cast<std::int32_t>(b), expected);
    }
  }
  expect_equal(run_tiles(tiles, matrices, source_), expected);
}

TEST_F(TranslationTilesTest, M2MAndL2LFromOneOctantEqualEachTranslation) {
  const MatrixSet<double> m2m = m2m_matrix<double>(order), l2l = l2l_matrix<double>(order);
  const int level = 3;
  std::vector<double> up(source_.size()), down(source_.size());
  for (std::int32_t c = tree_.level_begin[level + 1]; c < tree_.level_begin[level + 2]; ++c) {
    const fmm::Box& child = tree_.boxes[c];
    const Vec3d t = fmm::octant_offset(child.octant());
    add(fmm::Shift::multipole_to_multipole, t, c, child.parent, up);
    add(fmm::Shift::local_to_local, t, child.parent, c, down);
  }
  expect_equal(run_tiles(m2m_tiles(tree_, level, order, matrix_headers(m2m)), m2m, source_), up);
  expect_equal(run_tiles(l2l_tiles(tree_, level + 1, order, matrix_headers(l2l)), l2l, source_),
               down);
}

TEST_F(TranslationTilesTest, EightColumnsNeverShareATarget) {
  const MatrixSet<double> matrices = m2l_matrices<double>(full_orders());
  const TranslationTiles tiles = m2l_tiles(tree_, lists_.far, order, matrix_headers(matrices));
  std::size_t columns = 0;
  for (const TileChunk& chunk : tiles.chunks) {
    ASSERT_EQ(chunk.columns % 8, 0);
    for (int group = 0; group < chunk.columns; group += 8) {
      std::set<std::int32_t> targets;
      for (int i = group; i < group + 8; ++i) {
        if (chunk.column[i].source < 0) continue;
        ++columns;
        EXPECT_TRUE(targets.insert(chunk.column[i].target & 255).second);
      }
    }
  }
  EXPECT_EQ(columns, lists_.far.items.size());
}

TEST(FragmentPosition, EveryElementHasItsOwnPlace) {
  std::set<int> wide, narrow;
  for (int row = 0; row < 16; ++row) {
    for (int k = 0; k < 16; ++k) {
      wide.insert(fragment_position<double>(row, k));
      narrow.insert(fragment_position<float>(row, k));
    }
  }
  EXPECT_EQ(wide.size(), 256u);
  EXPECT_EQ(narrow.size(), 256u);
  EXPECT_EQ(*wide.rbegin(), 255);
  EXPECT_EQ(*narrow.rbegin(), 255);
}

}  // namespace
}  // namespace rankine::gpu
