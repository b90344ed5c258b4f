// The choice of the leaf capacity: the numbers of pairs and translations in trees with smaller and
// larger leaves are counted and multiplied by their measured costs on a backend
// (docs/performance.md). Options::leaf_capacity overrides the choice.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "rankine/fmm/leaf_sums.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Seconds of the two kinds of work that depend on the leaf capacity: larger leaves have more pairs
/// and fewer translations.
struct PassCosts {
  double pair = 0.0;  ///< one source, one target, all right-hand sides
  double m2l = 0.0;   ///< one translation, all right-hand sides
  double m2p = 0.0;   ///< an expansion at a target (M2P) or of a source (P2L)
  /// Relative increase of m2l for every dimension less than three: fewer boxes have the same
  /// relative position and share a pack, and more of them are near and need high orders.
  double m2l_uneven = 0.0;
};

/// The properties of a backend on which its choices depend.
struct Tuning {
  int least_leaf_capacity = 0;                ///< where the search for a leaf capacity begins
  std::function<PassCosts(int order)> costs;  ///< for expansions of `order`
  /// The smallest tolerance that Root::quick meets, far above the error of a single root.
  double quick_root_from = std::numeric_limits<double>::infinity();
};

/// log2 of the mean number of children of boxes that have several, 1 to 3: about 1 for points on a
/// line, 2 on a surface and 3 in a volume.
double dimension_of(const Branching& branching);
inline double dimension_of(const Octree& tree) { return dimension_of(branching(tree)); }

/// The mean number of children of such boxes.
inline double children_of(const Branching& branching) {
  return std::pow(2.0, dimension_of(branching));
}

/// The counts of a tree from which its time is estimated.
struct TreeCounts {
  double boxes = 0.0, leaves = 0.0;
  double sources = 0.0, targets = 0.0;
  double own_pairs = 0.0;  ///< pairs of the points of a leaf with themselves, over all leaves
  /// Pairs of leaves with divided siblings, in both directions, in excess of the number predicted
  /// from own_pairs: a leaf is paired with all points of such a sibling.
  double sibling_pairs = 0.0;
  double dimension = 3.0;  ///< dimension_of() the tree
};

/// The counts of trees with larger leaves, from one pass over a tree.
class LeafCounts {
 public:
  /// For leaf capacities up to `most`.
  LeafCounts(const Octree& tree, int most);
  /// From the sums over the boxes of a tree: what CountedBoxes adds, less what ends, by tabulated
  /// capacity. `root`: its first box.
  LeafCounts(const Box& root, const Branching& branching, int most, std::vector<LeafSums> sums);

  /// The counts for the largest tabulated leaf capacity <= `capacity`. For boxes `shrink` times as
  /// large, 1/2 to 1, the counts are predicted: shrink^D times the points per box, and shrink^-D
  /// times the boxes.
  TreeCounts at(int capacity, double shrink = 1.0) const;
  const Branching& branching() const { return branching_; }
  /// dimension_of() the tree.
  double dimension() const { return dimension_of(branching_); }

 private:
  int most_;
  Branching branching_;
  std::vector<LeafSums> sums_;  ///< by index of the tabulated leaf capacities
  double sources_ = 0.0, targets_ = 0.0;
};

/// Trees with at most this number of leaves are replaced by a direct sum, since the errors of
/// single translations would not average out.
inline constexpr int few_leaves = 64;

/// Predicted seconds of pairs and translations: in D dimensions a leaf has 3^D neighbours, and a
/// box has 6^D - 3^D well separated boxes on its list.
double predicted_seconds(const TreeCounts& counts, const PassCosts& costs);

/// Another tree is built if the time predicted for another root is below this fraction of the
/// predicted time.
double worth_building(const LeafCounts& counts);

/// The capacities among which tuning chooses: `least` to eight times as many.
std::vector<int> leaf_capacities(int least);

/// A choice of the root and the leaves of a tree.
struct LeafChoice {
  int capacity = 0;      ///< largest number of points in a leaf
  double padding = 0.0;  ///< padding of the root around the points (root_edge)
  double seconds = 0.0;  ///< predicted
};

/// The largest capacity that is counted for the choices below, in a tree with leaves of at most
/// `least` points.
int most_counted(int least);
inline LeafCounts leaf_counts(const Octree& tree, int least) { return {tree, most_counted(least)}; }

/// The capacity of leaf_capacities(least) with the smallest predicted time.
LeafChoice best_leaves(const LeafCounts& counts, int least, const PassCosts& costs);

/// Paddings from 1 to 2 for which the longest edge of the points is an integer number of boxes on
/// some level.
std::vector<double> root_paddings();

/// The best of root_paddings() and leaf_capacities(least), predicted from the counts of `tree`,
/// whose root has no padding.
LeafChoice foreseen_leaves(const Octree& tree, const LeafCounts& counts, int least,
                           const PassCosts& costs);

/// The tuning of the CPU operator; `shared_points`: sources and targets are the same points in the
/// same order.
Tuning cpu_tuning(const Options& options, bool shared_points);

}  // namespace rankine::fmm
