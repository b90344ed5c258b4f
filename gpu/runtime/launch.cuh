// The only function that launches kernels, so that every launch is checked.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <source_location>

#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// A kernel's name and the source location of its launch, for error messages.
struct LaunchSite {
  const char* name;
  std::source_location where;

  LaunchSite(const char* kernel_name, std::source_location place = std::source_location::current())
      : name(kernel_name), where(place) {}
};

/// Shape of a launch. `shared_bytes` is dynamic shared memory.
struct LaunchShape {
  dim3 blocks;
  dim3 threads;
  std::size_t shared_bytes = 0;
};

inline unsigned blocks_for(std::size_t items, std::size_t per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
}

/// Allows a kernel as much dynamic shared memory as the device has, if it needs more than the
/// 48 KiB that are always allowed. The limit does not depend on the launch, so that threads may
/// launch a kernel with different amounts at the same time.
template <class... Parameters>
void allow_shared_memory(const LaunchSite& site, void (*kernel)(Parameters...), std::size_t bytes) {
  constexpr std::size_t always = 48 * 1024;
  if (bytes <= always) return;
  int device = 0, most = 0;
  check(cudaGetDevice(&device), site.name, site.where);
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), site.name,
        site.where);
  cudaFuncAttributes of_kernel{};
  check(cudaFuncGetAttributes(&of_kernel, kernel), site.name, site.where);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             most - static_cast<int>(of_kernel.sharedSizeBytes)),
        site.name, site.where);
}

/// The number of blocks of a kernel that the current device executes at the same time, at least one
/// per multiprocessor.
template <class... Parameters>
std::size_t blocks_at_once(const LaunchSite& site, void (*kernel)(Parameters...), int threads,
                           std::size_t shared_bytes) {
  allow_shared_memory(site, kernel, shared_bytes);
  int device = 0, multiprocessors = 0, resident = 0;
  check(cudaGetDevice(&device), site.name, site.where);
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), site.name,
        site.where);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes),
        site.name, site.where);
  return static_cast<std::size_t>(std::max(resident, 1)) *
         static_cast<std::size_t>(multiprocessors);
}

/// Launches `kernel` on the device of `stream`. Throws DeviceError if that fails. A launch of no
/// blocks does nothing.
template <class... Parameters, class... Arguments>
void launch(const LaunchSite& site, void (*kernel)(Parameters...), const LaunchShape& shape,
            const Stream& stream, const Arguments&... arguments) {
  if (shape.blocks.x == 0 || shape.blocks.y == 0 || shape.blocks.z == 0) return;
  const DeviceScope scope(*stream.context());
  allow_shared_memory(site, kernel, shape.shared_bytes);
  kernel<<<shape.blocks, shape.threads, shape.shared_bytes, stream.handle()>>>(arguments...);
  check_launch(site.name, site.where);
}

}  // namespace rankine::gpu
