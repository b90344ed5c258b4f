#include "rankine/fmm/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/fitted_constants.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/leaf_groups.hpp"

namespace rankine::fmm {

double dimension_of(const Branching& branching) {
  const auto [divided, children] = branching;
  if (divided == 0) return 3.0;
  return std::clamp(std::log2(static_cast<double>(children) / static_cast<double>(divided)), 1.0,
                    3.0);
}

namespace {

/// The largest one of the search for a treecode, since M2P costs one evaluation per box and target.
/// Direct sums round positions relative to their leaf.
int least_cpu_leaf_capacity(Method method) {
  constexpr int least = 48, direct = 256;
  if (method == Method::direct) return direct;
  return method == Method::fmm ? least : leaf_capacities(least).back();
}

struct PointCosts {
  double pair, coefficient;
};

/// For one right-hand side in double. Velocities of vortices are derivatives of their expansions.
PointCosts cpu_point_costs(const Options& options) {
  using fitted::cpu_costs;
  const auto times = [](double cost, bool gradient, bool dipoles) {
    return cost * (gradient ? cpu_costs.derivative : 1.0) * (dipoles ? cpu_costs.derivative : 1.0);
  };
  if (is_vortex(options.kernel)) {
    const double cores = options.kernel == Kernel::vortex_gaussian ? 2.0 : 1.0;
    return {times(cores * cpu_costs.vortices, options.gradient, false),
            times(cpu_costs.pair, true, false) * (options.gradient ? 2.0 : 1.0)};
  }
  const double pair = times(cpu_costs.pair, options.gradient, options.dipoles);
  return {pair, pair};
}

PassCosts cpu_pass_costs(const Options& options, bool shared_points, int order) {
  using fitted::cpu_costs;
  const double half = options.precision == Precision::float64 ? 1.0 : 0.5;
  const auto [pair, coefficient] = cpu_point_costs(options);
  const double share = mutual_pairs(options, shared_points) ? cpu_costs.mutual : 1.0;
  const double columns = expansion_options(options).rhs;
  const double m2l =
      cpu_costs.m2l_least + cpu_costs.m2l_16 * std::pow(order / 16.0, cpu_costs.m2l_power);
  const double cost = half * (1.0 + cpu_costs.of_rhs * (options.rhs - 1)) * pair;
  return {.pair = share * cost,
          .m2l = half * columns * m2l,
          .m2p = half * options.rhs * coefficient_count(order) * coefficient,
          .m2l_uneven = cpu_costs.m2l_uneven};
}

}  // namespace

Tuning cpu_tuning(const Options& options, bool shared_points) {
  return {.least_leaf_capacity = least_cpu_leaf_capacity(options.method),
          .costs = [options, shared_points](
                       int order) { return cpu_pass_costs(options, shared_points, order); },
          .quick_root_from = 1e-6};  // their error is 5e-9 (fmm/simd/pack.hpp)
}

LeafCounts::LeafCounts(const Box& root, const Branching& branching, int most,
                       std::vector<LeafSums> sums)
    : most_(most),
      branching_(branching),
      sums_(std::move(sums)),
      sources_(root.source_count()),
      targets_(root.target_count()) {
  for (std::size_t capacity = 1; capacity < sums_.size(); ++capacity)
    sums_[capacity].add(sums_[capacity - 1], 1);
}

namespace {

std::vector<LeafSums> leaf_sums(const Octree& tree, const Branching& branching, int most) {
  const CountedBoxes boxes{tree.boxes.data(), most, children_of(branching)};
  const auto add = [&](std::size_t b, std::vector<LeafSums>& sums) {
    boxes.visit(static_cast<std::int64_t>(b), [&](int first, int end, const LeafSums& more) {
      sums[static_cast<std::size_t>(first)].add(more, 1);
      sums[static_cast<std::size_t>(end)].add(more, -1);
    });
  };
  // Enough blocks for all threads, and few enough to be joined quickly by one thread.
  const std::size_t block = std::clamp<std::size_t>(tree.boxes.size() / 128, 256, 4096);
  const auto join = [](std::vector<LeafSums>& all, const std::vector<LeafSums>& part) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k].add(part[k], 1);
  };
  const auto size = static_cast<std::size_t>(boxes.end()) + 1;
  return parallel_reduce(tree.boxes.size(), std::vector<LeafSums>(size), add, join, block);
}

}  // namespace

LeafCounts::LeafCounts(const Octree& tree, int most)
    : LeafCounts(tree.boxes[0], fmm::branching(tree), most,
                 leaf_sums(tree, fmm::branching(tree), most)) {}

TreeCounts LeafCounts::at(int capacity, double shrink) const {
  const double share = std::pow(shrink, dimension());
  const LeafSums& sums = sums_[static_cast<std::size_t>(
      capacity_number(std::min(static_cast<int>(capacity / share), most_)))];
  return {.boxes = static_cast<double>(sums.boxes) / share,
          .leaves = static_cast<double>(sums.leaves) / share,
          .sources = sources_,
          .targets = targets_,
          .own_pairs = static_cast<double>(sums.own_pairs) * share,
          .sibling_pairs = static_cast<double>(sums.sibling_pairs) * share,
          .dimension = dimension()};
}

double predicted_seconds(const TreeCounts& counts, const PassCosts& costs) {
  if (counts.leaves <= few_leaves) return costs.pair * counts.sources * counts.targets;
  const double d = counts.dimension;
  // Number of boxes along a line; those at its ends have fewer neighbours.
  const double row = std::max(2.0, std::pow(counts.leaves, 1.0 / d));
  const double near = std::pow(3.0 - 2.0 / row, d), far = std::pow(6.0 - 8.0 / row, d) - near;
  // On surfaces and lines leaves have unequal numbers of points: more neighbours, fewer far boxes.
  using fitted::unevenness;
  const double uneven = 3.0 - d;
  // Neighbours that are not siblings are assumed to be like siblings. On surfaces and lines the
  // factor `near` includes them.
  const double unequal =
      std::max(0.0, 1.0 - uneven) * (near - 1.0) / (std::pow(2.0, d) - 1.0) * counts.sibling_pairs;
  const double pairs = (1.0 + unevenness.near * uneven) * near * counts.own_pairs + unequal;
  const double translations =
      ((1.0 - unevenness.far * uneven) * far + unevenness.vertical) * counts.boxes;
  return costs.pair * pairs + costs.m2l * (1.0 + costs.m2l_uneven * uneven) * translations;
}

double worth_building(const LeafCounts& counts) {
  return 1.0 - fitted::worth_building * (4.0 - counts.dimension());
}

std::vector<int> leaf_capacities(int least) {
  std::vector<int> capacities;
  for (const double factor : {1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0})
    capacities.push_back(static_cast<int>(factor * least));
  return capacities;
}

namespace {

LeafChoice best_choice(const LeafCounts& counts, int least, const PassCosts& costs, double shrink) {
  LeafChoice best{.capacity = least, .seconds = std::numeric_limits<double>::max()};
  for (const int capacity : leaf_capacities(least)) {
    const double seconds = predicted_seconds(counts.at(capacity, shrink), costs);
    if (seconds < best.seconds) best = {.capacity = capacity, .seconds = seconds};
  }
  return best;
}

}  // namespace

int most_counted(int least) {
  // Eight times the largest of leaf_capacities: boxes with half the edge have an eighth of the
  // points.
  return 64 * std::min(least, 1 << 24);
}

LeafChoice best_leaves(const LeafCounts& counts, int least, const PassCosts& costs) {
  return best_choice(counts, least, costs, 1.0);
}

std::vector<double> root_paddings() {
  using fitted::padded_boxes;
  std::vector<double> rooms;
  for (int filled = padded_boxes; filled > padded_boxes / 2; --filled)
    rooms.push_back(static_cast<double>(padded_boxes) / filled);
  return rooms;
}

LeafChoice foreseen_leaves(const Octree& tree, const LeafCounts& counts, int least,
                           const PassCosts& costs) {
  LeafChoice best{.seconds = std::numeric_limits<double>::max()};
  for (const double padding : root_paddings()) {
    const double ratio = root_edge(tree.extent, padding) / tree.side;
    // Boxes twice as large are those of the next coarser level.
    LeafChoice choice = best_choice(counts, least, costs, ratio > 1.0 ? 0.5 * ratio : ratio);
    if (choice.seconds >= best.seconds) continue;
    best = choice;
    best.padding = padding;
  }
  return best;
}

}  // namespace rankine::fmm
