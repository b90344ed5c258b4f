// Scratch memory of CUB's device-wide algorithms.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Calls algorithm(scratch, bytes) twice: first for the size of its scratch memory, then to run it.
/// Throws DeviceError with `name` if one of the calls fails.
template <class Algorithm>
void with_scratch(const char* name, const Stream& stream, Algorithm&& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), name);
  DeviceBuffer<std::byte> scratch(bytes, stream);
  check(algorithm(scratch.data(), bytes), name);
}

}  // namespace rankine::gpu
