// Boxes near each other: the same pairs as looking at all of them.
#include "rankine/meshes/checks/near_boxes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <utility>

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
        [&](const Piece& mine, const Piece& theirs) { pairs.emplace(mine.owner, theirs.owner); });
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

}  // namespace
}  // namespace rankine::meshes
