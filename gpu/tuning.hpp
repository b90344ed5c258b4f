// Leaf capacities of the CUDA operator, found by measurement on an H200 (docs/performance.md);
// Options::leaf_capacity overrides them.
#pragma once

#include "fmm/operator.hpp"

namespace rankine::gpu {

/// Points a leaf may hold, for a method, precision and tolerance.
int leaf_capacity(const fmm::Options& options);

}  // namespace rankine::gpu
