// Boxes that contain a box: all of them, and few looks for each.
#include "rankine/meshes/box_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace rankine::meshes {
namespace {

BoundingBox cube(const Vec3d& centre, double edge) {
  BoundingBox box;
  box.add(centre - Vec3d{0.5 * edge, 0.5 * edge, 0.5 * edge});
  box.add(centre + Vec3d{0.5 * edge, 0.5 * edge, 0.5 * edge});
  return box;
}

TEST(BoxTree, FindsEveryBoxThatContainsAnother) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> place(-1.0, 1.0), size(-3.0, 0.3);
  for (const int count : {0, 1, 4, 5, 300}) {
    std::vector<BoundingBox> boxes;
    for (int i = 0; i < count; ++i) {
      boxes.push_back(cube({place(generator), place(generator), place(generator)},
                           std::pow(10.0, size(generator))));
    }
    if (count > 1) boxes.push_back(boxes[1]);  // two that are equal
    const BoxTree tree(boxes);
    for (const BoundingBox& inner : boxes) {
      std::multiset<std::size_t> found, expected;
      tree.visit_containing(inner, [&](std::size_t i) { found.insert(i); });
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].contains(inner)) expected.insert(i);
      }
      EXPECT_EQ(found, expected);
    }
  }
}

/// Looks for each of side^dimension boxes in a row, in a plane or in space, all in one large box.
double looks_for_each(int side, int dimension) {
  std::vector<BoundingBox> boxes{cube({0.5 * side, 0.5 * side, 0.5 * side}, 3.0 * side)};
  for (int z = 0; z < (dimension > 2 ? side : 1); ++z) {
    for (int y = 0; y < (dimension > 1 ? side : 1); ++y) {
      for (int x = 0; x < side; ++x) boxes.push_back(cube({1.0 * x, 1.0 * y, 1.0 * z}, 0.8));
    }
  }
  const BoxTree tree(boxes);
  std::size_t looks = 0, found = 0;
  for (const BoundingBox& box : boxes)
    looks += tree.visit_containing(box, [&](std::size_t) { ++found; });
  EXPECT_EQ(found, 2 * boxes.size() - 1);  // itself, and the large one
  return static_cast<double>(looks) / static_cast<double>(boxes.size());
}

TEST(BoxTree, LooksAtFewBoxesHoweverManyThereAre) {
  // Sixteen times as many are four levels more, where comparing each with all costs sixteen times
  // as much. Two ways lead down, to the box and to the large one, with up to three looks a level.
  constexpr int sides[3][2] = {{1024, 16384}, {32, 128}, {10, 25}};
  for (int dimension = 1; dimension <= 3; ++dimension) {
    const double few = looks_for_each(sides[dimension - 1][0], dimension),
                 many = looks_for_each(sides[dimension - 1][1], dimension);
    EXPECT_LE(few, 6.0 * 10.0) << "dimension " << dimension;
    EXPECT_LE(many, few + 6.0 * 4.0) << "dimension " << dimension;
  }
}

}  // namespace
}  // namespace rankine::meshes
