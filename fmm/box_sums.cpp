#include "rankine/fmm/box_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "rankine/fmm/interaction_rows.hpp"

namespace rankine::fmm {
namespace {

/// Collects the lists of one box (fmm/interaction_rows.hpp).
struct OneBox {
  BoxSums& sums;
  FarPair::Kind far_kind;
  std::int32_t box;
  std::vector<std::int32_t> colleagues = {}, deferred_boxes = {};

  void colleague(std::int32_t i) { colleagues.push_back(i); }
  void near(std::int32_t i) { sums.near.push_back(i); }
  void far(std::int32_t i) { sums.far_pairs.push_back({box, i, far_kind}); }
  void multipole(std::int32_t i) { sums.far_pairs.push_back({box, i, FarPair::m2p}); }
  void local(std::int32_t i) { sums.far_pairs.push_back({box, i, FarPair::p2l}); }
  void deferred(std::int32_t i) { deferred_boxes.push_back(i); }
};

}  // namespace

BoxSums::BoxSums(const Octree& tree, Method method, int direct_threshold, std::int32_t box) {
  const Box* const boxes = tree.boxes.data();
  const ListRules rules = list_rules(method, direct_threshold);
  const FarPair::Kind far = method == Method::treecode ? FarPair::m2p : FarPair::m2l;
  std::vector<std::int32_t> path;  // to the root
  for (std::int32_t b = box; b >= 0; b = boxes[b].parent) path.push_back(b);
  std::vector<std::vector<std::int32_t>> deferred(path.size());  // by level
  OneBox root{*this, far, 0};
  visit_root(boxes[0], root);
  std::vector<std::int32_t> colleagues = std::move(root.colleagues);
  for (std::size_t level = 1; level < path.size(); ++level) {
    OneBox lists{*this, far, path[path.size() - 1 - level]};
    visit_lists(
        boxes, rules, lists.box, row_pointers(colleagues),
        [&](std::int32_t a) {
          return row_pointers(deferred[static_cast<std::size_t>(boxes[a].level)]);
        },
        lists);
    colleagues = std::move(lists.colleagues);
    deferred[level] = std::move(lists.deferred_boxes);
  }
  std::reverse(far_pairs.begin(), far_pairs.end());
}

}  // namespace rankine::fmm
