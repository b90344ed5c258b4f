// Turns failures of the CUDA runtime into DeviceError: what failed and where, on which device, and
// what to do. The pending CUDA error is cleared first, so that a caller that catches can go on.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace rankine::gpu {

/// Throws DeviceError where `status` is not success; `what` names the action that failed.
void check(cudaError_t status, const char* what,
           std::source_location where = std::source_location::current());

/// Throws DeviceError where the launch just made in this thread failed.
void check_launch(const char* kernel, std::source_location where = std::source_location::current());

}  // namespace rankine::gpu
