// The layout of the translations, executed on the host as on the device, against the translations
// one by one.
#include "rankine/gpu/sums/translation_tiles.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "rankine/fmm/dense_translation.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "tests/support/device_test.hpp"

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

/// Tiles, downloaded.
struct Tiles {
  std::vector<TranslationTile> tiles;
  std::vector<TileChunk> chunks;
  std::vector<std::int32_t> targets;

  Tiles(const DeviceTiles& device, const Stream& stream)
      : tiles(device.tiles.download(stream)),
        chunks(device.chunks.download(stream)),
        targets(copied<std::int32_t>(device.targets, stream).download(stream)) {}

  /// Calls visit(chunk) for every chunk of every tile.
  template <class Visit>
  void each_chunk(Visit&& visit) const {
    for (const TranslationTile& tile : tiles) {
      for (int c = tile.chunk_begin; c < tile.chunk_end; ++c) visit(chunks[c], tile);
    }
  }
};

/// Matrices, downloaded.
struct Matrices {
  std::vector<MatrixEntry> entries;
  std::vector<double> fragments;

  Matrices(const DeviceMatrices<double>& device, const Stream& stream)
      : entries(device.entries), fragments(device.fragments.download(stream)) {}
};

/// The algorithm of translate_kernel, column by column.
std::vector<double> run_tiles(const Tiles& tiles, const Matrices& matrices,
                              const std::vector<double>& source) {
  const std::vector<std::uint8_t> signs = reflection_signs(order);
  std::vector<double> result(source.size());
  const auto sign = [&](int k, int reflection) { return signs[k] >> reflection & 1 ? -1.0 : 1.0; };
  tiles.each_chunk([&](const TileChunk& chunk, const TranslationTile& tile) {
    for (int i = 0; i < chunk.columns; ++i) {
      const TileColumn& column = chunk.column[i];
      if (column.source < 0) continue;
      const int reflection = column.target >> 8;
      const std::int32_t target = tiles.targets[tile.target_begin + (column.target & 255)];
      for (int row = 0; row < 16 * chunk.row_tiles; ++row) {
        double sum = 0.0;
        for (int k = 0; k < 16 * chunk.k_tiles; ++k) {
          const std::size_t fragment = chunk.matrix + row / 16 * chunk.k_tiles + k / 16;
          sum += matrices.fragments[fragment * 256 + fragment_position<double>(row % 16, k % 16)] *
                 sign(k, reflection) * source[static_cast<std::size_t>(column.source) * stride + k];
        }
        result[static_cast<std::size_t>(target) * stride + row] += sign(row, reflection) * sum;
      }
    }
  });
  return result;
}

class TranslationTilesTest : public testing::DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped()) return;
    const std::vector<Vec3d> points = fmm::make_points("graded", 3000, 1);
    tree_ = fmm::build_octree(points, points, 20);
    lists_ = fmm::build_interaction_lists(tree_);
    stream_.emplace();
    const DevicePoints given({points, points}, MemorySpace::host, *stream_);
    device_tree_ = build_device_tree(given, 20, 0.0, *stream_);
    device_lists_ = build_device_lists(device_tree_, {}, *stream_);
    targets_ = translation_targets(device_tree_, *stream_);
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

  static int size_of_tiles(std::int64_t) { return 44; }

  Tiles m2l(const Matrices& matrices) const {
    return {m2l_tiles(device_tree_, targets_, device_lists_.far.view(), size_of_tiles,
                      matrices.entries, *stream_),
            *stream_};
  }

  std::optional<Stream> stream_;
  DeviceTree device_tree_;
  DeviceLists device_lists_;
  TranslationTargets targets_;
  fmm::Octree tree_;
  fmm::InteractionLists lists_;
  std::vector<double> source_;
};

TEST_F(TranslationTilesTest, M2LFromReflectedMatricesEqualsEachTranslation) {
  const Matrices matrices(m2l_matrices<double>(full_orders(), *stream_), *stream_);
  const Tiles tiles = m2l(matrices);
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
  const OctantMatrices<double> octants = octant_matrices<double>(order, *stream_);
  const Matrices m2m(octants.m2m, *stream_), l2l(octants.l2l, *stream_);
  const int level = 3;
  std::vector<double> up(source_.size()), down(source_.size());
  for (std::int32_t c = tree_.level_begin[level + 1]; c < tree_.level_begin[level + 2]; ++c) {
    const fmm::Box& child = tree_.boxes[c];
    const Vec3d t = fmm::octant_offset(child.octant());
    add(fmm::Shift::multipole_to_multipole, t, c, child.parent, up);
    add(fmm::Shift::local_to_local, t, child.parent, c, down);
  }
  const Tiles up_tiles(
      m2m_tiles(device_tree_, targets_, level, size_of_tiles, m2m.entries, *stream_), *stream_),
      down_tiles(l2l_tiles(device_tree_, targets_, level + 1, size_of_tiles, l2l.entries, *stream_),
                 *stream_);
  expect_equal(run_tiles(up_tiles, m2m, source_), up);
  expect_equal(run_tiles(down_tiles, l2l, source_), down);
}

TEST_F(TranslationTilesTest, EightColumnsNeverShareATarget) {
  const Matrices matrices(m2l_matrices<double>(full_orders(), *stream_), *stream_);
  const Tiles tiles = m2l(matrices);
  std::size_t columns = 0;
  tiles.each_chunk([&](const TileChunk& chunk, const TranslationTile&) {
    EXPECT_EQ(chunk.columns % 8, 0);
    for (int group = 0; group < chunk.columns; group += 8) {
      std::set<std::int32_t> targets;
      for (int i = group; i < group + 8; ++i) {
        if (chunk.column[i].source < 0) continue;
        ++columns;
        EXPECT_TRUE(targets.insert(chunk.column[i].target & 255).second);
      }
    }
  });
  EXPECT_EQ(columns, lists_.far.items.size());
}

TEST_F(TranslationTilesTest, ComeWithTheLongestFirst) {
  const Tiles tiles = m2l({m2l_matrices<double>(full_orders(), *stream_), *stream_});
  ASSERT_GT(tiles.tiles.size(), 1u);
  EXPECT_TRUE(std::is_sorted(tiles.tiles.begin(), tiles.tiles.end(),
                             [](const TranslationTile& a, const TranslationTile& b) {
                               return a.chunk_end - a.chunk_begin > b.chunk_end - b.chunk_begin;
                             }));
}

// A few targets that use one matrix often, as near edges of a surface, need the most gaps.
TEST(PlacedColumns, KeepTargetsApartAndLeaveFewGaps) {
  for (const int targets : {1, 3, 7, 8, 9, 20, 64}) {
    for (const int uneven : {1, 2, 3}) {
      const auto meets = [&](int target) { return (target * 5 + uneven) % (tile_rounds + 1); };
      std::set<std::pair<int, int>> placed;
      std::set<std::pair<int, int>> in_groups;
      std::set<int> columns;
      const int count = place_columns(targets, meets, [&](int target, int round, int column) {
        EXPECT_LT(round, meets(target));
        EXPECT_TRUE(placed.insert({target, round}).second);
        EXPECT_TRUE(columns.insert(column).second);
        EXPECT_TRUE(in_groups.insert({target, column / 8}).second) << targets << " " << column;
      });
      int all = 0;
      for (int target = 0; target < targets; ++target) all += meets(target);
      EXPECT_EQ(static_cast<int>(placed.size()), all);
      EXPECT_EQ(count % 8, 0);
      EXPECT_LT(all == 0 ? -1 : *columns.rbegin(), count);
      EXPECT_LE(count, all + 7 * tile_rounds);
    }
  }
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
