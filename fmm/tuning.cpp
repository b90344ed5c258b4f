#include "rankine/fmm/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

namespace {

/// log2 of the mean number of children of boxes that have several.
double dimension(const Octree& tree) {
  const auto [divided, children] = branching(tree);
  if (divided == 0) return 3.0;
  return std::clamp(std::log2(static_cast<double>(children) / static_cast<double>(divided)), 1.0,
                    3.0);
}

int least_cpu_leaf_capacity(Method method) {
  switch (method) {
    case Method::direct:
      return 256;
    case Method::treecode:
      return 400;  // M2P is dear: one evaluation a box and target
    case Method::fmm:
      return 48;
  }
  return 48;
}

/// Seconds of one AVX-512 core (docs/performance.md); narrower vectors change them alike.
PassCosts cpu_pass_costs(const Options& options, int order) {
  const double half = options.precision == Precision::float64 ? 1.0 : 0.5;
  const double pair = options.gradient && options.dipoles   ? 0.45e-9
                      : options.gradient || options.dipoles ? 0.3e-9
                                                            : 0.18e-9;
  const double m2l = 190e-9 * std::pow(order / 16.0, 2.5);
  const double cost = half * options.rhs * pair;
  return {.pair = cost,
          .m2l = half * options.rhs * m2l,
          .m2p = coefficient_count(order) * cost,
          .idle_targets = 8.0};
}

}  // namespace

Tuning cpu_tuning(const Options& options) {
  return {.least_leaf_capacity = least_cpu_leaf_capacity(options.method),
          .costs = [options](int order) { return cpu_pass_costs(options, order); },
          .quick_root_from = 1e-6};  // they err by 5e-9 (fmm/simd/pack.hpp)
}

TreeCounts count(const Octree& tree, int leaf_capacity) {
  TreeCounts counts;
  for (const Box& box : tree.boxes) {
    if (box.parent >= 0 && fits(tree.boxes[box.parent], leaf_capacity)) continue;
    ++counts.boxes;
    if (!box.is_leaf() && !fits(box, leaf_capacity)) continue;
    ++counts.leaves;
    counts.sources += box.source_count();
    counts.targets += box.target_count();
    counts.own_pairs += static_cast<double>(box.source_count()) * box.target_count();
  }
  counts.dimension = dimension(tree);
  return counts;
}

double predicted_seconds(const TreeCounts& counts, const PassCosts& costs) {
  if (counts.leaves <= few_leaves) return costs.pair * counts.sources * counts.targets;
  const double d = counts.dimension;
  // Boxes in a row; those at its ends have fewer neighbours.
  const double row = std::max(2.0, std::pow(counts.leaves, 1.0 / d));
  const double near = std::pow(3.0 - 2.0 / row, d), far = std::pow(6.0 - 8.0 / row, d) - near;
  // Surfaces and lines cut leaves into unequal parts: more neighbours, fewer far boxes. Found by
  // counting on the point sets of fmm/distributions.hpp, as that M2M and L2L of a box cost as much
  // as eight M2L of the mean order.
  const double uneven = 3.0 - d;
  constexpr double vertical = 8.0;
  const double own_pairs = counts.own_pairs + costs.idle_targets * counts.sources;
  return costs.pair * (1.0 + 0.6 * uneven) * near * own_pairs +
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
