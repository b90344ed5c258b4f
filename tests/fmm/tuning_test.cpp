#include "rankine/fmm/tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/interaction_lists.hpp"

namespace rankine::fmm {
namespace {

constexpr int least = 40;

/// Pairs, translations between boxes, and boxes, counted from the lists.
struct Counts {
  double pairs = 0.0, m2l = 0.0, boxes = 0.0;
};

Counts count_lists(const Octree& tree) {
  const InteractionLists lists = build_interaction_lists(tree, 200);
  Counts counts;
  counts.boxes = static_cast<double>(tree.boxes.size());
  counts.m2l = static_cast<double>(lists.far.items.size());
  for (std::size_t b = 0; b < tree.boxes.size(); ++b) {
    for (const std::int32_t c : lists.near.row(static_cast<std::int32_t>(b))) {
      counts.pairs +=
          static_cast<double>(tree.boxes[c].source_count()) * tree.boxes[b].target_count();
    }
  }
  return counts;
}

class LeafTuning : public ::testing::TestWithParam<std::string_view> {};

// What the model leaves out, unevenness of leaves and the rim, must not cost more than a third.
TEST_P(LeafTuning, ChoosesACapacityThatCountsShowToBeGood) {
  const auto points = make_points(GetParam(), 60000, 1);
  const Octree finest = build_octree(points, points, least);
  std::vector<Counts> counts;
  for (int factor = 1; factor <= 8; factor *= 2)
    counts.push_back(count_lists(coarsened(finest, factor * least)));
  for (const double ratio : {100.0, 1000.0, 5000.0}) {
    const PassCosts costs{.pair = 1.0, .m2l = ratio};
    const auto cost = [&](const Counts& c) {
      return costs.pair * c.pairs + costs.m2l * (c.m2l + 8.0 * c.boxes);
    };
    double lowest = std::numeric_limits<double>::max();
    for (const Counts& each : counts) lowest = std::min(lowest, cost(each));
    const int chosen = best_leaf_capacity(finest, least, costs);
    EXPECT_LE(cost(count_lists(coarsened(finest, chosen))), 4.0 / 3.0 * lowest)
        << "an M2L as dear as " << ratio << " pairs, capacity " << chosen;
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, LeafTuning,
                         ::testing::Values("cube", "sphere", "plane", "line", "clusters", "graded"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(LeafTuning, TakesTheLeastWherePairsAloneCostAndTheLargestWhereTranslationsDo) {
  const auto points = make_points("cube", 60000, 1);
  const Octree finest = build_octree(points, points, least);
  EXPECT_EQ(best_leaf_capacity(finest, least, {.pair = 1.0, .m2l = 0.0}), least);
  const int largest = best_leaf_capacity(finest, least, {.pair = 0.0, .m2l = 1.0});
  EXPECT_EQ(coarsened(finest, largest).boxes.size(), coarsened(finest, 8 * least).boxes.size());
}

}  // namespace
}  // namespace rankine::fmm
