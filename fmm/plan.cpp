#include "rankine/fmm/plan.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {
namespace {

/// Every leaf sees every leaf: nothing is listed.
InteractionLists direct_lists(const Octree& tree) {
  InteractionLists lists;
  for (BoxLists* each : {&lists.near, &lists.far, &lists.multipole, &lists.local}) {
    each->begin.assign(tree.boxes.size() + 1, 0);
  }
  return lists;
}

/// A box cut by a surface has four or five occupied children, one inside a volume nearly eight.
/// Small trees are taken for volumes, whose orders are the safer.
Spread spread_of(const Octree& tree) {
  constexpr double surface_children = 5.6;
  constexpr std::int64_t enough_boxes = 1000;
  const auto [divided, children] = branching(tree);
  const bool few_children =
      static_cast<double>(children) <= surface_children * static_cast<double>(divided);
  return divided >= enough_boxes && few_children ? Spread::surface : Spread::volume;
}

template <class T, class Range>
LocalPoints<T> local_points(const Plan& plan, std::span<const Vec3d> points,
                            const std::vector<std::int32_t>& order, int padding, Range&& range) {
  LocalPoints<T> local;
  const std::size_t size = points.size() + static_cast<std::size_t>(padding);
  local.x.resize(size);
  local.y.resize(size);
  local.z.resize(size);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t leaf = 0; leaf < plan.leaves.size(); ++leaf) {
    const Box& box = plan.tree.boxes[plan.leaves[leaf]];
    const auto [begin, end] = range(box);
    for (std::int32_t i = begin; i < end; ++i) {
      const Vec3d r = position_in_box(points[order[i]], box, plan.tree.corner, plan.tree.side);
      local.x[i] = static_cast<T>(r.x);
      local.y[i] = static_cast<T>(r.y);
      local.z[i] = static_cast<T>(r.z);
    }
  }
  return local;
}

}  // namespace

Octree TreeBuilder::octree(std::span<const Vec3d> sources, std::span<const Vec3d> targets,
                           int leaf_capacity) {
  return build_octree(sources, targets, leaf_capacity);
}

InteractionLists TreeBuilder::lists(const Octree& tree, int direct_threshold) {
  return build_interaction_lists(tree, direct_threshold);
}

Plan make_plan(const Points& points, const Options& options) {
  TreeBuilder host;
  return make_plan(points, options, host);
}

Plan make_plan(const Points& points, const Options& options, TreeBuilder& builder,
               const Tuning& tuning) {
  Plan plan;
  plan.options = options;
  const bool tunes = options.leaf_capacity == 0 && tuning.costs;
  int& capacity = plan.options.leaf_capacity;
  if (tunes) capacity = tuning.least_leaf_capacity;
  check_options(points, plan.options);
  if (capacity == 0)
    throw InputError("leaf capacity 0 leaves the choice to a backend; use 1 or more");
  plan.tree = builder.octree(points.sources, points.targets, capacity);
  plan.orders = choose_orders(options, spread_of(plan.tree));
  const int order = plan.orders.order;
  const PassCosts costs = tunes ? tuning.costs(order) : PassCosts{};
  if (tunes && options.method == Method::fmm) {
    capacity = best_leaf_capacity(plan.tree, capacity, costs);
    plan.tree = coarsened(std::move(plan.tree), capacity);
  }
  for (std::size_t b = 0; b < plan.tree.boxes.size(); ++b) {
    if (plan.tree.boxes[b].is_leaf()) plan.leaves.push_back(static_cast<std::int32_t>(b));
  }
  if (options.method != Method::direct && options.tolerance >= tuning.quick_root_from)
    plan.root = Root::quick;
  // As many direct pairs as cost what one M2P does; unless known,
  // as many as there are coefficients.
  const int direct_threshold =
      tunes ? static_cast<int>(costs.m2p / costs.pair) : coefficient_count(order);
  switch (plan.options.method) {
    case Method::direct:
      plan.lists = direct_lists(plan.tree);
      break;
    case Method::treecode:
      plan.lists = build_treecode_lists(plan.tree);
      break;
    case Method::fmm:
      plan.lists = builder.lists(plan.tree, direct_threshold);
      break;
  }
  return plan;
}

bool sums_directly(const OperatorInfo& info, const Options& options) {
  if (options.direct_pairs == 0) return false;
  return info.sources * info.targets <= options.direct_pairs || info.leaves <= few_leaves;
}

void sum_directly_where_few(Plan& plan) {
  if (!sums_directly(plan.info(), plan.options)) return;
  plan.options.method = Method::direct;
  plan.root = Root::precise;
  plan.lists = direct_lists(plan.tree);
}

OperatorInfo Plan::info() const {
  OperatorInfo info;
  info.method = options.method;
  info.precision = options.precision;
  info.tolerance = options.tolerance;
  info.order = options.method == Method::direct ? 0 : orders.order;
  info.leaf_capacity = options.leaf_capacity;
  info.depth = tree.depth();
  info.sources = tree.boxes[0].source_count();
  info.targets = tree.boxes[0].target_count();
  info.boxes = static_cast<std::int64_t>(tree.boxes.size());
  info.leaves = static_cast<std::int64_t>(leaves.size());
  info.m2l = static_cast<std::int64_t>(lists.far.items.size());
  std::int64_t pairs = 0;
#pragma omp parallel for schedule(static) reduction(+ : pairs)
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    std::int64_t sources = 0;
    for (const std::int32_t c : lists.near.row(leaves[i])) sources += tree.boxes[c].source_count();
    pairs += sources * tree.boxes[leaves[i]].target_count();
  }
  info.near_pairs = options.method == Method::direct ? info.sources * info.targets : pairs;
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
