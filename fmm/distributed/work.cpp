#include "rankine/fmm/distributed/work.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::fmm {
namespace {

double source_count(const Octree& tree, std::span<const std::int32_t> boxes) {
  double count = 0.0;
  for (const std::int32_t b : boxes) count += tree.boxes[b].source_count();
  return count;
}

/// Of a box's own lists, without those of its ancestors.
double seconds_of_box(const Plan& plan, const PassCosts& costs, std::int32_t b) {
  const Octree& tree = plan.tree;
  const InteractionLists& lists = plan.lists;
  const double targets = tree.boxes[b].target_count();
  const double far = plan.options.method == Method::treecode ? costs.m2p * targets : costs.m2l;
  return costs.pair * targets * source_count(tree, lists.near.row(b)) +
         far * static_cast<double>(lists.far.row(b).size()) +
         costs.m2p * (targets * static_cast<double>(lists.multipole.row(b).size()) +
                      source_count(tree, lists.local.row(b)));
}

}  // namespace

std::vector<double> seconds_per_target(const Plan& plan, const PassCosts& costs) {
  const Octree& tree = plan.tree;
  const auto& order = tree.target_order.empty() ? tree.source_order : tree.target_order;
  std::vector<double> of_box(tree.boxes.size(), 0.0),
      result(static_cast<std::size_t>(tree.boxes[0].target_count()), 0.0);
  parallel_for(of_box.size(), [&](std::size_t b) {
    const std::int32_t targets = tree.boxes[b].target_count();
    if (targets > 0)
      of_box[b] = seconds_of_box(plan, costs, static_cast<std::int32_t>(b)) / targets;
  });
  for (std::size_t b = 1; b < of_box.size(); ++b)  // parents first
    of_box[b] += of_box[static_cast<std::size_t>(tree.boxes[b].parent)];
  parallel_for(of_box.size(), [&](std::size_t b) {
    const Box& box = tree.boxes[b];
    if (!box.is_leaf()) return;
    for (std::int32_t j = box.target_begin; j < box.target_end; ++j)
      result[static_cast<std::size_t>(order[j])] = of_box[b];
  });
  return result;
}

}  // namespace rankine::fmm
