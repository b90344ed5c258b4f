// The part of a summation problem that belongs to one process: the points that it owns, its tree
// with the halo, and the operator for them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/fmm/distributed/part_operator.hpp"
#include "rankine/fmm/distributed/partition.hpp"
#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {

/// Whether `here` is true in at least one process. Collective.
bool anywhere(Communicator& processes, bool here);

/// Sends values along a route; the result is empty if no process has values.
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
  /// Sends the points to the owners of their keys; without a partition they are not sent. `shared`:
  /// in all processes, sources and targets are the same points.
  OwnedPoints(Communicator& processes, const Points& points, bool shared, const Octree& root,
              const Partition* partition);

  const Route& to_sources() const { return to_sources_; }
  const Route& to_targets() const { return to_targets_; }
  bool shared() const { return shared_; }
  Points points() const {
    return {sources_, shared_ ? std::span(sources_) : targets_, normals_, core_radii_};
  }

 private:
  bool shared_ = false;
  Route to_sources_, to_targets_;
  std::vector<Vec3d> sources_, targets_, normals_;  ///< targets are empty if shared
  std::vector<double> core_radii_;
};

/// Properties of the points of all processes.
struct WholeExtent {
  PointsExtent extent;  ///< its numbers of points are those of this process
  std::int64_t sources = 0, targets = 0;
};

class Part {
 public:
  /// Each process passes some of the points, in any order. All functions are collective. Throws as
  /// make_cpu_operator does; if one process throws, all do.
  Part(Communicator& processes, const Points& points, const Options& options);

  /// Replaces the points, with the same decisions.
  void move(const Points& points);

  void set_order(int order);

  Communicator& processes() const { return processes_; }
  const OwnedPoints& owned() const { return owned_; }
  /// The route of owned sources to halos. The sources of sum() are the owned ones, followed by the
  /// halo.
  const Route& halo() const { return halo_; }
  std::int64_t sources() const { return owned_.to_sources().arrivals() + halo_.arrivals(); }
  std::int64_t targets() const { return owned_.to_targets().arrivals(); }
  /// Its apply() is collective; strengths are those of owned sources and halo, results those of
  /// owned targets.
  PartOperator& sum() const { return *sum_; }
  bool has_normals() const { return has_normals_; }
  /// The largest predicted time of a process over the mean; 1 for a direct sum.
  double imbalance() const { return imbalance_; }

 private:
  void divide(const Points& points, const WholeExtent& whole);
  void place(const Points& points, const WholeExtent& whole, std::span<const double> weights = {});
  void decide_together(const Points& points, const WholeExtent& whole);
  EssentialTree make_tree(const WholeExtent& whole);
  Plan make_part_plan(const Points& points, Octree tree);
  std::vector<double> build(const WholeExtent& whole);
  std::vector<double> weigh(const Plan& plan);

  Communicator& processes_;
  Decisions decisions_;
  bool direct_ = false, has_normals_ = false;
  Partition partition_;
  OwnedPoints owned_;
  /// Padding and least edge for which points with equal weights were placed.
  std::optional<std::array<double, 2>> placed_;
  Route halo_;
  double imbalance_ = 1.0;
  std::unique_ptr<PartOperator> sum_;
};

}  // namespace rankine::fmm
