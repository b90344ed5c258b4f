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

Device describe(int index) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "reading the properties of a device");
  return {index,
          properties.name,
          properties.major,
          properties.minor,
          properties.multiProcessorCount,
          properties.totalGlobalMem,
          0};
}

/// Of the current device.
void measure_memory(Device& device) {
  check(cudaMemGetInfo(&device.free_bytes, &device.total_bytes),
        "asking for the device's free memory");
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
  const int count = device_count();
  if (count == 0) return found;
  int current = 0;
  check(cudaGetDevice(&current), "asking for the current device");
  for (int index = 0; index < count; ++index) {
    check(cudaSetDevice(index), "choosing a device");
    measure_memory(found.emplace_back(describe(index)));
  }
  check(cudaSetDevice(current), "choosing a device");
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
  Device device = describe(index);
  measure_memory(device);
  return device;
}

}  // namespace rankine::gpu
