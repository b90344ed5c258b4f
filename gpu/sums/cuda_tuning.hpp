// What leaf capacities and lists are tuned with on a CUDA device, measured on an H200
// (docs/performance.md). Other devices have other rates, but about the same ratios.
#pragma once

#include "rankine/fmm/tuning.hpp"

namespace rankine::gpu {

fmm::Tuning tuning(const fmm::Options& options);

}  // namespace rankine::gpu
