// Copies from device to shared memory that run in the background (cp.async), 16 bytes at a time.
#pragma once

#include <cstdint>

namespace rankine::gpu {

/// Copies 16 bytes, or writes zeros if `present` is false.
__device__ __forceinline__ void copy_async(void* shared, const void* global, bool present = true) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(global),
               "r"(present ? 16 : 0)
               : "memory");
}

/// Closes the group of copies begun since the last call.
__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until at most `pending` groups of this thread are unfinished.
template <int pending>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace rankine::gpu
