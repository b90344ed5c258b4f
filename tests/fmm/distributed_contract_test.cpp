// The operator's contract over three processes, which threads play.
#include "tests/support/moved_operator_contract.hpp"
#include "tests/support/operator_contract.hpp"

#include "tests/support/cpu_operators.hpp"
#include "tests/support/ranked_operators.hpp"

namespace rankine::testing {
namespace {

class RankedOperators final : public CpuOperators {
 public:
  std::unique_ptr<Operator> make(const Points& points, const Options& options) override {
    return std::make_unique<RankedOperator>(points, options, 3);
  }
};

}  // namespace

std::unique_ptr<OperatorBackend> make_operator_backend() {
  return std::make_unique<RankedOperators>();
}

// Processes exchange points and expansions of either precision alike.
INSTANTIATE_TEST_SUITE_P(Kinds, EveryOperator,
                         ::testing::Values(OperatorKind{Method::direct, Precision::float64},
                                           OperatorKind{Method::treecode, Precision::float64},
                                           OperatorKind{Method::fmm, Precision::float64},
                                           OperatorKind{Method::fmm, Precision::float32}),
                         kind_name);

}  // namespace rankine::testing
