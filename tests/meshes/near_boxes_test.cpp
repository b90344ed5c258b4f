// Boxes near or within each other, and the distance of two triangles.
#include "rankine/meshes/checks/near_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "rankine/meshes/checks/triangle_pair.hpp"

namespace rankine::meshes {
namespace {

using Piece = NearBoxes::Piece;
using Pairs = std::multiset<std::pair<int, int>>;

/// Boxes in the unit cube whose sizes and reaches differ a thousandfold.
AlignedVector<Piece> random_pieces(int count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0.0, 1.0), decade(-4.0, -1.0);
  AlignedVector<Piece> pieces;
  for (int i = 0; i < count; ++i) {
    const Vec3d lower{place(random), place(random), place(random)};
    const double x = std::pow(10.0, decade(random)), y = std::pow(10.0, decade(random));
    pieces.push_back({{lower, lower + Vec3d{x, y, 0.0}}, std::pow(10.0, decade(random)), i});
  }
  return pieces;
}

Pairs found_by_all_pairs(const AlignedVector<Piece>& pieces) {
  Pairs pairs;
  for (const Piece& mine : pieces) {
    for (const Piece& theirs : pieces) {
      bool near = true;
      for (int axis = 0; axis < 3; ++axis)
        near = near && theirs.box.lower[axis] - mine.box.upper[axis] <= mine.reach &&
               mine.box.lower[axis] - theirs.box.upper[axis] <= mine.reach;
      if (near) pairs.emplace(mine.owner, theirs.owner);
    }
  }
  return pairs;
}

/// Where `reaches` is false only boxes that overlap are found.
Pairs found_by_tree(const AlignedVector<Piece>& pieces, bool reaches = true) {
  const NearBoxes boxes(pieces);
  Pairs pairs;
  for (std::size_t leaf = 0; leaf < boxes.leaf_count(); ++leaf) {
    boxes.visit_near(
        leaf, [&](std::size_t) { return reaches; },
        [&](const Piece& mine, const Piece& theirs, bool once) {
          pairs.emplace(mine.owner, theirs.owner);
          if (once) pairs.emplace(theirs.owner, mine.owner);
        });
  }
  return pairs;
}

TEST(NearBoxes, FindsWhatAllPairsFind) {
  for (const int count : {1, 8, 9, 100, 1000}) {
    const AlignedVector<Piece> pieces = random_pieces(count);
    EXPECT_EQ(found_by_tree(pieces), found_by_all_pairs(pieces)) << count;
  }
}

TEST(NearBoxes, WithoutReachBoxesOverlap) {
  AlignedVector<Piece> pieces = random_pieces(1000);
  const Pairs found = found_by_tree(pieces, false);
  const std::size_t within_reach = found_by_tree(pieces).size();
  for (Piece& piece : pieces) piece.reach = 0.0;
  EXPECT_EQ(found, found_by_all_pairs(pieces));
  EXPECT_LT(found.size(), within_reach);
}

TEST(NearBoxes, BoxesAtOnePlace) {
  const AlignedVector<Piece> pieces(20, {{{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}}, 0.0, 5});
  EXPECT_EQ(found_by_tree(pieces).size(), 400u);
}

BoundingBox cube(const Vec3d& centre, double edge) {
  BoundingBox box;
  box.add(centre - Vec3d{0.5 * edge, 0.5 * edge, 0.5 * edge});
  box.add(centre + Vec3d{0.5 * edge, 0.5 * edge, 0.5 * edge});
  return box;
}

TEST(NearBoxes, FindsEveryBoxThatContainsAnother) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> place(-1.0, 1.0), size(-3.0, 0.3);
  for (const int count : {0, 1, 4, 5, 300}) {
    AlignedVector<Piece> boxes;
    for (int i = 0; i < count; ++i) {
      boxes.push_back({cube({place(generator), place(generator), place(generator)},
                            std::pow(10.0, size(generator))),
                       0.0, i});
    }
    if (count > 1) boxes.push_back(boxes[1]);  // two that are equal
    const NearBoxes tree(boxes);
    for (const Piece& inner : boxes) {
      std::multiset<int> found, expected;
      tree.visit_containing(inner.box, [&](const Piece& outer) { found.insert(outer.owner); });
      for (const Piece& outer : boxes) {
        if (outer.box.contains(inner.box)) expected.insert(outer.owner);
      }
      EXPECT_EQ(found, expected);
    }
  }
}

/// Looks for each of side^dimension boxes in a row, in a plane or in space, all in one large box.
double looks_for_each(int side, int dimension) {
  AlignedVector<Piece> boxes{{cube({0.5 * side, 0.5 * side, 0.5 * side}, 3.0 * side)}};
  for (int z = 0; z < (dimension > 2 ? side : 1); ++z) {
    for (int y = 0; y < (dimension > 1 ? side : 1); ++y) {
      for (int x = 0; x < side; ++x) boxes.push_back({cube({1.0 * x, 1.0 * y, 1.0 * z}, 0.8)});
    }
  }
  const NearBoxes tree(boxes);
  std::size_t looks = 0, found = 0;
  for (const Piece& each : boxes)
    looks += tree.visit_containing(each.box, [&](const Piece&) { ++found; });
  EXPECT_EQ(found, 2 * boxes.size() - 1);  // itself, and the large one
  return static_cast<double>(looks) / static_cast<double>(boxes.size());
}

TEST(NearBoxes, LooksAtFewBoxesHoweverManyThereAre) {
  // Sixteen times as many are four levels more of twelve, where comparing each with all costs
  // sixteen times as much.
  constexpr int sides[3][2] = {{1024, 16384}, {32, 128}, {10, 25}};
  for (int dimension = 1; dimension <= 3; ++dimension) {
    const double few = looks_for_each(sides[dimension - 1][0], dimension),
                 many = looks_for_each(sides[dimension - 1][1], dimension);
    EXPECT_LE(few, 100.0) << "dimension " << dimension;
    EXPECT_LE(many, 2.0 * few) << "dimension " << dimension;
  }
}

const Triangle flat{Vec3d{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

Triangle moved(Triangle triangle, const Vec3d& by) {
  for (Vec3d& corner : triangle) corner += by;
  return triangle;
}

TEST(TrianglePair, NearestPointsOfFaceEdgeAndCorner) {
  EXPECT_EQ(nearest_point(flat, {0.25, 0.25, 2.0}), (Vec3d{0.25, 0.25, 0.0}));
  EXPECT_EQ(nearest_point(flat, {0.25, -1.0, 2.0}), (Vec3d{0.25, 0.0, 0.0}));
  EXPECT_EQ(nearest_point(flat, {1.0, 1.0, 0.0}), (Vec3d{0.5, 0.5, 0.0}));
  EXPECT_EQ(nearest_point(flat, {-1.0, -1.0, 5.0}), (Vec3d{0.0, 0.0, 0.0}));
  const Triangle needle{Vec3d{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  EXPECT_EQ(nearest_point(needle, {1.5, 1.0, 0.0}), (Vec3d{1.5, 0.0, 0.0}));
}

TEST(TrianglePair, DistancesOfFacesEdgesAndCorners) {
  EXPECT_DOUBLE_EQ(distance(flat, moved(flat, {0.1, 0.1, 0.5})), 0.5);
  EXPECT_DOUBLE_EQ(distance(flat, moved(flat, {3.0, 0.0, 0.0})), 2.0);
  const Triangle across{Vec3d{0.5, -1.0, -1.0}, {0.5, -1.0, 1.0}, {0.5, -2.0, 0.0}};
  EXPECT_DOUBLE_EQ(distance(flat, across), 1.0);  // edge to edge
  EXPECT_DOUBLE_EQ(distance(across, flat), 1.0);
}

// The closest points lie within an edge of each, far from the origin.
TEST(TrianglePair, DistanceOfCrossedEdges) {
  Triangle low{{{9, 20, 30}, {11, 20, 30}, {10, 20, 29}}},
      high{{{9.5, 19.25, 30.5}, {11, 20.75, 30.5}, {10.25, 20, 31.5}}};
  for (int turn = 0; turn < 3; ++turn) {
    for (int other = 0; other < 3; ++other) {
      EXPECT_NEAR(distance(low, high), 0.5, 1e-12);
      EXPECT_NEAR(distance(high, low), 0.5, 1e-12);
      std::rotate(high.begin(), high.begin() + 1, high.end());
    }
    std::rotate(low.begin(), low.begin() + 1, low.end());
  }
}

TEST(TrianglePair, CrossingIsDeepOrNotAtAll) {
  const Triangle upright{Vec3d{0.2, 0.2, -0.3}, {0.3, 0.2, -0.3}, {0.25, 0.2, 0.1}};
  EXPECT_TRUE(cross_deeply(flat, upright, 0.05, 0.05));
  EXPECT_TRUE(cross_deeply(upright, flat, 0.05, 0.05));
  EXPECT_FALSE(cross_deeply(flat, upright, 0.15, 0.15));
  EXPECT_EQ(distance(flat, upright), 0.0);
  EXPECT_FALSE(cross_deeply(flat, moved(upright, {0, 0, -0.1}), 1e-9, 1e-9));  // stands on it
  EXPECT_FALSE(cross_deeply(flat, moved(upright, {1, 0, 0}), 1e-9, 1e-9));     // beside it
  EXPECT_FALSE(
      cross_deeply(flat, moved(upright, {0.0, -0.2, 0.0}), 1e-9, 1e-9));       // through its rim
  EXPECT_FALSE(cross_deeply(flat, moved(flat, {0.1, 0.1, 0.0}), 1e-9, 1e-9));  // in its plane
}

}  // namespace
}  // namespace rankine::meshes
