#include "rankine/fmm/tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {
namespace {

constexpr int least = 40;

/// Pairs, translations between boxes, and boxes, counted from the lists.
struct Counts {
  double pairs = 0.0, m2l = 0.0, boxes = 0.0;
};

Counts count_lists(const Octree& tree) {
  const InteractionLists lists = build_interaction_lists(tree, {200, 200});
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

// The model neglects unequal leaves and the rim; that must not cost more than a third.
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
    const int chosen = best_leaves(leaf_counts(finest, least), least, costs).capacity;
    EXPECT_LE(cost(count_lists(coarsened(finest, chosen))), 4.0 / 3.0 * lowest)
        << "an M2L costs " << ratio << " pairs, capacity " << chosen;
  }
}

// If the capacity is about the number of points of boxes of one level, leaves have larger and
// smaller neighbours, and pairs of leaves of unequal size can be a third of all pairs.
TEST(LeafPairs, AreForeseenBesideUnequalLeaves) {
  for (const auto* name : {"cube", "plummer", "clusters"}) {
    const auto points = make_points(name, 60000, 1);
    const Octree finest = build_octree(points, points, least);
    const LeafCounts counts(finest, 4 * least);
    for (const int capacity : {least, 2 * least, 112, 4 * least}) {
      const double counted = count_lists(coarsened(finest, capacity)).pairs;
      EXPECT_NEAR(predicted_seconds(counts.at(capacity), {.pair = 1.0}), counted, 0.33 * counted)
          << name << ", leaves of " << capacity;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, LeafTuning,
                         ::testing::Values("cube", "sphere", "plane", "line", "clusters", "graded"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(LeafTuning, TakesTheLeastWherePairsAloneCostAndTheLargestWhereTranslationsDo) {
  const auto points = make_points("cube", 60000, 1);
  const Octree finest = build_octree(points, points, least);
  EXPECT_EQ(best_leaves(leaf_counts(finest, least), least, {.pair = 1.0, .m2l = 0.0}).capacity,
            least);
  const int largest =
      best_leaves(leaf_counts(finest, least), least, {.pair = 0.0, .m2l = 1.0}).capacity;
  EXPECT_EQ(coarsened(finest, largest).boxes.size(), coarsened(finest, 8 * least).boxes.size());
}

// Evenly spread points give leaves of one level eight times the points of the next. With padded
// roots all numbers in between occur.
TEST(RootRoom, GivesACubeLeavesOfAnySize) {
  const auto points = make_points("cube", 60000, 1);
  std::vector<double> found;  // points that share a point's leaf, on average
  for (const double padding : root_paddings()) {
    const LeafCounts counts(build_octree(points, points, least, padding), 400);
    for (int capacity = least; capacity <= 400; capacity += 10)
      found.push_back(counts.at(capacity).own_pairs / 60000.0);
  }
  std::sort(found.begin(), found.end());
  ASSERT_LT(found.front(), 30.0);
  ASSERT_GT(found.back(), 200.0);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_LE(found[i], 1.25 * found[i - 1]);
}

TEST(RootRoom, ForeseesWhatATreeOfOtherBoxesCounts) {
  const auto points = make_points("cube", 100000, 1);
  const Octree tree = build_octree(points, points, least);
  for (const double ratio : {200.0, 700.0, 1500.0}) {
    const PassCosts costs{.pair = 1.0, .m2l = ratio};
    const LeafChoice foreseen = foreseen_leaves(tree, leaf_counts(tree, least), least, costs);
    const Octree other = build_octree(points, points, least, foreseen.padding);
    const double counted = best_leaves(leaf_counts(other, least), least, costs).seconds;
    EXPECT_NEAR(foreseen.seconds, counted, 0.12 * counted)
        << "an M2L costs " << ratio << " pairs, padding " << foreseen.padding;
  }
}

class PlannedRoot : public ::testing::TestWithParam<std::string_view> {};

TEST_P(PlannedRoot, IsPredictedToBeNoSlowerThanTheOneWithoutRoom) {
  const auto points = make_points(GetParam(), 60000, 1);
  for (const double tolerance : {1e-3, 1e-6, 1e-8}) {
    const Options options{.tolerance = tolerance};
    const Tuning tuning = cpu_tuning(options, true);
    TreeBuilder host;
    const Plan plan = make_plan({points, points}, options, host, tuning);
    const PassCosts costs = tuning.costs(plan.orders.order);
    const auto seconds = [&](double padding) {
      const int least_here = tuning.least_leaf_capacity;
      return best_leaves(leaf_counts(build_octree(points, points, least_here, padding), least_here),
                         least_here, costs)
          .seconds;
    };
    EXPECT_LE(seconds(plan.padding), seconds(0.0)) << "room " << plan.padding;
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, PlannedRoot,
                         ::testing::Values("cube", "sphere", "plane", "line", "clusters", "graded"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(RootRoom, IsTakenForACubeAndStaysWhereItsPointsMove) {
  auto points = make_points("cube", 100000, 1);
  const Options options{.tolerance = 1e-6};
  const Tuning tuning = cpu_tuning(options, true);
  TreeBuilder host;
  Plan plan = make_plan({points, points}, options, host, tuning);
  EXPECT_GT(plan.padding, 1.0);
  EXPECT_GE(plan.tree.side, plan.padding * plan.tree.extent);
  const AlignedVector<Box> boxes = plan.tree.boxes;
  const double side = plan.tree.side;
  for (Vec3d& p : points) p = p * 4.0;
  plan = replan(plan, {points, points});
  EXPECT_EQ(plan.tree.side, 4.0 * side);
  EXPECT_EQ(plan.tree.boxes.size(), boxes.size());
}

TEST(RootRoom, IsNotSoughtForAGivenLeafCapacity) {
  const auto points = make_points("cube", 100000, 1);
  const Options options{.tolerance = 1e-6, .leaf_capacity = 50};
  TreeBuilder host;
  const Plan plan = make_plan({points, points}, options, host, cpu_tuning(options, true));
  EXPECT_EQ(plan.padding, 0.0);
  EXPECT_EQ(plan.tree.side, 1.0);
}

// The far field of softened points begins at a distance, which the smallest boxes may not be below.
// They are no larger either, whatever the extent of the points.
TEST(RootRoom, GivesTheSmallestBoxesOfSoftenedPointsTheirLeastEdge) {
  auto points = make_points("cube", 20000, 1);
  for (Vec3d& p : points) p = p * 3.0;
  const Options options{
      .kernel = Kernel::plummer, .softening = 0.01, .tolerance = 1e-3, .leaf_capacity = 5};
  TreeBuilder host;
  const Plan plan = make_plan({points, points}, options, host, cpu_tuning(options, true));
  const double smallest = plan.tree.side / std::exp2(plan.tree.depth());
  EXPECT_GE(smallest, plan.least_edge);
  EXPECT_LE(smallest, 1.01 * plan.least_edge);
}

// With few leaves the errors of single translations do not average out.
TEST(FewLeaves, AreSummedDirectlyUnlessThatIsForbidden) {
  const auto points = make_points("cube", 2000, 1);
  const auto method = [&](int leaf_capacity, std::int64_t direct_pairs) {
    const Options options{.leaf_capacity = leaf_capacity, .direct_pairs = direct_pairs};
    const Plan plan = make_plan({points, points}, options);
    EXPECT_EQ(plan.leaves.size() <= few_leaves, leaf_capacity == 250);
    return plan.options.method;
  };
  EXPECT_EQ(method(250, 1), Method::direct);
  EXPECT_EQ(method(250, 0), Method::fmm);
  EXPECT_EQ(method(10, 1), Method::fmm);
}

TEST(FewLeaves, ArePredictedToCostAllPairs) {
  const TreeCounts counts{.boxes = 9, .leaves = 8, .sources = 300, .targets = 200};
  EXPECT_EQ(predicted_seconds(counts, {.pair = 2.0, .m2l = 1e3}), 2.0 * 300 * 200);
}

}  // namespace
}  // namespace rankine::fmm
