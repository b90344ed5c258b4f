// The only function that launches kernels, so that every launch is checked.
#pragma once

#include <cuda_runtime.h>

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

/// Shape of a launch. `shared_bytes` is dynamic shared memory; launch() increases the kernel's
/// limit if it is more than 48 KiB.
struct LaunchShape {
  dim3 blocks;
  dim3 threads;
  std::size_t shared_bytes = 0;
};

inline unsigned blocks_for(std::size_t items, std::size_t per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
}

/// Launches `kernel` on the device of `stream`. Throws DeviceError if that fails. A launch of no
/// blocks does nothing.
template <class... Parameters, class... Arguments>
void launch(const LaunchSite& site, void (*kernel)(Parameters...), const LaunchShape& shape,
            const Stream& stream, const Arguments&... arguments) {
  if (shape.blocks.x == 0 || shape.blocks.y == 0 || shape.blocks.z == 0) return;
  const DeviceScope scope(*stream.context());
  constexpr std::size_t default_limit = 48 * 1024;
  if (shape.shared_bytes > default_limit) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared_bytes)),
          site.name, site.where);
  }
  kernel<<<shape.blocks, shape.threads, shape.shared_bytes, stream.handle()>>>(arguments...);
  check_launch(site.name, site.where);
}

}  // namespace rankine::gpu
