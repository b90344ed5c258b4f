// The operator's contract on the device.
#include "tests/support/operator_contract.hpp"

#include "tests/gpu/cuda_operators.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::fmm::testing {

std::unique_ptr<OperatorBackend> make_operator_backend() {
  gpu::require_device();
  if (!gpu::available()) return nullptr;
  return std::make_unique<gpu::CudaOperators>();
}

}  // namespace rankine::fmm::testing
