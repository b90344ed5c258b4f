// What a device still holds, asked before something large is allocated.
#pragma once

#include <cstddef>
#include <string>

namespace rankine::gpu {

/// Bytes that can still be allocated: free on the device, or kept by the memory pool for reuse.
std::size_t available_bytes();

/// The most bytes that were in use at one time in this process.
std::size_t peak_bytes();

/// Throws DeviceError unless `bytes` for `what` fit: names the device, what is missing, and
/// `advice`, what to change.
void require_memory(std::size_t bytes, const std::string& what, const std::string& advice);

}  // namespace rankine::gpu
