#include "cases/verbs/backend.hpp"

#include "fmm/error.hpp"
#include "gpu/device.hpp"

namespace rankine::cases {

std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, int threads) {
  if (choice == BackendChoice::cuda) {
    throw DeviceError(
        "the CUDA backend is not in this build (found: " +
        (gpu::built_with_cuda() ? gpu::current_device().name : std::string("no CUDA")) +
        "); configure with cmake --preset cuda and build again, or use --backend cpu");
  }
  return bem::make_cpu_backend(threads);
}

}  // namespace rankine::cases
