// Sums of pairs in both directions at once against sums in one direction.
#include "rankine/gpu/sums/mutual_items.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "tests/gpu/cuda_operators.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using MutualSums = testing::DeviceTest;
using Values = testing::Field;

struct Items {
  std::vector<fmm::Box> boxes;
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> near;
  std::vector<MutualBlock> blocks;
  std::vector<MutualRange<double>> ranges;
  std::vector<std::int32_t> rows;
  std::int64_t partials = 0;
};

Items make_items(const std::vector<Vec3d>& points, int leaf_capacity,
                 std::int64_t most_partials = 1 << 30) {
  const Stream stream;
  const DevicePoints given({points, points}, MemorySpace::host, stream);
  const DeviceTree tree = build_device_tree(given, leaf_capacity, 0.0, stream);
  const DeviceLists lists = build_device_lists(tree, fmm::list_rules(fmm::Method::fmm, 30), stream);
  const MutualItems<double> items = make_mutual_items<double>(
      tree, {lists.near.view(), lists.near.size, nullptr}, most_partials, stream);
  Items host{tree.boxes.download(stream),
             lists.near.begin.download(stream),
             lists.near.items.download(stream),
             items.blocks.download(stream),
             items.ranges.download(stream),
             items.rows.download(stream),
             items.partials};
  host.boxes.resize(static_cast<std::size_t>(tree.box_count));
  return host;
}

/// The algorithm of mutual_sums.cu for pairs that add 1 to both points.
std::vector<double> count_pairs(const Items& items, std::size_t points) {
  std::vector<double> result(points), partials(static_cast<std::size_t>(items.partials), -1.0);
  for (const MutualBlock& block : items.blocks) {
    double sources = 0.0;
    for (std::int32_t r = block.range_begin; r < block.range_end; ++r) {
      const auto& range = items.ranges[r];
      const std::int32_t count = range.sources.end - range.sources.begin;
      sources += count;
      if (range.row < 0) continue;
      for (std::int32_t j = 0; j < count; ++j) {
        double& place = partials.at(range.row + block.part * count + j);
        EXPECT_EQ(place, -1.0) << "written twice";
        place = block.count;
      }
    }
    for (std::int32_t i = 0; i < block.count; ++i) {
      double& to = block.own_row < 0
                       ? result.at(block.begin + i)
                       : partials.at(block.own_row + block.begin + i - block.leaf_begin);
      to = sources;
    }
  }
  EXPECT_EQ(std::count(partials.begin(), partials.end(), -1.0), 0) << "never written";
  for (const MutualBlock& block : items.blocks) {
    if (block.own_row >= 0) continue;
    for (std::int32_t i = block.begin; i < block.begin + block.count; ++i) {
      const std::int32_t at = i - block.leaf_begin, size = block.leaf_end - block.leaf_begin;
      for (std::int32_t r = 0; r < block.own_rows; ++r)
        result.at(i) += partials.at(block.own_rows_begin + r * size + at);
      for (std::int32_t r = block.rows_begin; r < block.rows_end; ++r)
        result.at(i) += partials.at(items.rows[r] + at);
    }
  }
  return result;
}

TEST_F(MutualSums, HoldEveryNearPairOnceEachWay) {
  for (const std::string_view name : {"sphere", "clusters", "graded"}) {
    for (const int leaf_capacity : {3, 40, 300}) {
      SCOPED_TRACE(std::string(name) + ", leaves of " + std::to_string(leaf_capacity));
      const std::vector<Vec3d> points = fmm::make_points(name, 20000, 1);
      const Items items = make_items(points, leaf_capacity);
      ASSERT_FALSE(items.blocks.empty());
      const std::vector<double> counted = count_pairs(items, points.size());
      for (std::size_t b = 0; b < items.boxes.size(); ++b) {
        double sources = 0.0;
        for (std::int64_t k = items.begin[b]; k < items.begin[b + 1]; ++k)
          sources += items.boxes[items.near[k]].source_count();
        if (!items.boxes[b].is_leaf()) continue;
        for (std::int32_t i = items.boxes[b].target_begin; i < items.boxes[b].target_end; ++i)
          ASSERT_EQ(counted[i], sources) << "point " << i;
      }
    }
  }
}

TEST_F(MutualSums, AreLeftWhereTheyWouldTakeTooMuchMemory) {
  const std::vector<Vec3d> points = fmm::make_points("cube", 20000, 1);
  const std::int64_t needed = make_items(points, 40).partials;
  EXPECT_FALSE(make_items(points, 40, needed).blocks.empty());
  EXPECT_TRUE(make_items(points, 40, needed - 1).blocks.empty());
}

/// Sums for the targets in reversed order, so that the operator does not take them for the sources;
/// returned in the sources' order.
Values one_way(const std::vector<Vec3d>& points, const fmm::Options& options,
               const testing::HostStrengths& strengths, int derivatives) {
  const std::vector<Vec3d> reversed(points.rbegin(), points.rend());
  CudaOperators device;
  Values values = device.apply(*device.make({points, reversed}, options), strengths, derivatives);
  std::reverse(values.potential.begin(), values.potential.end());
  for (std::size_t i = 0, j = points.size() - 1; i < j && !values.gradient.empty(); ++i, --j)
    std::swap_ranges(values.gradient.begin() + 3 * i, values.gradient.begin() + 3 * i + 3,
                     values.gradient.begin() + 3 * j);
  return values;
}

void expect_same(const std::vector<Vec3d>& points, const fmm::Options& options) {
  const testing::HostStrengths strengths{fmm::make_strengths(points.size(), 2)};
  CudaOperators device;
  for (const int derivatives : {0, 1}) {
    const Values found =
                     device.apply(*device.make({points, points}, options), strengths, derivatives),
                 expected = one_way(points, options, strengths, derivatives);
    // The far field and the pairs are the same, in another order: only rounding differs. In float
    // the rounding of positions within boxes dominates; for pairs that are not close it is well
    // below the tolerance (fmm/close_pairs.hpp).
    const bool wide = options.precision == fmm::Precision::float64;
    const double limit = wide ? 1e-12 : 0.1 * options.tolerance;
    EXPECT_LE(relative_error(found.potential, expected.potential), limit);
    EXPECT_LE(relative_error(found.gradient, expected.gradient), limit);
  }
}

fmm::Options options_for(fmm::Precision precision, int leaf_capacity) {
  fmm::Options options;
  options.precision = precision;
  options.tolerance = precision == fmm::Precision::float64 ? 1e-11 : 1e-3;
  options.order = 4;
  options.leaf_capacity = leaf_capacity;
  options.gradient = true;
  options.direct_pairs = 0;
  return options;
}

// Leaves of every size: one point, as many as a warp has lanes, several blocks.
TEST_F(MutualSums, AreThoseOfPairsOneWay) {
  for (const std::string_view name : fmm::distribution_names()) {
    const std::vector<Vec3d> points = fmm::make_points(name, 3000, 1);
    for (const fmm::Precision precision : {fmm::Precision::float64, fmm::Precision::float32}) {
      for (const int leaf_capacity : {1, 5, 17, 33, 64, 110, 400}) {
        SCOPED_TRACE(std::string(name) + ", " + std::string(fmm::to_string(precision)) +
                     ", leaves of " + std::to_string(leaf_capacity));
        expect_same(points, options_for(precision, leaf_capacity));
      }
    }
  }
}

TEST_F(MutualSums, AreThoseOfPairsOneWayWhereKernelsAreSoftened) {
  const std::vector<Vec3d> points = fmm::make_points("cube", 3000, 1);
  for (const fmm::Precision precision : {fmm::Precision::float64, fmm::Precision::float32}) {
    fmm::Options options = options_for(precision, 60);
    options.kernel = fmm::Kernel::plummer;
    options.softening = 1e-4;
    options.tolerance = 1e-3;
    expect_same(points, options);
  }
}

// One point occurs many times, others twice: blocks have pairs of coincident points.
TEST_F(MutualSums, LeaveOutPointsInOnePlace) {
  std::vector<Vec3d> points = fmm::make_points("cube", 3000, 1);
  for (int i = 0; i < 1000; ++i) points.push_back(points[0]);
  for (int i = 1; i < 500; ++i) points.push_back(points[i]);
  for (const fmm::Precision precision : {fmm::Precision::float64, fmm::Precision::float32})
    expect_same(points, options_for(precision, 40));
}

}  // namespace
}  // namespace rankine::gpu
