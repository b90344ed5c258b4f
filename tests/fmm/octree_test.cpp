#include "rankine/fmm/octree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {
namespace {

class OctreeOf : public ::testing::TestWithParam<std::string_view> {};

TEST_P(OctreeOf, HoldsEveryPointOnceInALeafThatContainsIt) {
  constexpr int capacity = 20;
  const auto sources = make_points(GetParam(), 4000, 1), targets = make_points(GetParam(), 1500, 2);
  const Octree tree = build_octree(sources, targets, capacity);
  std::vector<int> seen(sources.size(), 0), targets_seen(targets.size(), 0);
  for (const Box& box : tree.boxes) {
    EXPECT_GT(box.source_count() + box.target_count(), 0) << "an empty box";
    if (!box.is_leaf()) continue;
    if (box.level < max_level) {
      EXPECT_LE(box.source_count(), capacity);
      EXPECT_LE(box.target_count(), capacity);
    }
    const Vec3d centre = tree.corner + box_centre(box) * tree.side;
    const double half = 0.5 * tree.side / std::ldexp(1.0, box.level);
    const auto expect_inside = [&](const Vec3d& point) {
      const Vec3d r = point - centre;
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_LE(std::abs(r[axis]), half + std::ldexp(tree.side, -max_level));  // the root's grid
    };
    for (std::int32_t i = box.source_begin; i < box.source_end; ++i) {
      ++seen[tree.source_order[i]];
      expect_inside(sources[tree.source_order[i]]);
    }
    for (std::int32_t i = box.target_begin; i < box.target_end; ++i) {
      ++targets_seen[tree.target_order[i]];
      expect_inside(targets[tree.target_order[i]]);
    }
  }
  EXPECT_EQ(seen, std::vector<int>(sources.size(), 1));
  EXPECT_EQ(targets_seen, std::vector<int>(targets.size(), 1));
}

TEST_P(OctreeOf, CoarsenedIsBuiltWithLargerLeaves) {
  const auto sources = make_points(GetParam(), 4000, 1), targets = make_points(GetParam(), 1500, 2);
  const Octree fine = build_octree(sources, targets, 10);
  for (const int capacity : {10, 35, 200, 5000}) {
    const Octree coarse = coarsened(fine, capacity),
                 built = build_octree(sources, targets, capacity);
    EXPECT_EQ(coarse.level_begin, built.level_begin);
    EXPECT_EQ(coarse.source_order, built.source_order);
    ASSERT_EQ(coarse.boxes.size(), built.boxes.size());
    static_assert(std::has_unique_object_representations_v<Box>);
    EXPECT_EQ(
        std::memcmp(coarse.boxes.data(), built.boxes.data(), built.boxes.size() * sizeof(Box)), 0);
  }
}

/// True where a + b needs no rounding.
bool sum_is_exact(double a, double b) {
  const double sum = a + b, rest = sum - a;
  return (a - (sum - rest)) + (b - rest) == 0.0;
}

// corner + centre * edge is computed without rounding, so that all backends place points equally.
TEST_P(OctreeOf, WithAnyRoomIsExactAndHoldsThePoints) {
  auto points = make_points(GetParam(), 2000, 1);
  for (Vec3d& p : points) p = p * 1.37 + Vec3d{40.0, -7.0, 0.3};
  for (const double padding : root_paddings()) {
    const Octree tree = build_octree(points, points, 20, padding);
    EXPECT_GE(tree.side, padding * tree.extent);
    EXPECT_LE(tree.side, padding * tree.extent * 1.01);
    for (const Vec3d& p : points) {
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(p[axis], tree.corner[axis]);
        EXPECT_LE(p[axis], tree.corner[axis] + tree.side);
      }
    }
    for (const Box& box : tree.boxes) {
      const Vec3d centre = box_centre(box);
      for (int axis = 0; axis < 3; ++axis) {
        const double offset = centre[axis] * tree.side;
        EXPECT_EQ(std::fma(centre[axis], tree.side, -offset), 0.0);
        EXPECT_TRUE(sum_is_exact(tree.corner[axis], offset)) << padding;
      }
      for (std::int32_t i = box.source_begin; i < box.source_end; ++i) {
        const Vec3d r = position_in_box(points[tree.source_order[i]], box, tree.corner, tree.side);
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_LE(std::abs(r[axis]), 0.5 * box_edge(box) + 1e-15);
      }
    }
  }
}

TEST(Octree, KnowsTheSamePointsInAnotherArray) {
  const auto points = make_points("cube", 3000, 4);
  auto targets = points;
  EXPECT_TRUE(build_octree(points, targets, 16).shared_points);
  targets.back().z = std::nextafter(targets.back().z, 2.0);
  EXPECT_FALSE(build_octree(points, targets, 16).shared_points);
}

TEST_P(OctreeOf, ChildrenDivideTheirParent) {
  const auto points = make_points(GetParam(), 3000, 4);
  const Octree tree = build_octree(points, points, 16);
  EXPECT_TRUE(tree.shared_points);
  EXPECT_EQ(tree.source_order, tree.target_order);
  for (std::size_t b = 0; b < tree.boxes.size(); ++b) {
    const Box& box = tree.boxes[b];
    std::int32_t at = box.source_begin;
    for (std::int32_t c = box.first_child; c < box.first_child + box.child_count; ++c) {
      const Box& child = tree.boxes[c];
      EXPECT_EQ(child.parent, static_cast<std::int32_t>(b));
      EXPECT_EQ(child.source_begin, at);
      EXPECT_EQ(child.x / 2, box.x);
      EXPECT_EQ(child.y / 2, box.y);
      EXPECT_EQ(child.z / 2, box.z);
      at = child.source_end;
    }
    if (!box.is_leaf()) {
      EXPECT_EQ(at, box.source_end);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, OctreeOf, ::testing::ValuesIn(distribution_names()),
                         [](const auto& instance) {
                           std::string name(instance.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Octree, RefusesPointsThatAreNotFinite) {
  const std::vector<Vec3d> good = make_points("cube", 100, 1);
  std::vector<Vec3d> points = good;
  for (const std::size_t bad : {7, 8, 70}) points[bad].y = std::numeric_limits<double>::quiet_NaN();
  const auto message = [](std::span<const Vec3d> sources, std::span<const Vec3d> targets) {
    try {
      build_octree(sources, targets, 10);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("was accepted");
  };
  for (const int threads : {1, 3}) {
    const auto run = [&](const auto& sources, const auto& targets) {
      return Execution{.threads = threads}.run([&] { return message(sources, targets); });
    };
    for (const std::string& found : {run(points, points), run(points, good)}) {
      EXPECT_NE(found.find("the sources hold"), std::string::npos) << found;
      EXPECT_NE(found.find("number 7 "), std::string::npos) << found;
    }
    const std::string found = run(good, points);
    EXPECT_NE(found.find("the targets hold"), std::string::npos) << found;
    EXPECT_NE(found.find("number 7 "), std::string::npos) << found;
  }
}

TEST(Octree, HoldsTargetsFarFromEverySource) {
  const auto sources = make_points("cube", 300, 1), targets = make_points("two-bodies", 300, 2);
  const Octree tree = build_octree(sources, targets, 20);
  for (const Vec3d& target : targets) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(target[axis], tree.corner[axis]);
      EXPECT_LE(target[axis], tree.corner[axis] + tree.side);
    }
  }
}

// A box is divided while it has more sources or targets than the capacity.
TEST(Octree, DividesOnlyWhatHoldsMoreThanTheCapacity) {
  constexpr int capacity = 50;
  const auto many = make_points("cube", capacity + 1, 1);
  const std::span<const Vec3d> all(many), full = all.first(capacity);
  EXPECT_EQ(build_octree(full, full, capacity).boxes.size(), 1u);
  EXPECT_GT(build_octree(all, full, capacity).boxes.size(), 1u);
  EXPECT_GT(build_octree(full, all, capacity).boxes.size(), 1u);
}

TEST(Octree, TakesNoPointAndOnePoint) {
  const std::vector<Vec3d> none, one = {{5.0, -3.0, 1e6}};
  EXPECT_EQ(build_octree(none, none, 10).boxes.size(), 1u);
  const Octree tree = build_octree(one, none, 10);
  EXPECT_EQ(tree.boxes.size(), 1u);
  EXPECT_GT(tree.side, 0.0);
}

}  // namespace
}  // namespace rankine::fmm
