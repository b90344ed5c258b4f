// Finds pairs of nearby boxes, in linear time if each box has few near it. The boxes are sorted
// along a Morton curve; consecutive boxes form the leaves of a binary tree, which is searched for
// every leaf. Box sizes may differ by any factor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/bounding_box.hpp"

namespace rankine::meshes {

inline bool overlap(const BoundingBox& a, const BoundingBox& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.lower[axis] > b.upper[axis] || b.lower[axis] > a.upper[axis]) return false;
  }
  return true;
}

class NearBoxes {
 public:
  struct Piece {
    BoundingBox box;
    double reach = 0.0;      ///< boxes within this distance are near, m
    std::int32_t owner = 0;  ///< user data
  };

  explicit NearBoxes(const AlignedVector<Piece>& pieces);

  std::size_t leaf_count() const { return (pieces_.size() + in_leaf - 1) / in_leaf; }
  std::span<const Piece> leaf(std::size_t leaf) const {
    const std::size_t begin = leaf * in_leaf;
    return std::span(pieces_).subspan(begin, std::min(in_leaf, pieces_.size() - begin));
  }

  /// Calls visit(mine, theirs, once) for every piece `mine` of the leaf and every piece `theirs`
  /// whose box is within the reach of `mine`, itself and pieces of the same owner included. If
  /// reaches(leaf) is false for another leaf, only pairs with overlapping boxes are visited, each
  /// in one order: (mine, theirs) with `once` true, and not (theirs, mine). reaches() must be
  /// symmetric.
  template <class Reaches, class Visit>
  void visit_near(std::size_t leaf_number, Reaches&& reaches, Visit&& visit) const {
    const std::span<const Piece> own = leaf(leaf_number);
    std::array<BoundingBox, in_leaf> boxes;
    BoundingBox wide;
    for (std::size_t k = 0; k < own.size(); ++k) {
      boxes[k] = reached(own[k]);
      wide.join(boxes[k]);
    }
    const auto near = [&](const BoundingBox& box) { return overlap(box, wide); };
    descend(levels_.size() - 1, 0, near, [&](std::size_t other) {
      const BoundingBox& around = levels_.front()[other];
      const bool far = reaches(other), once = !far && other != leaf_number;
      if (once && other < leaf_number) return;
      for (std::size_t k = 0; k < own.size(); ++k) {
        const BoundingBox& mine = far ? boxes[k] : own[k].box;
        if (!overlap(mine, around)) continue;
        for (const Piece& theirs : leaf(other)) {
          if (overlap(mine, theirs.box)) visit(own[k], theirs, once);
        }
      }
    });
  }

  /// Calls visit(piece) for every piece whose box contains `box`, with O(log n) comparisons if
  /// boxes are separate. Returns the number of comparisons.
  template <class Visit>
  std::size_t visit_containing(const BoundingBox& box, Visit&& visit) const {
    std::size_t compared = 0;
    const auto contains = [&](const BoundingBox& outer) {
      ++compared;
      return outer.contains(box);
    };
    descend(levels_.size() - 1, 0, contains, [&](std::size_t number) {
      for (const Piece& piece : leaf(number)) {
        if (contains(piece.box)) visit(piece);
      }
    });
    return compared;
  }

 private:
  static constexpr std::size_t in_leaf = 8;

  static BoundingBox reached(const Piece& piece) {
    const Vec3d by{piece.reach, piece.reach, piece.reach};
    return {piece.box.lower - by, piece.box.upper + by};
  }

  template <class Enters, class Visit>
  void descend(std::size_t level, std::size_t node, Enters&& enters, Visit&& visit) const {
    if (node >= levels_[level].size() || !enters(levels_[level][node])) return;
    if (level == 0) {
      visit(node);
      return;
    }
    descend(level - 1, 2 * node, enters, visit);
    descend(level - 1, 2 * node + 1, enters, visit);
  }

  AlignedVector<Piece> pieces_;                   ///< along the curve
  std::vector<std::vector<BoundingBox>> levels_;  ///< from the leaves to the root
};

}  // namespace rankine::meshes
