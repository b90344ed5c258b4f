// Leaf capacities found by measurement (docs/performance.md); every one can be overridden by
// Options::leaf_capacity.
#pragma once

#include <functional>

#include "fmm/octree.hpp"
#include "fmm/operator.hpp"

namespace rankine::fmm {

/// Points a leaf of the CPU operator may hold.
int cpu_leaf_capacity(const Points& points, const Options& options);

/// Seconds of the pieces of work that leaf capacity trades: on a tree of larger leaves there are
/// more pairs and fewer translations.
struct PassCosts {
  double pair = 0.0;  ///< one source, one target, all right-hand sides
  double m2l = 0.0;   ///< one translation, all right-hand sides
  double m2p = 0.0;   ///< an expansion at a target (M2P) or of a source (P2L)
};

/// What the choices of a backend rest on.
struct Tuning {
  int least_leaf_capacity = 0;                ///< where the search for a leaf capacity begins
  std::function<PassCosts(int order)> costs;  ///< for expansions of `order`
};

/// Seconds of pairs and translations on `tree`, if its leaves held `leaf_capacity` points,
/// estimated from the numbers of its boxes and of their points: in D dimensions a leaf has 3^D
/// neighbours, a box 6^D - 3^D well separated ones. D, between 1 and 3, is log2 of the children of
/// a divided box.
double predicted_seconds(const Octree& tree, int leaf_capacity, const PassCosts& costs);

/// The capacity that is predicted to be fastest, from `least`, with which `tree` was built, to
/// eight times as many.
int best_leaf_capacity(const Octree& tree, int least, const PassCosts& costs);

/// Throws InputError where apply is asked for nothing, given nothing, or given normal dipoles
/// without normals.
void check_apply(const Strengths& strengths, const Results& results, int rhs, bool has_normals);

}  // namespace rankine::fmm
