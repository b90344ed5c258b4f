// What leaf capacities and lists are tuned with on a CUDA device, measured on an H200
// (docs/performance.md). Other devices have other rates, but about the same ratios.
#pragma once

#include "rankine/fmm/tuning.hpp"

namespace rankine::gpu {

/// `shared_points`: sources are targets, whose near pairs may serve both ways (gpu/sums/mutual_sums.hpp).
fmm::Tuning tuning(const fmm::Options& options, bool shared_points);

}  // namespace rankine::gpu
