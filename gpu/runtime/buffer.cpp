#include "rankine/gpu/runtime/buffer.hpp"

#include <cuda_runtime_api.h>

#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/staging.hpp"

namespace rankine::gpu {

void* allocate_bytes(std::size_t bytes, const Stream& stream) {
  void* pointer = nullptr;
  const DeviceContext& context = *stream.context();
  const cudaError_t status =
      cudaMallocFromPoolAsync(&pointer, bytes, context.pool(), stream.handle());
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    context.require_memory(
        bytes, "The next array",
        "Reduce the number of points or the accuracy, use single precision, or choose "
        "--backend cpu.");
  }
  check(status, "allocating device memory");
  return pointer;
}

void free_bytes(void* pointer, CUstream_st* stream) noexcept { cudaFreeAsync(pointer, stream); }

void upload_bytes(void* device, const void* host, std::size_t bytes, const Stream& stream) {
  const DeviceScope scope(*stream.context());
  if (bytes >= Staging::least_bytes) {
    stream.staging().upload(device, host, bytes, stream);
    return;
  }
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream.handle()),
        "copying to the device");
}

void download_bytes(void* host, const void* device, std::size_t bytes, const Stream& stream) {
  const DeviceScope scope(*stream.context());
  if (bytes >= Staging::least_bytes) {
    stream.staging().download(host, device, bytes, stream);
    return;
  }
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream.handle()),
        "copying from the device");
}

void copy_bytes(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  const DeviceScope scope(*stream.context());
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream.handle()),
        "copying on the device");
}

void zero_bytes(void* device, std::size_t bytes, const Stream& stream) {
  const DeviceScope scope(*stream.context());
  check(cudaMemsetAsync(device, 0, bytes, stream.handle()), "clearing device memory");
}

}  // namespace rankine::gpu
