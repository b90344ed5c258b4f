#include "rankine/gpu/runtime/cuda_check.hpp"

#include <sstream>
#include <string>

#include "rankine/fmm/core/error.hpp"

namespace rankine::gpu {
namespace {

std::string device_name() {
  int index = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&index) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, index) != cudaSuccess) {
    return "no CUDA device";
  }
  return "device " + std::to_string(index) + " (" + properties.name + ")";
}

const char* advice(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "Reduce the number of points or the accuracy, use single precision, or choose "
             "--backend cpu.";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
      return "Check that a device is present and its driver is recent enough (nvidia-smi), or "
             "choose --backend cpu.";
    case cudaErrorNoKernelImageForDevice:
      return "This build holds no code for this device: add its architecture to "
             "CMAKE_CUDA_ARCHITECTURES and rebuild.";
    default:
      return "This is likely a bug: please report it with the output of `rankine info`.";
  }
}

std::string memory_state() {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return "";
  std::ostringstream text;
  text << " " << free / (1 << 20) << " MiB of " << total / (1 << 20) << " MiB are free.";
  return text.str();
}

}  // namespace

void check(cudaError_t status, const char* what, std::source_location where) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  std::ostringstream message;
  message << "CUDA failed: " << what << ": " << cudaGetErrorString(status) << " ("
          << cudaGetErrorName(status) << ") on " << device_name() << ", at " << where.file_name()
          << ":" << where.line() << ".";
  const bool lacks_memory = status == cudaErrorMemoryAllocation;
  if (lacks_memory) message << memory_state();
  message << " " << advice(status);
  if (lacks_memory) throw DeviceMemoryError(message.str());
  throw DeviceError(message.str());
}

void check_launch(const char* kernel, std::source_location where) {
  check(cudaGetLastError(), kernel, where);
}

}  // namespace rankine::gpu
