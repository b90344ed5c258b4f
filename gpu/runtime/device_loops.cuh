// Loops over arrays on the device with one thread per element, and exclusive prefix sums.
#pragma once

#include <cub/device/device_scan.cuh>

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/runtime/scratch.cuh"

namespace rankine::gpu {

inline constexpr int loop_threads = 128;

__device__ inline std::int64_t thread_index() {
  return blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}
__device__ inline std::int64_t warp_index() { return thread_index() / 32; }

inline LaunchShape one_thread_each(std::size_t items) {
  return {dim3(blocks_for(items, loop_threads)), dim3(loop_threads)};
}
inline LaunchShape one_warp_each(std::size_t items) {
  return {dim3(blocks_for(items, loop_threads / 32)), dim3(loop_threads)};
}

/// Exclusive prefix sum: values[i] becomes the sum of the values before it.
template <class T>
void sum_before(std::span<T> values, const Stream& stream) {
  with_scratch("scan", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, values.data(), values.data(),
                                         values.size(), stream.handle());
  });
}
template <class T>
void sum_before(DeviceBuffer<T>& values, const Stream& stream) {
  sum_before(values.span(), stream);
}

/// The elements first, first + step, ... on the host. Waits for the stream.
template <class T>
std::vector<T> download_every(const DeviceBuffer<T>& values, std::size_t first, std::size_t step,
                              const Stream& stream) {
  std::vector<T> host((values.size() - first + step - 1) / step);
  const DeviceScope scope(*stream.context());
  check(cudaMemcpy2DAsync(host.data(), sizeof(T), values.data() + first, step * sizeof(T),
                          sizeof(T), host.size(), cudaMemcpyDeviceToHost, stream.handle()),
        "copying from the device");
  stream.synchronize();
  return host;
}

}  // namespace rankine::gpu
