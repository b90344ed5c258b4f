// The costs with which leaf capacities and lists are tuned on a CUDA device, measured on an H200
// (docs/performance.md). Other devices have other rates, but about the same ratios.
#pragma once

#include "rankine/fmm/tuning.hpp"

namespace rankine::gpu {

/// `shared_points`: the sources are the targets, so that near pairs may be summed in both
/// directions at once (gpu/sums/mutual_sums.hpp).
fmm::Tuning tuning(const fmm::Options& options, bool shared_points);

}  // namespace rankine::gpu
