// Scratch memory of CUB's device-wide algorithms.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Calls algorithm(scratch, bytes) twice: for the size of its scratch memory, and to run it. Throws
/// DeviceError with `name` where either fails.
template <class Algorithm>
void with_scratch(const char* name, const Stream& stream, Algorithm&& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), name);
  DeviceBuffer<std::byte> scratch(bytes, stream);
  check(algorithm(scratch.data(), bytes), name);
}

}  // namespace rankine::gpu
