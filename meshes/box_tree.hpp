// A tree over bounding boxes that finds which of them contain a given box. For separate boxes a
// query takes O(log n) comparisons; building the tree takes O(n log n) steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"

namespace rankine::meshes {

class BoxTree {
 public:
  explicit BoxTree(std::span<const BoundingBox> boxes);

  /// Calls visit(i) for every one of the boxes that contains `box`. Returns how many boxes, of the
  /// tree's own and of those given, were compared with it.
  template <class Visit>
  std::size_t visit_containing(const BoundingBox& box, Visit&& visit) const {
    return nodes_.empty() ? 0 : visit_below(0, box, visit);
  }

 private:
  struct Node {
    BoundingBox box;          ///< around all below
    std::int32_t child = -1;  ///< the first of two; -1: a leaf
    std::size_t begin, end;   ///< of sorted_
  };
  struct Numbered {
    BoundingBox box;
    std::size_t number;
  };

  void divide(std::size_t node);

  template <class Visit>
  std::size_t visit_below(std::size_t at, const BoundingBox& box, Visit& visit) const {
    const Node& node = nodes_[at];
    if (!node.box.contains(box)) return 1;
    if (node.child >= 0) {
      const auto child = static_cast<std::size_t>(node.child);
      return 1 + visit_below(child, box, visit) + visit_below(child + 1, box, visit);
    }
    for (std::size_t k = node.begin; k < node.end; ++k) {
      if (sorted_[k].box.contains(box)) visit(sorted_[k].number);
    }
    return 1 + node.end - node.begin;
  }

  std::vector<Node> nodes_;
  std::vector<Numbered> sorted_;  ///< the boxes of a node follow one another
};

}  // namespace rankine::meshes
