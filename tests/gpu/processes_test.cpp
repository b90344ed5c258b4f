// The operator's contract over three processes, which threads play, on one device.
#include "tests/support/operator_contract.hpp"
#include "tests/support/vortex_contract.hpp"

#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "tests/support/cpu_operators.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/ranked_operators.hpp"

namespace rankine::testing {
namespace {

class RankedOperators final : public CpuOperators {
 public:
  std::unique_ptr<Operator> make(const Points& points, const Options& options) override {
    return std::make_unique<RankedOperator>(points, options, 3, gpu::cuda_part_backend());
  }
};

}  // namespace

std::unique_ptr<OperatorBackend> make_operator_backend() {
  require_gpu(gpu::available());
  return gpu::available() ? std::make_unique<RankedOperators>() : nullptr;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOperator, every_kind, kind_name);

}  // namespace rankine::testing
