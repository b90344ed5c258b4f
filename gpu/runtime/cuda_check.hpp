// Converts failures of the CUDA runtime to DeviceError. The message says what failed, where and on
// which device, and what to do. The pending CUDA error is cleared first, so that a caller that
// catches the exception can continue.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace rankine::gpu {

/// Throws DeviceError if `status` is not success; `what` names the action.
void check(cudaError_t status, const char* what,
           std::source_location where = std::source_location::current());

/// Throws DeviceError if this thread's last kernel launch failed.
void check_launch(const char* kernel, std::source_location where = std::source_location::current());

}  // namespace rankine::gpu
