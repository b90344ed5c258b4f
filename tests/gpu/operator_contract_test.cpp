// The operator's contract on the device.
#include "tests/support/operator_contract.hpp"
#include "tests/support/moved_operator_contract.hpp"
#include "tests/support/operator_promise.hpp"
#include "tests/support/plummer_contract.hpp"
#include "tests/support/vortex_contract.hpp"

#include "tests/gpu/cuda_operators.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::testing {

std::unique_ptr<OperatorBackend> make_operator_backend() {
  require_gpu(gpu::available());
  return gpu::available() ? std::make_unique<gpu::CudaOperators>() : nullptr;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOperator, every_kind, kind_name);

}  // namespace rankine::testing
