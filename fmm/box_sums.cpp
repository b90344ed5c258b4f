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

  void near(std::int32_t i) { sums.near.push_back(i); }
  void far(std::int32_t i) { sums.far_pairs.push_back({box, i, far_kind}); }
  void multipole(std::int32_t i) { sums.far_pairs.push_back({box, i, FarPair::m2p}); }
  void local(std::int32_t i) { sums.far_pairs.push_back({box, i, FarPair::p2l}); }
};

}  // namespace

BoxSums::BoxSums(const Octree& tree, Method method, int direct_threshold, std::int32_t box) {
  const Box* const boxes = tree.boxes.data();
  const ListRules rules = list_rules(method, direct_threshold);
  const FarPair::Kind far = method == Method::treecode ? FarPair::m2p : FarPair::m2l;
  std::vector<std::int32_t> path;  // to the root
  for (std::int32_t b = box; b >= 0; b = boxes[b].parent) path.push_back(b);
  std::vector<std::vector<std::int32_t>> colleagues(path.size());  // by level
  const auto row = [&](std::int32_t a) {
    return row_pointers(colleagues[static_cast<std::size_t>(boxes[a].level)]);
  };
  if (boxes[0].source_count() > 0 && boxes[0].target_count() > 0) colleagues[0] = {0};
  for (std::size_t level = 0; level < path.size(); ++level) {
    OneBox lists{*this, far, path[path.size() - 1 - level]};
    visit_lists(boxes, rules, lists.box, row, lists);
    if (level == 0) continue;
    const RowPointers of_parent = row(boxes[lists.box].parent);
    for (int place = 0; place < place_count(of_parent); ++place) {
      const std::int32_t i = colleague_at(boxes, lists.box, of_parent, place);
      if (i >= 0) colleagues[level].push_back(i);
    }
  }
  std::reverse(far_pairs.begin(), far_pairs.end());
}

}  // namespace rankine::fmm
