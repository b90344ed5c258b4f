// What setup decides once, for any backend: tree, lists, orders, and the points in Morton order
// relative to their leaf.
#pragma once

#include <vector>

#include "rankine/fmm/interaction_lists.hpp"
#include "rankine/fmm/kernels/pair_terms.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {

struct Plan {
  Options options;
  Octree tree;
  InteractionLists lists;
  Orders orders;
  Root root = Root::precise;         ///< of the pairs
  std::vector<std::int32_t> leaves;  ///< boxes without children, in Morton order of each level

  /// Box counts and pair counts for OperatorInfo.
  OperatorInfo info() const;
};

/// Builds tree and lists: on the host, or on a device with the same result.
class TreeBuilder {
 public:
  virtual ~TreeBuilder() = default;
  virtual Octree octree(std::span<const Vec3d> sources, std::span<const Vec3d> targets,
                        int leaf_capacity);
  /// Lists of a tree, which need not be of this builder's making.
  virtual InteractionLists lists(const Octree& tree, int direct_threshold);
};

/// Checks the options, builds tree and lists. Where options.leaf_capacity is 0, the FMM takes the
/// best one for the points as `tuning` predicts, the treecode the least; without `tuning` it must
/// be set. Throws InputError for points or options that cannot be used.
Plan make_plan(const Points& points, const Options& options, TreeBuilder& builder,
               const Tuning& tuning = {});
Plan make_plan(const Points& points, const Options& options);

/// Whether a direct sum serves better than the plan that `info` describes: at most
/// options.direct_pairs pairs, or so few leaves that the errors
/// of single translations do not average out.
bool sums_directly(const OperatorInfo& info, const Options& options);

/// Makes the plan a direct sum where sums_directly.
void sum_directly_where_few(Plan& plan);

/// Points in Morton order, each relative to the centre of its leaf, in edges of the root box.
template <class T>
struct LocalPoints {
  std::vector<T> x, y, z;
};

/// `padding` extra entries at the end may be read by SIMD loads.
template <class T>
LocalPoints<T> local_sources(const Plan& plan, std::span<const Vec3d> sources, int padding);
template <class T>
LocalPoints<T> local_targets(const Plan& plan, std::span<const Vec3d> targets, int padding);

}  // namespace rankine::fmm
