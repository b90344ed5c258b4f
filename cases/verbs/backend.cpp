#include "cases/verbs/backend.hpp"

#include "gpu/backend.hpp"
#include "gpu/device.hpp"

namespace rankine::cases {

std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, int threads) {
  const bool cuda =
      choice == BackendChoice::cuda || (choice == BackendChoice::automatic && gpu::available());
  return cuda ? gpu::make_cuda_backend() : bem::make_cpu_backend(threads);
}

}  // namespace rankine::cases
