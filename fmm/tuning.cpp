#include "fmm/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fmm/order.hpp"

namespace rankine::fmm {

int cpu_leaf_capacity(const Points& points, const Options& options) {
  if (options.method == Method::direct) return 256;
  if (options.method == Method::treecode)
    return 400;  // M2P is dear: one evaluation a box and target
  // Per leaf, translations cost about p^3 and pairs the square of its points, so that the best
  // capacity grows as p^1.5; gradients and dipoles make pairs dearer.
  const double dearer = options.gradient || options.dipoles ? 1.0 : 1.25;
  const double even =
      std::clamp(1.75 * dearer * std::pow(choose_orders(options).order, 1.5), 48.0, 512.0);
  // Where sources and targets are uneven, their product counts.
  const auto sources = static_cast<double>(points.sources.size()),
             targets = static_cast<double>(points.targets.size());
  const double uneven = std::max(sources, targets) / std::max(1.0, std::min(sources, targets));
  return static_cast<int>(even * std::min(2.0, std::sqrt(uneven)));
}

namespace {

/// log2 of the mean number of children of boxes that have several.
double dimension(const Octree& tree) {
  std::int64_t divided = 0, children = 0;
  for (const Box& box : tree.boxes) {
    if (box.child_count < 2) continue;
    ++divided;
    children += box.child_count;
  }
  if (divided == 0) return 3.0;
  return std::clamp(std::log2(static_cast<double>(children) / static_cast<double>(divided)), 1.0,
                    3.0);
}

}  // namespace

TreeCounts count(const Octree& tree, int leaf_capacity) {
  TreeCounts counts;
  for (const Box& box : tree.boxes) {
    if (box.parent >= 0 && fits(tree.boxes[box.parent], leaf_capacity)) continue;
    ++counts.boxes;
    if (!box.is_leaf() && !fits(box, leaf_capacity)) continue;
    ++counts.leaves;
    counts.own_pairs += static_cast<double>(box.source_count()) * box.target_count();
  }
  counts.dimension = dimension(tree);
  return counts;
}

double predicted_seconds(const TreeCounts& counts, const PassCosts& costs) {
  const double d = counts.dimension;
  // Boxes in a row; those at its ends have fewer neighbours.
  const double row = std::max(2.0, std::pow(counts.leaves, 1.0 / d));
  const double near = std::pow(3.0 - 2.0 / row, d), far = std::pow(6.0 - 8.0 / row, d) - near;
  // Surfaces and lines cut leaves into unequal parts: more neighbours, fewer far boxes. Found by
  // counting on the point sets of fmm/distributions.hpp, as that M2M and L2L of a box cost as much
  // as eight M2L of the mean order.
  const double uneven = 3.0 - d;
  constexpr double vertical = 8.0;
  return costs.pair * (1.0 + 0.6 * uneven) * near * counts.own_pairs +
         costs.m2l * ((1.0 - 0.4 * uneven) * far + vertical) * counts.boxes;
}

std::vector<int> leaf_capacities(int least) {
  std::vector<int> capacities;
  for (const double factor : {1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0})
    capacities.push_back(static_cast<int>(factor * least));
  return capacities;
}

int best_leaf_capacity(const Octree& tree, int least, const PassCosts& costs) {
  int best = least;
  double best_seconds = std::numeric_limits<double>::max();
  for (const int capacity : leaf_capacities(least)) {
    const double seconds = predicted_seconds(count(tree, capacity), costs);
    if (seconds >= best_seconds) continue;
    best_seconds = seconds;
    best = capacity;
  }
  return best;
}

}  // namespace rankine::fmm
