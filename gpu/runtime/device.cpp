#include "rankine/gpu/runtime/device.hpp"

#include <cuda_runtime_api.h>

#include "rankine/fmm/core/error.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"

namespace rankine::gpu {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int device_count() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  return count;
}

Device describe(int index, const cudaDeviceProp& properties) {
  return {.index = index,
          .name = properties.name,
          .major = properties.major,
          .minor = properties.minor,
          .multiprocessors = properties.multiProcessorCount,
          .total_bytes = properties.totalGlobalMem,
          .free_bytes = std::nullopt,
          .trouble = {}};
}

std::string words_of(cudaError_t error) {
  static_cast<void>(cudaGetLastError());
  return cudaGetErrorString(error);
}

/// Sets the free memory of `device`, the current device.
void ask_for_memory(Device& device) {
  std::size_t free = 0, total = 0;
  const cudaError_t error = cudaMemGetInfo(&free, &total);
  if (error == cudaSuccess) {
    device.free_bytes = free;
  } else {
    device.trouble = words_of(error);
  }
}

}  // namespace

bool built_with_cuda() noexcept { return true; }

std::string runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version_text(version) : "";
}

std::string driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version > 0 ? version_text(version) : "";
}

std::vector<Device> devices() {
  std::vector<Device> found;
  int current = -1;
  if (cudaGetDevice(&current) != cudaSuccess) static_cast<void>(cudaGetLastError());
  for (int index = 0; index < device_count(); ++index) {
    cudaDeviceProp properties{};
    const cudaError_t error = cudaGetDeviceProperties(&properties, index);
    Device& device = found.emplace_back(describe(index, properties));
    if (error != cudaSuccess) {
      device.name = "device " + std::to_string(index);
      device.trouble = words_of(error);
    } else if (index == current) {
      ask_for_memory(device);
    }
  }
  return found;
}

bool available() noexcept { return device_count() > 0; }

Device current_device() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "looking for devices");
  if (count == 0) {
    throw DeviceError(
        "no CUDA device was found: check the driver with nvidia-smi, or choose --backend cpu.");
  }
  int index = 0;
  check(cudaGetDevice(&index), "asking for the current device");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "reading the properties of a device");
  Device device = describe(index, properties);
  ask_for_memory(device);
  return device;
}

}  // namespace rankine::gpu
