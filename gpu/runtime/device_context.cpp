#include "rankine/gpu/runtime/device_context.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>

#include "rankine/fmm/core/error.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"

namespace rankine::gpu {
namespace {

std::size_t attribute(cudaMemPool_t pool, cudaMemPoolAttr name) {
  std::uint64_t value = 0;
  check(cudaMemPoolGetAttribute(pool, name, &value), "asking a memory pool for its size");
  return static_cast<std::size_t>(value);
}

std::string gigabytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GB", 1e-9 * static_cast<double>(bytes));
  return text;
}

/// Whether this process has used a device. True if the driver is too old to say so.
bool is_in_use(int device) {
  using GetState = int(int, unsigned*, int*);
  static auto* const get_state = reinterpret_cast<GetState*>(
      ::dlsym(::dlopen("libcuda.so.1", RTLD_NOW), "cuDevicePrimaryCtxGetState"));
  unsigned flags = 0;
  int active = 1;
  if (get_state != nullptr) get_state(device, &flags, &active);
  return active != 0;
}

}  // namespace

DeviceContext::DeviceContext() : device_(current_device()) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;  // the only available type
  properties.location = {cudaMemLocationTypeDevice, device_.index};
  check(cudaMemPoolCreate(&pool_, &properties), "making a memory pool");
  std::uint64_t all = UINT64_MAX;
  const cudaError_t status = cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &all);
  if (status != cudaSuccess) cudaMemPoolDestroy(pool_);
  check(status, "configuring a memory pool");
}

DeviceContext::~DeviceContext() { cudaMemPoolDestroy(pool_); }

std::size_t DeviceContext::available_bytes() const {
  const DeviceScope scope(*this);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the device's free memory");
  return free + attribute(pool_, cudaMemPoolAttrReservedMemCurrent) -
         attribute(pool_, cudaMemPoolAttrUsedMemCurrent);
}

std::size_t DeviceContext::peak_bytes() const {
  return attribute(pool_, cudaMemPoolAttrUsedMemHigh);
}

void DeviceContext::require_memory(std::size_t bytes, const std::string& what,
                                   const std::string& advice) const {
  const std::size_t free = available_bytes();
  if (bytes <= free) return;
  throw DeviceMemoryError(what + " needs " + gigabytes(bytes) + ", but " + device_.name + " has " +
                          gigabytes(free) + " free: " + gigabytes(bytes - free) + " are missing. " +
                          advice);
}

void use_device(int index) { check(cudaSetDevice(index), "choosing a device"); }

DeviceScope::DeviceScope(const DeviceContext& context) : within_(context.device().index) {
  check(cudaGetDevice(&before_), "asking for the current device");
  if (before_ == within_) return;
  check(cudaSetDevice(within_), "choosing a device");
  if (!is_in_use(before_)) before_ = within_;
}

DeviceScope::~DeviceScope() {
  if (before_ != within_) cudaSetDevice(before_);
}

}  // namespace rankine::gpu
