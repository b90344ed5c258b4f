#include "rankine/fmm/distributed/distributed_operator.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/distributed/partition.hpp"

namespace rankine::fmm {
namespace {

/// Properties of the points of all processes.
struct WholeExtent {
  PointsExtent extent;  ///< its numbers of points are those of this process
  std::int64_t sources = 0, targets = 0;
};

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

/// Builds trees with the root of all points for the points of one process.
class WholeTreeBuilder final : public TreeBuilder {
 public:
  explicit WholeTreeBuilder(const PointsExtent& extent) : extent_(extent) {}
  Octree octree(std::span<const Vec3d> sources, std::span<const Vec3d> targets, int leaf_capacity,
                double room, double least_edge) override {
    return divided(make_root(with_counts(extent_, sources.size(), targets.size()), room), sources,
                   targets, leaf_capacity, least_edge);
  }

 private:
  PointsExtent extent_;
};

/// The choice of boxes that each process made for its points, made the same in all: that of the
/// process with most points.
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
  std::array<double, 3> boxes{mine * decisions.options.leaf_capacity, mine * decisions.room,
                              mine * decisions.direct_threshold};
  processes.sum(boxes);
  decisions.options.leaf_capacity = static_cast<int>(boxes[0]);
  decisions.room = boxes[1];
  decisions.direct_threshold = static_cast<int>(boxes[2]);
}

/// True if some process has values.
bool anywhere(Communicator& processes, bool here) {
  std::int64_t count = here ? 1 : 0;
  processes.sum(std::span(&count, 1));
  return count > 0;
}

/// Values that go along a route; empty if no process has values.
template <class T>
std::vector<T> sent(Communicator& processes, const Route& route, std::span<const T> values) {
  if (!anywhere(processes, !values.empty())) return {};
  std::vector<T> arrived(static_cast<std::size_t>(route.arrivals()));
  route.forward(processes, values.data(), 1, arrived.data());
  return arrived;
}

/// The points of a process after all points have gone to their owners.
class OwnedPoints {
 public:
  OwnedPoints() = default;
  /// Sends the points to the owners of their keys; without a partition they stay.
  OwnedPoints(Communicator& processes, const Points& points, bool shared, const Octree& root,
              const Partition* partition)
      : shared_(shared),
        to_sources_(route(processes, points.sources, root, partition)),
        to_targets_(shared ? to_sources_ : route(processes, points.targets, root, partition)),
        sources_(sent(processes, to_sources_, points.sources)),
        normals_(sent(processes, to_sources_, points.normals)),
        core_radii_(sent(processes, to_sources_, points.core_radii)) {
    if (!shared) targets_ = sent(processes, to_targets_, points.targets);
  }

  const Route& to_sources() const { return to_sources_; }
  const Route& to_targets() const { return to_targets_; }
  bool shared() const { return shared_; }
  Points points() const {
    return {sources_, shared_ ? std::span(sources_) : targets_, normals_, core_radii_};
  }

 private:
  static Route route(Communicator& processes, std::span<const Vec3d> points, const Octree& root,
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

  bool shared_ = false;
  Route to_sources_, to_targets_;
  std::vector<Vec3d> sources_, targets_, normals_;  ///< targets are empty if shared
  std::vector<double> core_radii_;
};

/// The route on which every process sends every `stride`-th of its `count` values to all others
/// and, if `itself`, to itself.
Route to_all(Communicator& processes, std::size_t count, std::size_t stride, bool itself) {
  std::vector<std::int64_t> begin = {0};
  std::vector<std::int32_t> index;
  for (int r = 0; r < processes.size(); ++r) {
    for (std::size_t i = 0; (itself || r != processes.rank()) && i < count; i += stride)
      index.push_back(static_cast<std::int32_t>(i));
    begin.push_back(static_cast<std::int64_t>(index.size()));
  }
  return {processes, std::move(begin), std::move(index)};
}

/// The same points in every process, from all of them.
struct PointSample {
  /// Every `stride`-th point of each process.
  PointSample(Communicator& processes, const OwnedPoints& owned, std::size_t stride)
      : shared(owned.shared()) {
    const Points points = owned.points();
    const Route of_sources = to_all(processes, points.sources.size(), stride, true);
    sources = sent(processes, of_sources, points.sources);
    core_radii = sent(processes, of_sources, points.core_radii);
    if (!shared)
      targets = sent(processes, to_all(processes, points.targets.size(), stride, true),
                     points.targets);
  }
  Points points() const {
    return {sources, shared ? std::span(sources) : targets, {}, core_radii};
  }

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

/// Numbers per point of the strengths and of the results of one right-hand side.
constexpr std::array<int, 4> strength_widths{1, 1, 3, 3};
constexpr std::array<int, 5> result_widths{1, 3, 6, 3, 9};

std::array<std::span<const double>, 4> arrays(const Strengths& strengths) {
  return {strengths.charges, strengths.normal_dipoles, strengths.dipoles, strengths.vortices};
}
std::array<std::span<double>, 5> arrays(const Results& results) {
  return {results.potential, results.gradient, results.hessian, results.velocity,
          results.velocity_gradient};
}

class DistributedOperator final : public Operator {
 public:
  DistributedOperator(Communicator& processes, const Points& points, const Options& options,
                      const PartBackend& backend)
      : processes_(processes), backend_(backend) {
    const Stopwatch stopwatch;
    agreed(processes_, [&] { check_options(points, options); });
    has_normals_ = anywhere(processes_, !points.normals.empty());
    decisions_.options = options;
    const WholeExtent whole = whole_extent(processes_, points);
    direct_ = options.method == Method::direct || sums_directly(whole, options);
    place(points, whole);
    if (!direct_) {
      decide_together(whole);
      place(points, whole);  // with the method and the root that were chosen
    }
    build(points, whole, stopwatch);
  }

  void apply(const Strengths& strengths, const Results& results, int rhs) override {
    decisions_.options.execution.run([&] { run(strengths, results, rhs, nullptr); });
  }

  std::vector<PassTime> breakdown(const Strengths& strengths, const Results& results,
                                  int rhs) override {
    std::vector<PassTime> times;
    decisions_.options.execution.run([&] { run(strengths, results, rhs, &times); });
    return times;
  }

  void move(const Points& points, MemorySpace where) override {
    decisions_.options.execution.run([&] {
      const Stopwatch stopwatch;
      agreed(processes_, [&] {
        if (where != MemorySpace::host)
          throw InputError("this operator takes points from the host, not from a device");
        check_move(points, info_, !points.normals.empty());
      });
      const WholeExtent whole = whole_extent(processes_, points);
      place(points, whole);
      build(points, whole, stopwatch);
    });
  }

  void synchronize() override { part_->synchronize(); }
  const OperatorInfo& info() const override { return info_; }

 private:
  static bool sums_directly(const WholeExtent& whole, const Options& options) {
    return options.direct_pairs > 0 &&
           static_cast<double>(whole.sources) * static_cast<double>(whole.targets) <=
               static_cast<double>(options.direct_pairs);
  }

  /// Divides space among the processes and sends the points to their owners.
  void place(const Points& points, const WholeExtent& whole) {
    const bool shared = whole.extent.shared_points;
    const Octree root = make_root(whole.extent, decisions_.room);
    if (direct_) {
      owned_ = OwnedPoints(processes_, points, shared, root, nullptr);
      return;
    }
    std::vector<std::vector<std::uint64_t>> keys;
    const auto add = [&](std::span<const Vec3d> of) {
      std::vector<std::uint64_t>& each = keys.emplace_back(of.size());
      parallel_for(of.size(), [&](std::size_t i) {
        each[i] = morton_key(of[i], root.corner, root.side);
      });
      std::sort(each.begin(), each.end());
    };
    add(points.sources);
    if (!shared) add(points.targets);
    std::vector<WeightedKeys> sets;
    for (const auto& each : keys) sets.push_back({each, {}});
    constexpr std::int64_t fewest = 32;  // points of a box that is not cut
    partition_ = make_partition(processes_, sets, processes_.size(),
                                deepest_level(root.side, decisions_.least_edge), fewest);
    owned_ = OwnedPoints(processes_, points, shared, root, &partition_);
  }

  /// All processes decide alike for the same sample of all points. If that is not all points, the
  /// boxes are chosen by each process for the points that it owns, and the order is that of the
  /// sample in such boxes, since it depends on the number of points in a leaf, not on its edge.
  void decide_together(const WholeExtent& whole) {
    constexpr std::int64_t enough = 1 << 17;
    const std::int64_t stride = std::max<std::int64_t>(
        1, (whole.sources + (owned_.shared() ? 0 : whole.targets) + enough - 1) / enough);
    const PointSample sample(processes_, owned_, static_cast<std::size_t>(stride));
    Options options = decisions_.options;
    const auto decided = [&](const Points& points) {
      Decisions result;
      agreed(processes_, [&] {
        WholeTreeBuilder builder(whole.extent);
        result = decide(points, options, builder, backend_.tuning(options, owned_.shared()));
      });
      return result;
    };
    decisions_ = decided(sample.points());
    direct_ = decisions_.options.method == Method::direct;
    if (direct_ || stride == 1) return;
    const Points own = owned_.points();
    options.direct_pairs = 0;
    options.order = decisions_.orders.order;
    Decisions boxes = decided(own);
    make_equal(processes_, own.sources.size() + own.targets.size(), boxes);
    options.order = decisions_.options.order;
    options.leaf_capacity = boxes.options.leaf_capacity;
    const double least_edge = decisions_.least_edge;
    decisions_ = decided(sample.points());
    decisions_.least_edge = std::max(least_edge, boxes.least_edge);
    decisions_.options.precision = boxes.options.precision;
    decisions_.room = boxes.room;
    decisions_.direct_threshold = boxes.direct_threshold;
  }

  EssentialTree make_tree(const WholeExtent& whole) {
    const Points own = owned_.points();
    EssentialTree essential;
    if (direct_) {
      essential.halo = to_all(processes_, own.sources.size(), 1, false);
      return essential;
    }
    Octree root = make_root(with_counts(whole.extent, own.sources.size(), own.targets.size()),
                            decisions_.room);
    return essential_tree(processes_, partition_,
                          divided(std::move(root), own.sources, own.targets,
                                  decisions_.options.leaf_capacity, decisions_.least_edge,
                                  partition_.range(processes_.rank())));
  }

  Plan make_part_plan(const Points& points, Octree tree) {
    if (!direct_) return make_plan(decisions_, std::move(tree));
    Options options = decisions_.options;
    options.method = Method::direct;
    TreeBuilder host;
    return make_plan(points, options, host, backend_.tuning(options, false));
  }

  /// Halo, tree and lists, and the backend's operator.
  void build(const Points& given, const WholeExtent& whole, const Stopwatch& stopwatch) {
    EssentialTree essential = make_tree(whole);
    halo_ = std::move(essential.halo);
    const Points own = owned_.points();
    const std::vector<Vec3d> sources = with_halo(processes_, halo_, own.sources),
                             normals = with_halo(processes_, halo_, own.normals);
    const std::vector<double> core_radii = with_halo(processes_, halo_, own.core_radii);
    const Points here{sources, own.targets, normals, core_radii};
    Plan plan = make_part_plan(here, std::move(essential.tree));
    if (part_ == nullptr) {
      part_ = backend_.make(here, std::move(plan), std::move(essential.exchange));
    } else {
      part_->move(here, std::move(plan), std::move(essential.exchange));
    }
    info_ = part_->info();
    info_.sources = static_cast<std::int64_t>(given.sources.size());
    info_.targets = static_cast<std::int64_t>(given.targets.size());
    info_.setup_seconds = stopwatch.seconds();
  }

  void run(const Strengths& strengths, const Results& results, int rhs,
           std::vector<PassTime>* times) {
    const auto given = arrays(strengths);
    const auto wanted = arrays(results);
    const auto kinds = kinds_of(strengths, results, rhs);
    const Points own = owned_.points();
    const auto sources = static_cast<std::int64_t>(own.sources.size()),
               targets = static_cast<std::int64_t>(own.targets.size()),
               all = sources + halo_.arrivals();
    std::array<std::vector<double>, 4> here;
    for (std::size_t s = 0; s < here.size(); ++s) {
      if (!kinds[s]) continue;
      const int width = strength_widths[s];
      here[s].resize(static_cast<std::size_t>(rhs * all * width));
      for (int k = 0; k < rhs; ++k) {
        double* const values = here[s].data() + k * all * width;
        owned_.to_sources().forward(processes_, given[s].data() + k * info_.sources * width, width,
                                    values);
        halo_.forward(processes_, values, width, values + sources * width);
      }
    }
    std::array<std::vector<double>, 5> sums;
    for (std::size_t r = 0; r < sums.size(); ++r) {
      if (kinds[4 + r]) sums[r].resize(static_cast<std::size_t>(rhs * targets * result_widths[r]));
    }
    const Strengths part_strengths{here[0], here[1], here[2], here[3]};
    const Results part_results{sums[0], sums[1], sums[2], sums[3], sums[4]};
    if (times != nullptr) {
      *times = part_->breakdown(part_strengths, part_results, rhs);
    } else {
      part_->apply(part_strengths, part_results, rhs);
    }
    part_->synchronize();
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const int width = result_widths[r];
      for (int k = 0; kinds[4 + r] && k < rhs; ++k) {
        owned_.to_targets().backward(processes_, sums[r].data() + k * targets * width, width,
                                     wanted[r].data() + k * info_.targets * width);
      }
    }
  }

  /// Which strengths are given and which results are wanted, in the order of arrays(): processes
  /// without sources or targets cannot know.
  std::array<bool, 9> kinds_of(const Strengths& strengths, const Results& results, int rhs) {
    std::array<double, 9> any{};
    std::size_t i = 0;
    for (const auto& each : arrays(strengths)) any[i++] = each.empty() ? 0.0 : 1.0;
    for (const auto& each : arrays(results)) any[i++] = each.empty() ? 0.0 : 1.0;
    agreed(processes_, [&] { check_part(strengths, results, rhs); });
    processes_.maximum(any);
    std::array<bool, 9> kinds{};
    std::transform(any.begin(), any.end(), kinds.begin(), [](double x) { return x > 0.0; });
    return kinds;
  }

  /// As check_apply, but a process without sources or targets gives empty arrays.
  void check_part(const Strengths& strengths, const Results& results, int rhs) const {
    if (info_.sources > 0 && info_.targets > 0)
      check_apply(strengths, results, rhs, info_, has_normals_);
  }

  Communicator& processes_;
  const PartBackend& backend_;
  Decisions decisions_;
  bool direct_ = false, has_normals_ = false;
  Partition partition_;
  OwnedPoints owned_;
  Route halo_;  ///< of own sources
  std::unique_ptr<PartOperator> part_;
  OperatorInfo info_;  ///< of this process; its numbers of points are the caller's
};

}  // namespace

std::unique_ptr<Operator> make_distributed_operator(Communicator& processes, const Points& points,
                                                    const Options& options,
                                                    const PartBackend& backend) {
  return options.execution.run([&]() -> std::unique_ptr<Operator> {
    return std::make_unique<DistributedOperator>(processes, points, options, backend);
  });
}

}  // namespace rankine::fmm
