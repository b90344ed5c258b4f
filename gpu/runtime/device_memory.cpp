#include "rankine/gpu/runtime/device_memory.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>

#include "rankine/fmm/core/error.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/device.hpp"

namespace rankine::gpu {
namespace {

cudaMemPool_t pool() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  cudaMemPool_t handle = nullptr;
  check(cudaDeviceGetDefaultMemPool(&handle, device), "asking for the device's memory pool");
  return handle;
}

std::size_t pool_attribute(cudaMemPoolAttr attribute) {
  std::uint64_t value = 0;
  check(cudaMemPoolGetAttribute(pool(), attribute, &value), "asking the memory pool for its size");
  return static_cast<std::size_t>(value);
}

std::string gigabytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GB", 1e-9 * static_cast<double>(bytes));
  return text;
}

}  // namespace

std::size_t available_bytes() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the device's free memory");
  return free + pool_attribute(cudaMemPoolAttrReservedMemCurrent) -
         pool_attribute(cudaMemPoolAttrUsedMemCurrent);
}

std::size_t peak_bytes() { return pool_attribute(cudaMemPoolAttrUsedMemHigh); }

void require_memory(std::size_t bytes, const std::string& what, const std::string& advice) {
  const std::size_t free = available_bytes();
  if (bytes <= free) return;
  throw DeviceError(what + " needs " + gigabytes(bytes) + ", but " + current_device().name +
                    " has " + gigabytes(free) + " free: " + gigabytes(bytes - free) +
                    " are missing. " + advice);
}

}  // namespace rankine::gpu
