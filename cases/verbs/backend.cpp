#include "cases/verbs/backend.hpp"

#include "fmm/error.hpp"

namespace rankine::cases {

std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, int threads) {
  if (choice == BackendChoice::cuda) {
    throw DeviceError(
        "this build has no CUDA backend; configure with cmake --preset cuda, or use --backend cpu");
  }
  return bem::make_cpu_backend(threads);
}

}  // namespace rankine::cases
