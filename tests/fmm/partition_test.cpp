// The division of space among processes, and the trees that they need.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rankine/fmm/distributed/essential_tree.hpp"
#include "rankine/fmm/distributed/partition.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/octree.hpp"
#include "tests/support/ranks.hpp"

namespace rankine::testing {
namespace {

/// The points of a process for which a partition of several processes was made.
struct Placed {
  fmm::Octree root;
  std::vector<std::uint64_t> keys;  ///< sorted
};

Placed placed(const std::vector<Vec3d>& points) {
  Placed result{fmm::make_root(fmm::extent_of(points, points)), {}};
  for (const Vec3d& x : points)
    result.keys.push_back(fmm::morton_key(x, result.root.corner, result.root.side));
  std::sort(result.keys.begin(), result.keys.end());
  return result;
}

TEST(Partition, BalancesPointsAndEndsAtBoxes) {
  for (const std::string_view name : {"cube", "sphere", "graded", "plummer", "cantor"}) {
    const std::vector<Vec3d> points = fmm::make_points(name, 40000, 5);
    const Placed given = placed(points);
    SingleProcess alone;
    for (const int parts : {2, 3, 7, 64}) {
      constexpr std::int64_t fewest = 32;
      const fmm::WeightedKeys set{given.keys, {}};
      const fmm::Partition partition =
          fmm::make_partition(alone, {&set, 1}, parts, fmm::max_level, fewest);
      ASSERT_EQ(partition.parts(), parts);
      const double mean = static_cast<double>(points.size()) / parts;
      for (int p = 0; p < parts; ++p) {
        const fmm::KeyRange range = partition.range(p);
        const auto first = std::lower_bound(given.keys.begin(), given.keys.end(), range.first),
                   last = std::lower_bound(given.keys.begin(), given.keys.end(), range.last);
        // Each end misses its place by 1/200 of a part, or by half of the points of a box that is
        // not cut.
        const double most = 2.0 * std::max(mean / 200.0, 0.5 * fewest) + 1.0;
        EXPECT_LE(std::abs(static_cast<double>(last - first) - mean), most)
            << name << ", part " << p << " of " << parts;
        if (first != last) {
          EXPECT_EQ(partition.owner(*first), p);
          EXPECT_EQ(partition.owner(*(last - 1)), p);
        }
      }
    }
  }
}

// Together, the lists of a leaf and of its ancestors cover the sources of all processes once.
TEST(EssentialTree, CoversEverySourceOnce) {
  for (const std::string_view name : {"cube", "sphere", "graded", "two-bodies", "helix"}) {
    const std::vector<Vec3d> points = fmm::make_points(name, 6000, 7);
    const Placed given = placed(points);
    SingleProcess alone;
    on_processes([&](Communicator& processes) {
      const fmm::WeightedKeys set{given.keys, {}};
      const fmm::Partition partition =
          fmm::make_partition(alone, {&set, 1}, processes.size(), fmm::max_level, 16);
      std::vector<Vec3d> own;
      for (const Vec3d& x : points) {
        if (partition.owner(fmm::morton_key(x, given.root.corner, given.root.side)) ==
            processes.rank())
          own.push_back(x);
      }
      fmm::PointsExtent extent = fmm::extent_of(points, points);
      extent.sources = extent.targets = static_cast<std::int32_t>(own.size());
      const fmm::EssentialTree essential =
          fmm::essential_tree(processes, partition,
                              fmm::divided(fmm::make_root(extent), own, own, 20, 0.0,
                                           partition.range(processes.rank())));
      const fmm::Octree& tree = essential.tree;
      const fmm::InteractionLists lists = fmm::build_interaction_lists(tree, {4, 4});
      std::int64_t targets = 0;
      for (std::size_t leaf = 0; leaf < tree.boxes.size(); ++leaf) {
        const fmm::Box& box = tree.boxes[leaf];
        if (!box.is_leaf() || box.target_count() == 0) continue;
        targets += box.target_count();
        std::int64_t covered = 0;
        const auto add = [&](const fmm::BoxLists& of, std::int32_t b) {
          for (const std::int32_t c : of.row(b))
            covered += tree.boxes[static_cast<std::size_t>(c)].source_count();
        };
        add(lists.near, static_cast<std::int32_t>(leaf));
        add(lists.multipole, static_cast<std::int32_t>(leaf));
        for (auto b = static_cast<std::int32_t>(leaf); b >= 0;
             b = tree.boxes[static_cast<std::size_t>(b)].parent) {
          add(lists.far, b);
          add(lists.local, b);
        }
        ASSERT_EQ(covered, static_cast<std::int64_t>(points.size()))
            << name << " in " << processes.size() << " processes";
      }
      EXPECT_EQ(targets, static_cast<std::int64_t>(own.size()));
    });
  }
}

}  // namespace
}  // namespace rankine::testing
