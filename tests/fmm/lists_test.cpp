#include "rankine/fmm/interaction_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankine/fmm/distributions.hpp"

namespace rankine::fmm {
namespace {

constexpr int threshold = 30;

/// Distance of two boxes in the maximum norm, in edges of the root, without rounding; zero if their
/// closed cubes touch.
double gap(const Box& a, const Box& b) {
  const Vec3d r = box_centre(a) - box_centre(b);
  return std::max({std::abs(r.x), std::abs(r.y), std::abs(r.z)}) -
         0.5 * (box_edge(a) + box_edge(b));
}

class ListsOf : public ::testing::TestWithParam<std::string_view> {
 protected:
  const std::vector<Vec3d> sources_ = make_points(GetParam(), 3000, 1),
                           targets_ = make_points(GetParam(), 2000, 2);
  const Octree tree_ = build_octree(sources_, targets_, 12);

  std::int64_t count(std::span<const std::int32_t> row) const {
    std::int64_t sum = 0;
    for (const std::int32_t c : row) sum += tree_.boxes[c].source_count();
    return sum;
  }
};

TEST_P(ListsOf, CoverEverySourceOnceForEveryLeaf) {
  for (const int direct_threshold : {0, threshold}) {
    const InteractionLists lists =
        build_interaction_lists(tree_, {direct_threshold, direct_threshold});
    for (std::size_t b = 0; b < tree_.boxes.size(); ++b) {
      const Box& leaf = tree_.boxes[b];
      if (!leaf.is_leaf() || leaf.target_count() == 0) continue;
      const auto index = static_cast<std::int32_t>(b);
      std::int64_t covered = count(lists.near.row(index)) + count(lists.multipole.row(index));
      for (std::int32_t a = index; a >= 0; a = tree_.boxes[a].parent) {
        covered += count(lists.far.row(a)) + count(lists.local.row(a));
      }
      EXPECT_EQ(covered, static_cast<std::int64_t>(sources_.size()));
    }
  }
}

TEST_P(ListsOf, AdjacentBoxesTouch) {
  for (const Box& a : tree_.boxes) {
    for (const Box& b : tree_.boxes) ASSERT_EQ(adjacent(a, b), gap(a, b) <= 0.0);
  }
}

TEST_P(ListsOf, KeepTheirDefinitions) {
  const InteractionLists lists = build_interaction_lists(tree_);
  for (std::size_t b = 0; b < tree_.boxes.size(); ++b) {
    const auto index = static_cast<std::int32_t>(b);
    const Box& target = tree_.boxes[b];
    for (const std::int32_t c : lists.near.row(index)) {
      EXPECT_TRUE(adjacent(target, tree_.boxes[c]));
      EXPECT_TRUE(tree_.boxes[c].is_leaf());
    }
    for (const std::int32_t c : lists.far.row(index)) {
      const Box& source = tree_.boxes[c];
      EXPECT_EQ(source.level, target.level);
      EXPECT_FALSE(adjacent(target, source));
      EXPECT_TRUE(adjacent(tree_.boxes[target.parent], tree_.boxes[source.parent]));
    }
    for (const std::int32_t c : lists.multipole.row(index)) {
      const Box& source = tree_.boxes[c];
      EXPECT_GT(source.level, target.level);
      EXPECT_FALSE(adjacent(target, source));
      EXPECT_TRUE(adjacent(target, tree_.boxes[source.parent]));
    }
    for (const std::int32_t c : lists.local.row(index)) {
      const Box& source = tree_.boxes[c];
      EXPECT_LT(source.level, target.level);
      EXPECT_TRUE(source.is_leaf());
      EXPECT_FALSE(adjacent(target, source));
      EXPECT_TRUE(adjacent(tree_.boxes[target.parent], source));
    }
  }
}

TEST_P(ListsOf, SumFewPointsDirectly) {
  const InteractionLists lists = build_interaction_lists(tree_, {threshold, threshold});
  for (const std::int32_t c : lists.multipole.items)
    EXPECT_GT(tree_.boxes[c].source_count(), threshold);
  for (std::size_t b = 0; b < tree_.boxes.size(); ++b) {
    if (!lists.local.row(static_cast<std::int32_t>(b)).empty()) {
      EXPECT_GT(tree_.boxes[b].target_count(), threshold);
    }
  }
}

TEST_P(ListsOf, OfATreecodeCoverEverySourceOnce) {
  const InteractionLists lists =
      build_interaction_lists(tree_, list_rules(Method::treecode, threshold));
  EXPECT_TRUE(lists.local.items.empty());
  for (std::size_t b = 0; b < tree_.boxes.size(); ++b) {
    const Box& leaf = tree_.boxes[b];
    const auto index = static_cast<std::int32_t>(b);
    if (!leaf.is_leaf() || leaf.target_count() == 0) continue;
    std::int64_t covered = count(lists.near.row(index)) + count(lists.multipole.row(index));
    // Targets at least an edge away: three half edges from the centre, whose corners are at 0.87.
    const auto expect_separated = [&](std::span<const std::int32_t> row) {
      for (const std::int32_t c : row)
        EXPECT_GE(gap(leaf, tree_.boxes[c]), box_edge(tree_.boxes[c]));
    };
    expect_separated(lists.multipole.row(index));
    for (std::int32_t a = index; a >= 0; a = tree_.boxes[a].parent) {
      covered += count(lists.far.row(a));
      expect_separated(lists.far.row(a));
    }
    EXPECT_EQ(covered, static_cast<std::int64_t>(sources_.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, ListsOf, ::testing::ValuesIn(distribution_names()),
                         [](const auto& instance) {
                           std::string name(instance.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace rankine::fmm
