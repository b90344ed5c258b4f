// The operator's contract over three processes, which threads play.
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

}  // namespace rankine::testing
