#include "rankine/fmm/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/fmm/far_distance.hpp"
#include "rankine/fmm/fitted_constants.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "rankine/fmm/truncation.hpp"

namespace rankine::fmm {
namespace {

/// Small trees are treated as volumes, whose orders are higher.
Spread spread_of(const Branching& branching) {
  const bool small = branching.divided <= few_leaves;
  return !small && std::round(dimension_of(branching)) < 3.0 ? Spread::surface : Spread::volume;
}

template <class T, class Range>
LocalPoints<T> local_points(const Plan& plan, std::span<const Vec3d> points,
                            std::span<const std::int32_t> order, int padding, Range&& range) {
  LocalPoints<T> local;
  local.resize(points.size(), padding);
  parallel_chunks(plan.leaves.size(), 64, [&](std::size_t leaf) {
    const Box& box = plan.tree.boxes[plan.leaves[leaf]];
    const auto [begin, end] = range(box);
    for (std::int32_t i = begin; i < end; ++i) {
      const Vec3d r = position_in_box(points[order[i]], box, plan.tree.corner, plan.tree.side);
      local.x[i] = static_cast<T>(r.x);
      local.y[i] = static_cast<T>(r.y);
      local.z[i] = static_cast<T>(r.z);
    }
  });
  return local;
}

}  // namespace

Octree TreeBuilder::octree(const Points& points, int leaf_capacity, double padding,
                           double least_edge) {
  return build_octree(points.sources, points.targets, leaf_capacity, padding, least_edge);
}

LeafCounts TreeBuilder::counts(const Octree& tree, int least) { return leaf_counts(tree, least); }

Octree TreeBuilder::coarse(Octree tree, int leaf_capacity) {
  return coarsened(std::move(tree), leaf_capacity);
}

MortonPoints TreeBuilder::ordered(const Octree& tree, const Points& points) {
  return morton_points(tree, points);
}

Method choose_method(const Points& points, const Options& options) {
  const auto pairs = static_cast<std::int64_t>(points.sources.size()) *
                     static_cast<std::int64_t>(points.targets.size());
  const bool few = options.direct_pairs > 0 && pairs <= options.direct_pairs;
  return few ? Method::direct : options.method;
}

namespace {

void build_tree(Plan& plan, Octree tree) {
  plan.tree = std::move(tree);
  plan.leaves = parallel_reduce(plan.tree.boxes.size(), std::vector<std::int32_t>{},
                                [&](std::size_t b, std::vector<std::int32_t>& leaves) {
                                  if (plan.tree.boxes[b].holds_points())
                                    leaves.push_back(static_cast<std::int32_t>(b));
                                });
}

void build_lists(Plan& plan) {
  switch (plan.options.method) {
    case Method::direct:
      plan.lists = {};
      break;
    case Method::treecode:
    case Method::fmm:
      plan.lists = build_interaction_lists(plan.tree,
                                           list_rules(plan.options.method, plan.direct_threshold));
      break;
  }
}

/// True if a leaf exceeds the capacity because boxes of the kernel may not be smaller.
bool is_limited(const Octree& tree, int leaf_capacity, double least_edge) {
  const int deepest = deepest_level(tree.side, least_edge);
  return deepest < max_level && tree.depth() == deepest &&
         std::any_of(tree.boxes.begin() + tree.level_begin[deepest], tree.boxes.end(),
                     [&](const Box& box) { return !fits(box, leaf_capacity); });
}

/// The padding with which the smallest boxes have the edge `least_edge`.
double padding_for(double extent, double least_edge) {
  double edge = least_edge;
  while (edge < extent) edge *= 2.0;
  return edge / extent;
}

/// The tree with the smallest predicted time; its padding and leaf capacity become the plan's.
/// `tree` was built with the plan's padding and the smallest capacity, and has these counts. Unless
/// its boxes are as small as they may be, a tree with boxes of another size is built if the
/// predicted gain exceeds its cost, and used if its own counts confirm the gain.
Octree best_tree(Plan& plan, Octree tree, const LeafCounts& counts, const Points& points,
                 TreeBuilder& builder, const PassCosts& costs) {
  const int least = plan.options.leaf_capacity;
  LeafChoice best = best_leaves(counts, least, costs);
  const double enough = worth_building(counts) * best.seconds;
  const LeafChoice foreseen = foreseen_leaves(tree, counts, least, costs);
  if (foreseen.seconds < enough && !is_limited(tree, least, plan.least_edge)) {
    Octree other = builder.octree(points, least, foreseen.padding, plan.least_edge);
    const LeafChoice counted = best_leaves(builder.counts(other, least), least, costs);
    if (counted.seconds < enough) {
      best = counted;
      plan.padding = foreseen.padding;
      tree = std::move(other);
    }
  }
  plan.options.leaf_capacity = best.capacity;
  return builder.coarse(std::move(tree), best.capacity);
}

std::ptrdiff_t leaf_count(const Octree& tree) {
  return std::count_if(tree.boxes.begin(), tree.boxes.end(),
                       [](const Box& box) { return box.is_leaf(); });
}

/// The method for a kernel that is softened over the whole extent of the points, so that there is
/// no far field: the direct sum if it is allowed, otherwise an error.
Method direct_or_throw(const Plan& plan, const Points& points, const Octree& tree) {
  if (choose_method(points, plan.options) == Method::direct) return Method::direct;
  const bool vortices = is_vortex(plan.options.kernel);
  const double length = vortices
                            ? *std::max_element(points.core_radii.begin(), points.core_radii.end())
                            : plan.options.softening;
  const char* const what = vortices ? "core radius" : "softening";
  throw InputError(text_of(
      what, " ", length, " m is too large for ", to_string(plan.options.method), " with tolerance ",
      plan.options.tolerance, ": only points ", plan.least_edge,
      " m apart and more are free of its effect to that tolerance, and all points lie within ",
      tree.extent, " m; use method direct, a larger tolerance or a smaller ", what));
}

/// True if the kernel is softened over the distances of neighbours, so that the nearest sources do
/// not dominate a sum.
bool overlaps(const Octree& tree, const Options& options) {
  if (is_vortex(options.kernel)) return true;  // cores overlap to represent a smooth field
  if (options.softening == 0.0) return false;
  constexpr double some = 0.1;  // of the edge of a leaf, and of the sources
  double sources = 0.0;
  for (const Box& box : tree.boxes) {
    const double count = box.source_count();
    if (box.is_leaf() && options.softening * std::cbrt(count) > some * box_edge(box) * tree.side)
      sources += count;
  }
  return sources > some * tree.boxes[0].source_count();
}

struct ChosenOrder {
  int order;
  double kept_tolerance;
};

/// The lowest order that meets the tolerance on this tree, or the highest order. `threshold`: that
/// of direct sums, as a function of the order.
template <class Threshold>
ChosenOrder choose_order(const Octree& tree, const Points& points, TreeBuilder& builder,
                         const Options& options, bool softened, const Threshold& threshold,
                         int likely) {
  const bool on_curve = std::round(dimension_of(tree)) < 2.0;
  const double aim = options.dipoles ? fitted::aim.dipoles
                     : softened      ? fitted::aim.softened
                     : on_curve      ? fitted::aim.on_curve
                                     : fitted::aim.charges;
  const int highest = highest_order(options.precision);
  likely = std::min(likely, highest);
  const MortonPoints ordered = builder.ordered(tree, points);
  const auto sampled = [&](int most) {
    const TruncationSample sample(tree, ordered, options, threshold(likely), likely, most,
                                  builder.processes());
    // Without far-field pairs the order only determines the threshold for direct sums.
    if (sample.empty()) return ChosenOrder{likely, options.tolerance};
    for (int order = 2;; ++order) {
      const double reached = sample.relative_error(order) / aim;
      if (reached <= options.tolerance || order == most)
        return ChosenOrder{order, std::max(reached, options.tolerance)};
    }
  };
  for (int tries = 0;; ++tries) {
    // If the lists for the resulting order differ from those for which the pairs were drawn, draw
    // pairs again.
    constexpr int near = 2;
    const int most = std::min(likely + 2 * near, highest);
    ChosenOrder chosen = sampled(most);
    if (chosen.order == most && most < highest) chosen = sampled(highest);
    if (tries == 2 || threshold(chosen.order) == threshold(likely)) return chosen;
    likely = chosen.order;
  }
}

}  // namespace

Plan decide(const Points& points, const Options& options, TreeBuilder& builder,
            const Tuning& tuning) {
  check_options(points, options);
  Plan plan;
  plan.options = options;
  Method& method = plan.options.method;
  const bool tunes = options.leaf_capacity == 0 && tuning.costs;
  int& capacity = plan.options.leaf_capacity;
  if (tunes) capacity = tuning.least_leaf_capacity;
  if (capacity == 0)
    throw InputError("leaf capacity 0 leaves the choice to a backend; use 1 or more");
  if (method != Method::direct) plan.least_edge = far_distance(points, options);
  const int least_capacity = capacity;
  Octree tree = builder.octree(points, capacity, plan.padding, plan.least_edge);
  const auto limited = [&] {
    return method != Method::direct && is_limited(tree, least_capacity, plan.least_edge);
  };
  if (limited()) {
    plan.padding = padding_for(tree.extent, plan.least_edge);
    tree = builder.octree(points, capacity, plan.padding, plan.least_edge);
  }
  // The leaf size is chosen for the likely order, then the order for these leaves.
  const Options expanded = expansion_options(plan.options);
  const LeafCounts counts = builder.counts(tree, capacity);
  int order = likely_orders(expanded, spread_of(counts.branching())).order;
  const auto threshold = [&](int of) {
    // The number of direct pairs that cost as much as one M2P; without costs, the number of
    // coefficients.
    if (!tunes) return coefficient_count(of);
    const PassCosts costs = tuning.costs(of);
    return static_cast<int>(costs.m2p / costs.pair);
  };
  tree = tunes && method == Method::fmm
             ? best_tree(plan, std::move(tree), counts, points, builder, tuning.costs(order))
             : builder.coarse(std::move(tree), capacity);
  if (limited() && leaf_count(tree) <= few_leaves) method = direct_or_throw(plan, points, tree);
  if (options.order == 0 && method != Method::direct) {
    const ChosenOrder chosen =
        choose_order(tree, points, builder, expanded, overlaps(tree, options), threshold, order);
    order = chosen.order;
    plan.kept_tolerance = chosen.kept_tolerance;
  }
  plan.direct_threshold = threshold(order);
  plan.orders = orders_of(order);
  build_tree(plan, std::move(tree));
  if (options.direct_pairs > 0 && plan.leaves.size() <= few_leaves) method = Method::direct;
  if (method != Method::direct && options.tolerance >= tuning.quick_root_from)
    plan.root = Root::quick;
  // The inverse powers of such different distances exceed the range of float.
  if (plan.tree.depth() == max_level) plan.options.precision = Precision::float64;
  return plan;
}

Plan make_plan(const Points& points, const Options& options, TreeBuilder& builder,
               const Tuning& tuning) {
  Plan plan = decide(points, options, builder, tuning);
  build_lists(plan);
  return plan;
}

Plan make_plan(const Points& points, const Options& options) {
  TreeBuilder host;
  return make_plan(points, options, host);
}

Plan make_plan(const Decisions& decisions, Octree tree) {
  Plan plan;
  static_cast<Decisions&>(plan) = decisions;
  build_tree(plan, std::move(tree));
  build_lists(plan);
  return plan;
}

Plan replan(const Decisions& decisions, const Points& points) {
  return make_plan(decisions,
                   build_octree(points.sources, points.targets, decisions.options.leaf_capacity,
                                decisions.padding, decisions.least_edge));
}

OperatorInfo Decisions::info() const {
  OperatorInfo info;
  info.method = options.method;
  info.kernel = options.kernel;
  info.precision = options.precision;
  info.tolerance = options.tolerance;
  info.order = options.method == Method::direct ? 0 : orders.order;
  info.kept_tolerance = options.method == Method::direct ? options.tolerance : kept_tolerance;
  info.leaf_capacity = options.leaf_capacity;
  return info;
}

OperatorInfo Plan::info() const {
  OperatorInfo info = Decisions::info();
  info.depth = tree.depth();
  info.sources = static_cast<std::int64_t>(tree.source_order.size());
  info.targets = static_cast<std::int64_t>(tree.target_order.size());
  info.boxes = static_cast<std::int64_t>(tree.boxes.size());
  info.leaves = static_cast<std::int64_t>(leaves.size());
  const bool fmm = options.method == Method::fmm;
  info.m2l = fmm ? static_cast<std::int64_t>(lists.far.items.size()) : 0;
  if (options.method == Method::direct) {
    info.near_pairs = info.sources * info.targets;
    return info;
  }
  info.near_pairs = parallel_sum(leaves.size(), [&](std::size_t i) {
    std::int64_t sources = 0;
    for (const BoxLists* summed : {&lists.near, &lists.close}) {
      for (const std::int32_t c : summed->row(leaves[i])) sources += tree.boxes[c].source_count();
    }
    return sources * tree.boxes[leaves[i]].target_count();
  });
  return info;
}

template <class T>
LocalPoints<T> local_sources(const Plan& plan, std::span<const Vec3d> sources, int padding) {
  return local_points<T>(plan, sources, plan.tree.source_order, padding, [](const Box& box) {
    return std::pair(box.source_begin, box.source_end);
  });
}

template <class T>
LocalPoints<T> local_targets(const Plan& plan, std::span<const Vec3d> targets, int padding) {
  return local_points<T>(plan, targets, plan.tree.target_order, padding, [](const Box& box) {
    return std::pair(box.target_begin, box.target_end);
  });
}

template LocalPoints<float> local_sources<float>(const Plan&, std::span<const Vec3d>, int);
template LocalPoints<double> local_sources<double>(const Plan&, std::span<const Vec3d>, int);
template LocalPoints<float> local_targets<float>(const Plan&, std::span<const Vec3d>, int);
template LocalPoints<double> local_targets<double>(const Plan&, std::span<const Vec3d>, int);

}  // namespace rankine::fmm
