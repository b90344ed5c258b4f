// Leaf capacities found by measurement (docs/performance.md); every one can be overridden by
// Options::leaf_capacity.
#pragma once

#include "fmm/operator.hpp"

namespace rankine::fmm {

/// Points a leaf of the CPU operator may hold.
int cpu_leaf_capacity(const Points& points, const Options& options);

/// Throws InputError where apply is asked for nothing, given nothing, or given normal dipoles
/// without normals.
void check_apply(const Strengths& strengths, const Results& results, int rhs, bool has_normals);

}  // namespace rankine::fmm
