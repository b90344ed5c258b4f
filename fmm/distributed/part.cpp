#include "rankine/fmm/distributed/part.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"
#include "rankine/fmm/distributed/work.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {
namespace {

WholeExtent whole_extent(Communicator& processes, const Points& points) {
  WholeExtent whole;
  agreed(processes, [&] { whole.extent = extent_of(points.sources, points.targets); });
  std::array<double, 6> ends;
  for (int axis = 0; axis < 3; ++axis) {
    ends[axis] = -whole.extent.box.lower[axis];
    ends[3 + axis] = whole.extent.box.upper[axis];
  }
  processes.maximum(ends);
  for (int axis = 0; axis < 3; ++axis) {
    whole.extent.box.lower[axis] = -ends[axis];
    whole.extent.box.upper[axis] = ends[3 + axis];
  }
  std::array<std::int64_t, 3> counts{static_cast<std::int64_t>(points.sources.size()),
                                     static_cast<std::int64_t>(points.targets.size()),
                                     whole.extent.shared_points ? 1 : 0};
  processes.sum(counts);
  whole.sources = counts[0];
  whole.targets = counts[1];
  whole.extent.shared_points = counts[2] == processes.size();
  return whole;
}

PointsExtent with_counts(PointsExtent extent, std::size_t sources, std::size_t targets) {
  extent.sources = static_cast<std::int32_t>(sources);
  extent.targets = static_cast<std::int32_t>(targets);
  return extent;
}

/// Builds trees of the points of one process, with the root box of all points.
class WholeTreeBuilder final : public TreeBuilder {
 public:
  /// `room`: padding of the root for trees for which no padding is requested.
  explicit WholeTreeBuilder(const PointsExtent& extent, double room = 0.0)
      : extent_(extent), room_(room) {}
  Octree octree(const Points& points, int leaf_capacity, double room, double least_edge) override {
    return divided(make_root(with_counts(extent_, points.sources.size(), points.targets.size()),
                             room > 0.0 ? room : room_),
                   points.sources, points.targets, leaf_capacity, least_edge);
  }

 private:
  PointsExtent extent_;
  double room_;
};

/// Makes the processes' choices of boxes equal: that of the process with most points is used.
void make_equal(Communicator& processes, std::size_t points, Decisions& decisions) {
  std::array<double, 2> highest{decisions.least_edge,
                                decisions.options.precision == Precision::float64 ? 1.0 : 0.0};
  processes.maximum(highest);
  decisions.least_edge = highest[0];
  if (highest[1] > 0.0) decisions.options.precision = Precision::float64;
  std::vector<double> sizes(static_cast<std::size_t>(processes.size()), 0.0);
  sizes[static_cast<std::size_t>(processes.rank())] = static_cast<double>(points);
  processes.sum(sizes);
  const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  const double mine = processes.rank() == largest ? 1.0 : 0.0;
  std::array<double, 3> boxes{mine * decisions.options.leaf_capacity, mine * decisions.padding,
                              mine * decisions.direct_threshold};
  processes.sum(boxes);
  decisions.options.leaf_capacity = static_cast<int>(boxes[0]);
  decisions.padding = boxes[1];
  decisions.direct_threshold = static_cast<int>(boxes[2]);
}

/// Points are divided again, by the work that the first division gave them, if the busiest process
/// has this many times the mean.
constexpr double worth_dividing_again = 1.1;

/// Morton keys in order, with the weights of their points.
struct SortedKeys {
  AlignedVector<std::uint64_t> keys;
  std::vector<double> weights;  ///< empty: 1 each

  SortedKeys(std::span<const Vec3d> points, std::span<const double> weight_of, const Octree& root) {
    keys.resize(points.size());
    parallel_for(points.size(),
                 [&](std::size_t i) { keys[i] = morton_key(points[i], root.corner, root.side); });
    AlignedVector<std::int32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    radix_sort(keys, order, 3 * max_level);
    weights.resize(weight_of.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = weight_of[static_cast<std::size_t>(order[i])];
  }
};

/// The route that sends one of every `stride` of the `count` values of every process to all others
/// and, if `itself`, to the process itself. Which one changes from place to place, since points may
/// be in rows of any length.
Route to_all(Communicator& processes, std::size_t count, std::size_t stride, bool itself) {
  std::vector<std::int64_t> begin = {0};
  std::vector<std::int32_t> index;
  for (int r = 0; r < processes.size(); ++r) {
    for (std::size_t i = 0; (itself || r != processes.rank()) && i < count; i += stride) {
      const std::size_t mixed = i / stride * 2654435761u >> 16;
      index.push_back(static_cast<std::int32_t>(i + mixed % std::min(stride, count - i)));
    }
    begin.push_back(static_cast<std::int64_t>(index.size()));
  }
  return {processes, std::move(begin), std::move(index)};
}

/// A sample of the points of all processes, the same in every process.
struct PointSample {
  /// One of every `stride` points of each process. `one_set`: sources and targets are the same.
  PointSample(Communicator& processes, const Points& points, bool one_set, std::size_t stride)
      : shared(one_set) {
    const Route of_sources = to_all(processes, points.sources.size(), stride, true);
    sources = sent(processes, of_sources, points.sources.on_host());
    core_radii = sent(processes, of_sources, points.core_radii);
    if (!shared)
      targets = sent(processes, to_all(processes, points.targets.size(), stride, true),
                     points.targets.on_host());
  }
  Points points() const { return {sources, shared ? std::span(sources) : targets, {}, core_radii}; }

  bool shared;
  std::vector<Vec3d> sources, targets;
  std::vector<double> core_radii;
};

/// Own values followed by those of the halo; empty if no process has values.
template <class T>
std::vector<T> with_halo(Communicator& processes, const Route& halo, std::span<const T> own) {
  if (!anywhere(processes, !own.empty())) return {};
  std::vector<T> all(own.begin(), own.end());
  all.resize(own.size() + static_cast<std::size_t>(halo.arrivals()));
  halo.forward(processes, own.data(), 1, all.data() + own.size());
  return all;
}

bool sums_directly(const WholeExtent& whole, const Options& options) {
  return options.direct_pairs > 0 &&
         static_cast<double>(whole.sources) * static_cast<double>(whole.targets) <=
             static_cast<double>(options.direct_pairs);
}

Route route_to_owners(Communicator& processes, std::span<const Vec3d> points, const Octree& root,
                      const Partition* partition) {
  const auto size = static_cast<std::size_t>(processes.size());
  std::vector<std::size_t> owner(points.size(), static_cast<std::size_t>(processes.rank()));
  if (partition != nullptr) {
    parallel_for(points.size(), [&](std::size_t i) {
      const std::uint64_t key = morton_key(points[i], root.corner, root.side);
      owner[i] = static_cast<std::size_t>(partition->owner(key));
    });
  }
  std::vector<std::int64_t> begin(size + 1, 0);
  for (const std::size_t r : owner) ++begin[r + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int64_t> next = begin;
  std::vector<std::int32_t> index(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    index[static_cast<std::size_t>(next[owner[i]]++)] = static_cast<std::int32_t>(i);
  return {processes, std::move(begin), std::move(index)};
}

}  // namespace

bool anywhere(Communicator& processes, bool here) {
  std::int64_t count = here ? 1 : 0;
  processes.sum(std::span(&count, 1));
  return count > 0;
}

OwnedPoints::OwnedPoints(Communicator& processes, const Points& points, bool shared,
                         const Octree& root, const Partition* partition)
    : shared_(shared),
      to_sources_(route_to_owners(processes, points.sources, root, partition)),
      to_targets_(shared ? to_sources_
                         : route_to_owners(processes, points.targets, root, partition)),
      sources_(sent(processes, to_sources_, points.sources.on_host())),
      normals_(sent(processes, to_sources_, points.normals.on_host())),
      core_radii_(sent(processes, to_sources_, points.core_radii)) {
  if (!shared) targets_ = sent(processes, to_targets_, points.targets.on_host());
}

Part::Part(Communicator& processes, const Points& points, const Options& options)
    : processes_(processes) {
  agreed(processes_, [&] { check_options(points, options); });
  has_normals_ = anywhere(processes_, !points.normals.empty());
  decisions_.options = options;
  const WholeExtent whole = whole_extent(processes_, points);
  direct_ = options.method == Method::direct || sums_directly(whole, options);
  if (!direct_) decide_together(points, whole);
  divide(points, whole);  // with the chosen method and root
}

void Part::move(const Points& points) {
  const WholeExtent whole = whole_extent(processes_, points);
  place(points, whole);
  divide(points, whole);
}

void Part::set_order(int order) {
  decisions_.orders = orders_of(order);
  agreed(processes_, [&] { sum_->set_order(order); });
}

/// At first equally, then by the work that this division gave to the points, if it is uneven.
void Part::divide(const Points& points, const WholeExtent& whole) {
  if (placed_ != std::array{decisions_.padding, decisions_.least_edge}) place(points, whole);
  const std::vector<double> weights = build(whole);
  if (imbalance_ <= worth_dividing_again) return;
  place(points, whole, weights);
  placed_.reset();
  build(whole);
}

/// Divides space among the processes, by the weights of the targets if there are any, and sends the
/// points to their owners. Sources that are not targets weigh as much as the mean target.
void Part::place(const Points& points, const WholeExtent& whole, std::span<const double> weights) {
  placed_ = {decisions_.padding, decisions_.least_edge};
  const bool shared = whole.extent.shared_points;
  const Octree root = make_root(whole.extent, decisions_.padding);
  if (direct_) {
    owned_ = OwnedPoints(processes_, points, shared, root, nullptr);
    return;
  }
  std::vector<SortedKeys> keys;
  keys.emplace_back(points.targets, weights, root);
  if (!shared) keys.emplace_back(points.sources, std::span<const double>{}, root);
  std::vector<WeightedKeys> sets;
  for (const SortedKeys& each : keys) sets.push_back({each.keys, each.weights});
  constexpr std::int64_t fewest = 32;  // boxes with at most this number of points are not divided
                                       // among processes
  partition_ = make_partition(processes_, sets, processes_.size(),
                              deepest_level(root.side, decisions_.least_edge), fewest);
  owned_ = OwnedPoints(processes_, points, shared, root, &partition_);
}

/// All processes make the same decisions, for the same sample of all points. If the sample does not
/// contain all points, each process chooses the boxes for the points that it owns then. The order
/// is then that of the sample in leaves with the same number of points, since the order depends on
/// that number and not on the edge of a leaf.
void Part::decide_together(const Points& points, const WholeExtent& whole) {
  constexpr std::int64_t enough = 1 << 17;
  const bool shared = whole.extent.shared_points;
  const std::int64_t stride = std::max<std::int64_t>(
      1, (whole.sources + (shared ? 0 : whole.targets) + enough - 1) / enough);
  const PointSample sample(processes_, points, shared, static_cast<std::size_t>(stride));
  Options options = decisions_.options;
  const auto decided = [&](const Points& these, double room) {
    Decisions result;
    agreed(processes_, [&] {
      WholeTreeBuilder builder(whole.extent, room);
      result = decide(these, options, builder, cpu_tuning(options, shared));
    });
    return result;
  };
  decisions_ = decided(sample.points(), 0.0);
  direct_ = decisions_.options.method == Method::direct;
  if (direct_ || stride == 1) return;
  place(points, whole);
  const Points own = owned_.points();
  options.direct_pairs = 0;
  options.order = decisions_.orders.order;
  Decisions boxes = decided(own, 0.0);
  make_equal(processes_, own.sources.size() + own.targets.size(), boxes);
  options.order = decisions_.options.order;
  options.leaf_capacity = boxes.options.leaf_capacity;
  const double least_edge = decisions_.least_edge;
  decisions_ = decided(sample.points(), boxes.padding);
  decisions_.least_edge = std::max(least_edge, boxes.least_edge);
  decisions_.options.precision = boxes.options.precision;
  decisions_.padding = boxes.padding;
  decisions_.direct_threshold = boxes.direct_threshold;
}

EssentialTree Part::make_tree(const WholeExtent& whole) {
  const Points own = owned_.points();
  EssentialTree essential;
  if (direct_) {
    essential.halo = to_all(processes_, own.sources.size(), 1, false);
    return essential;
  }
  Octree root = make_root(with_counts(whole.extent, own.sources.size(), own.targets.size()),
                          decisions_.padding);
  return essential_tree(
      processes_, partition_,
      divided(std::move(root), own.sources, own.targets, decisions_.options.leaf_capacity,
              decisions_.least_edge, partition_.range(processes_.rank())));
}

Plan Part::make_part_plan(const Points& points, Octree tree) {
  if (!direct_) return make_plan(decisions_, std::move(tree));
  Options options = decisions_.options;
  options.method = Method::direct;
  TreeBuilder host;
  return make_plan(points, options, host, cpu_tuning(options, false));
}

/// Builds halo, tree and lists, and the operator. Returns the weights of the targets.
std::vector<double> Part::build(const WholeExtent& whole) {
  EssentialTree essential = make_tree(whole);
  halo_ = std::move(essential.halo);
  const Points own = owned_.points();
  const std::vector<Vec3d> sources = with_halo(processes_, halo_, own.sources.on_host()),
                           normals = with_halo(processes_, halo_, own.normals.on_host());
  const std::vector<double> core_radii = with_halo(processes_, halo_, own.core_radii);
  const Points here{sources, own.targets, normals, core_radii};
  Plan plan = make_part_plan(here, std::move(essential.tree));
  std::vector<double> weights;
  if (!direct_) weights = weigh(plan);
  if (sum_ == nullptr) {
    sum_ = make_part_operator(here, std::move(plan), std::move(essential.exchange));
  } else {
    sum_->move(here, std::move(plan), std::move(essential.exchange));
  }
  return weights;
}

/// The predicted work of each target that was passed to this process; the mean of all is 1.
std::vector<double> Part::weigh(const Plan& plan) {
  const std::vector<double> own = seconds_per_target(
      plan, cpu_tuning(decisions_.options, owned_.shared()).costs(decisions_.orders.order));
  const double mine = std::accumulate(own.begin(), own.end(), 0.0);
  std::array<double, 2> total{mine, static_cast<double>(own.size())};
  processes_.sum(total);
  double most = mine;
  processes_.maximum(std::span(&most, 1));
  imbalance_ = total[0] > 0.0 ? most * processes_.size() / total[0] : 1.0;
  const Route& route = owned_.to_targets();
  std::vector<double> weights(route.index().size());
  route.backward(processes_, own.data(), 1, weights.data());
  for (double& each : weights) each *= total[1] / total[0];
  return weights;
}

}  // namespace rankine::fmm
