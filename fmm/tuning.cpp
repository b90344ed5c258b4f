#include "rankine/fmm/tuning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/fitted_constants.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/leaf_groups.hpp"

namespace rankine::fmm {

double dimension_of(const Octree& tree) {
  const auto [divided, children] = branching(tree);
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

void LeafCounts::Sums::add(const Sums& other, double sign) {
  boxes += sign * other.boxes;
  leaves += sign * other.leaves;
  own_pairs += sign * other.own_pairs;
  sibling_pairs += sign * other.sibling_pairs;
}

namespace {

/// Index of the largest tabulated leaf capacity <= `capacity`.
std::size_t capacity_number(int capacity) {
  const unsigned value = static_cast<unsigned>(capacity);
  const int bits = static_cast<int>(std::bit_width(value)), dropped = std::max(0, bits - 7);
  return 64U * static_cast<unsigned>(dropped) + (value >> dropped);
}

/// Index of the smallest tabulated leaf capacity >= `capacity`.
std::size_t number_from(int capacity) {
  return capacity == 0 ? 0 : capacity_number(capacity - 1) + 1;
}

double pairs(const Box& targets, const Box& sources) {
  return static_cast<double>(targets.target_count()) * sources.source_count();
}

}  // namespace

LeafCounts::LeafCounts(const Octree& tree, int most)
    : most_(most),
      sums_(number_from(most + 1) + 1),
      sources_(tree.boxes[0].source_count()),
      targets_(tree.boxes[0].target_count()),
      dimension_(dimension_of(tree)) {
  // A box exists for capacities below the size of its parent, and is a leaf for capacities of at
  // least its own size. At first the sums contain differences from the next lower capacity.
  const auto add = [&](std::size_t index, std::vector<Sums>& sums) {
    const Box& box = tree.boxes[index];
    const std::size_t end = box.parent < 0 ? sums_.size() - 1 : leaf_from(tree.boxes[box.parent]),
                      begin = box.is_leaf() ? 0 : std::min(leaf_from(box), end);
    sums[0].add({.boxes = 1.0}, 1.0);
    sums[end].add({.boxes = 1.0}, -1.0);
    const Sums leaf{.leaves = 1.0, .own_pairs = pairs(box, box)};
    sums[begin].add(leaf, 1.0);
    sums[end].add(leaf, -1.0);
    count_siblings(tree, box, sums);
  };
  // Enough blocks for all threads, and few enough to be joined quickly by one thread.
  const std::size_t block = std::clamp<std::size_t>(tree.boxes.size() / 128, 256, 4096);
  const auto join = [](std::vector<Sums>& all, const std::vector<Sums>& part) {
    for (std::size_t k = 0; k < all.size(); ++k) all[k].add(part[k], 1.0);
  };
  sums_ = parallel_reduce(tree.boxes.size(), sums_, add, join, block);
  for (std::size_t capacity = 1; capacity < sums_.size(); ++capacity)
    sums_[capacity].add(sums_[capacity - 1], 1.0);
}

std::size_t LeafCounts::leaf_from(const Box& box) const {
  return number_from(std::min(std::max(box.source_count(), box.target_count()), most_ + 1));
}

/// For capacities between the sizes of two children, one of them is a leaf and the other one is
/// divided.
void LeafCounts::count_siblings(const Octree& tree, const Box& parent,
                                std::vector<Sums>& sums) const {
  if (parent.is_leaf()) return;
  const double children = std::pow(2.0, dimension_);
  const Box* const first = tree.boxes.data() + parent.first_child;
  for (const Box* divided = first; divided < first + parent.child_count; ++divided) {
    if (divided->is_leaf()) continue;
    const std::size_t end = leaf_from(*divided);
    for (const Box* leaf = first; leaf < first + parent.child_count; ++leaf) {
      const std::size_t begin = leaf->is_leaf() ? 0 : leaf_from(*leaf);
      if (begin >= end) continue;
      const double more = pairs(*leaf, *divided) + pairs(*divided, *leaf) - pairs(*leaf, *leaf) -
                          pairs(*divided, *divided) / children;
      const Sums both{.sibling_pairs = std::max(0.0, more)};
      sums[begin].add(both, 1.0);
      sums[end].add(both, -1.0);
    }
  }
}

TreeCounts LeafCounts::at(int capacity, double shrink) const {
  const double share = std::pow(shrink, dimension_);
  const Sums& sums = sums_[capacity_number(std::min(static_cast<int>(capacity / share), most_))];
  return {.boxes = sums.boxes / share,
          .leaves = sums.leaves / share,
          .sources = sources_,
          .targets = targets_,
          .own_pairs = sums.own_pairs * share,
          .sibling_pairs = sums.sibling_pairs * share,
          .dimension = dimension_};
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

LeafCounts leaf_counts(const Octree& tree, int least) {
  // Boxes with half the edge contain an eighth of the points.
  return {tree, 8 * leaf_capacities(least).back()};
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
