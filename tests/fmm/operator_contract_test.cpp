// The operator's contract on the CPU.
#include "tests/support/operator_contract.hpp"
#include "tests/support/moved_operator_contract.hpp"
#include "tests/support/operator_promise.hpp"
#include "tests/support/plummer_contract.hpp"
#include "tests/support/vortex_contract.hpp"

#include "tests/support/cpu_operators.hpp"

namespace rankine::testing {

std::unique_ptr<OperatorBackend> make_operator_backend() {
  return std::make_unique<CpuOperators>();
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOperator, every_kind, kind_name);

}  // namespace rankine::testing
