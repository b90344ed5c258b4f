// The summation operator of fmm/operator.hpp on a CUDA device.
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/tuning.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

// The costs with which leaf capacities and lists are tuned on a CUDA device, measured on an H200
// (docs/performance.md). Other devices have other rates, but about the same ratios.

/// `shared_points`: the sources are the targets, so that near pairs may be summed in both
/// directions at once (gpu/sums/mutual_sums.hpp).
fmm::Tuning tuning(const fmm::Options& options, bool shared_points);

/// Builds the CUDA operator from host points. Strengths and results of apply() are in device
/// memory; the call returns once the work is queued. Throws InputError as the CPU operator does,
/// and DeviceError if no device can be used or its memory does not suffice.
std::unique_ptr<fmm::Operator> make_cuda_operator(const fmm::Points& points,
                                                  const fmm::Options& options,
                                                  std::shared_ptr<const Stream> stream = nullptr);

}  // namespace rankine::gpu
