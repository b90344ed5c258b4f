// The choice of the leaf capacity: the numbers of pairs and translations in trees with smaller and
// larger leaves are counted and multiplied by their measured costs on a backend
// (docs/performance.md). Options::leaf_capacity overrides the choice.
#pragma once

#include <functional>
#include <limits>
#include <vector>

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
double dimension_of(const Octree& tree);

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

/// The counts of trees with larger leaves, from one pass over a tree. Capacities up to 128 are
/// tabulated one by one, above that 64 per octave, to limit the number of sums per thread.
class LeafCounts {
 public:
  /// For leaf capacities up to `most`.
  LeafCounts(const Octree& tree, int most);

  /// The counts for the largest tabulated leaf capacity <= `capacity`. For boxes `shrink` times as
  /// large, 1/2 to 1, the counts are predicted: shrink^D times the points per box, and shrink^-D
  /// times the boxes.
  TreeCounts at(int capacity, double shrink = 1.0) const;
  /// dimension_of() the tree.
  double dimension() const { return dimension_; }

 private:
  struct Sums {
    double boxes = 0.0, leaves = 0.0, own_pairs = 0.0, sibling_pairs = 0.0;

    void add(const Sums& other, double sign);
  };
  /// Index of the smallest tabulated capacity for which the box is a leaf.
  std::size_t leaf_from(const Box& box) const;
  void count_siblings(const Octree& tree, const Box& parent, std::vector<Sums>& sums) const;

  int most_;
  std::vector<Sums> sums_;  ///< by index of the tabulated leaf capacities
  double sources_ = 0.0, targets_ = 0.0, dimension_ = 3.0;
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

/// The counts for the choices below; `tree` has leaves of at most `least` points.
LeafCounts leaf_counts(const Octree& tree, int least);

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
