// How many points a leaf should hold: the pairs and translations of trees with larger and smaller
// leaves, counted, times what they cost on a backend, measured (docs/performance.md).
// Options::leaf_capacity overrides the choice.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Seconds of the pieces of work that leaf capacity trades: on a tree of larger leaves there are
/// more pairs and fewer translations.
struct PassCosts {
  double pair = 0.0;          ///< one source, one target, all right-hand sides
  double m2l = 0.0;           ///< one translation, all right-hand sides
  double m2p = 0.0;           ///< an expansion at a target (M2P) or of a source (P2L)
  double idle_targets = 0.0;  ///< SIMD lanes that a leaf leaves idle, on average
  /// By how much longer a translation takes for every dimension less than three: fewer boxes with
  /// the same relative position fill a pack, and more of them are near and need high orders.
  double m2l_uneven = 0.0;
};

/// What the choices of a backend rest on.
struct Tuning {
  int least_leaf_capacity = 0;                ///< where the search for a leaf capacity begins
  std::function<PassCosts(int order)> costs;  ///< for expansions of `order`
  /// The least tolerance that roots of quick arithmetic keep, far above what one of them errs by.
  double quick_root_from = std::numeric_limits<double>::infinity();
};

/// What the time on a tree is estimated from.
struct TreeCounts {
  double boxes = 0.0, leaves = 0.0;
  double sources = 0.0, targets = 0.0;
  double own_pairs = 0.0;  ///< of the points of a leaf with themselves, all leaves
  /// What leaves have more pairs with siblings that are divided, both ways, than own_pairs of the two say: a
  /// leaf's points meet all points of such a sibling.
  double sibling_pairs = 0.0;
  double dimension = 3.0;  ///< log2 of the mean number of children of a divided box, 1 to 3
};

/// What trees of larger leaves count, all from one pass over a tree. Capacities from 128 on are told apart to one part in
/// 64, lest threads have thousands of sums each.
class LeafCounts {
 public:
  /// For leaves of up to `most` points.
  LeafCounts(const Octree& tree, int most);

  /// The tree with leaves of at most `capacity` points, or of the next lower number that is told apart. For boxes `shrink` times as large, 1/2 to 1,
  /// which cut the points elsewhere, foreseen: shrink^D of the points in a box, more boxes by as
  /// much.
  TreeCounts at(int capacity, double shrink = 1.0) const;
  /// log2 of the mean number of children of boxes that have several, 1 to 3.
  double dimension() const { return dimension_; }

 private:
  struct Sums {
    double boxes = 0.0, leaves = 0.0, own_pairs = 0.0, sibling_pairs = 0.0;

    void add(const Sums& other, double sign);
  };
  /// Of the least capacity told apart that holds the box.
  std::size_t held(const Box& box) const;
  void count_siblings(const Octree& tree, const Box& parent, std::vector<Sums>& sums) const;

  int most_;
  std::vector<Sums> sums_;  ///< by leaf capacity, of those that are told apart
  double sources_ = 0.0, targets_ = 0.0, dimension_ = 3.0;
};

/// So few leaves are not worth translations, whose single errors would not average out: the plan
/// becomes a direct sum.
inline constexpr int few_leaves = 64;

/// Seconds of pairs and translations: in D dimensions a leaf has 3^D neighbours, a box has
/// 6^D - 3^D well separated ones.
double predicted_seconds(const TreeCounts& counts, const PassCosts& costs);

/// The share of its seconds that a prediction must fall to before another root is worth building a
/// tree for: predictions err by a few hundredths in volumes, by more on surfaces and lines.
double worth_building(const LeafCounts& counts);

/// The capacities among which tuning chooses: `least` to eight times as many.
std::vector<int> leaf_capacities(int least);

/// A choice of the root and the leaves of a tree.
struct LeafChoice {
  int capacity = 0;      ///< points a leaf may hold
  double room = 0.0;     ///< of the root around the points (root_edge)
  double seconds = 0.0;  ///< predicted
};

/// What the choices below go by; `tree` was built with leaves of at most `least` points.
LeafCounts leaf_counts(const Octree& tree, int least);

/// The one of leaf_capacities(least) that is predicted to be fastest.
LeafChoice best_leaves(const LeafCounts& counts, int least, const PassCosts& costs);

/// Rooms 1 to 2, with which the points' longest edge is a whole number of boxes on some level.
std::vector<double> root_rooms();

/// The best of root_rooms() and leaf_capacities(least), foreseen from `tree`, whose root has no room, and its counts.
LeafChoice foreseen_leaves(const Octree& tree, const LeafCounts& counts, int least,
                           const PassCosts& costs);

/// What leaves of the CPU operator are tuned with; `shared_points`: sources and targets are the same points in
/// the same order.
Tuning cpu_tuning(const Options& options, bool shared_points);

}  // namespace rankine::fmm
