// The plan of an operator on any backend: tree, lists, orders, and the points in Morton order
// relative to their leaf.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/kernels/pair_terms.hpp"
#include "rankine/fmm/morton_points.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {

/// Decisions made for the first points and kept when points move.
struct Decisions {
  Options options;  ///< with the chosen method and leaf capacity
  Orders orders;
  double padding = 0.0;         ///< padding of the root around the points (root_edge)
  double least_edge = 0.0;      ///< smallest edge of boxes, metres: far_distance
  double kept_tolerance = 0.0;  ///< as in OperatorInfo
  Root root = Root::precise;    ///< for the pairs
  int direct_threshold = 0;     ///< number of pairs that cost as much as one expansion at a point

  /// Information without counts.
  OperatorInfo info() const;
};

struct Plan : Decisions {
  // Built from the points. A direct sum has no lists: every leaf is paired with every leaf.
  Octree tree;
  /// Leaves whose points are in this process, in Morton order of each level.
  std::vector<std::int32_t> leaves;
  InteractionLists lists;

  /// Information with numbers of boxes and pairs.
  OperatorInfo info() const;
  /// The kernel of the pair loops.
  PairKernel pair_kernel() const { return {options.kernel, options.softening / tree.side}; }
};

/// Builds trees: on the host, or on a device with the same result.
class TreeBuilder {
 public:
  virtual ~TreeBuilder() = default;
  /// Builds a tree with the same result as build_octree. A builder on a device returns only the
  /// first box, unless the smallest boxes are as small as they may be.
  virtual Octree octree(const Points& points, int leaf_capacity, double padding, double least_edge);
  /// leaf_counts() of such a tree.
  virtual LeafCounts counts(const Octree& tree, int least);
  /// coarsened() of such a tree, with all boxes.
  virtual Octree coarse(Octree tree, int leaf_capacity);
  /// The points in the order of a tree that this object built for them.
  virtual MortonPoints ordered(const Octree& tree, const Points& points);
  /// Processes that all make the decisions for the same points, and divide some of the work for
  /// them; null: there are no others.
  virtual Communicator* processes() const { return nullptr; }
};

/// The direct sum for at most options.direct_pairs pairs, otherwise options.method.
Method choose_method(const Points& points, const Options& options);

/// Checks the options, builds the tree and makes all decisions; lists remain empty. If
/// options.leaf_capacity is 0, the FMM uses the capacity with the smallest predicted time, other
/// methods the smallest one of `tuning`; without `tuning` it must be set. For at most few_leaves
/// leaves the method becomes a direct sum, unless options.direct_pairs is 0. Throws InputError for
/// points or options that cannot be used.
Plan decide(const Points& points, const Options& options, TreeBuilder& builder,
            const Tuning& tuning = {});

/// The same with lists, which are built on the host.
Plan make_plan(const Points& points, const Options& options, TreeBuilder& builder,
               const Tuning& tuning = {});
Plan make_plan(const Points& points, const Options& options);

/// The plan with these decisions for a tree that was built with them.
Plan make_plan(const Decisions& decisions, Octree tree);

/// Builds tree and lists for other points with the same decisions.
Plan replan(const Decisions& decisions, const Points& points);

/// Points in Morton order, each relative to the centre of its leaf, in units of the root box edge.
template <class T>
struct LocalPoints {
  AlignedVector<T> x, y, z;

  /// `size` uninitialised points, followed by `padding` zeros.
  void resize(std::size_t size, int padding) {
    for (AlignedVector<T>* each : {&x, &y, &z}) {
      each->resize(size + static_cast<std::size_t>(padding));
      std::fill(each->begin() + static_cast<std::ptrdiff_t>(size), each->end(), T(0));
    }
  }
};

/// SIMD loads may read the `padding` extra entries at the end.
template <class T>
LocalPoints<T> local_sources(const Plan& plan, std::span<const Vec3d> sources, int padding);
template <class T>
LocalPoints<T> local_targets(const Plan& plan, std::span<const Vec3d> targets, int padding);

}  // namespace rankine::fmm
