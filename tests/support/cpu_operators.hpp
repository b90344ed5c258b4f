// CPU operators for tests.
#pragma once

#include "rankine/fmm/cpu_operator.hpp"
#include "tests/support/operator_backend.hpp"

namespace rankine::testing {

class CpuOperators : public OperatorBackend {
 public:
  std::unique_ptr<Operator> make(const Points& points, const Options& options) override {
    return fmm::make_cpu_operator(points, options);
  }

 private:
  void run(Operator& op, const HostStrengths& given, Field& field, int rhs) override {
    op.apply(
        {given.charges, given.normal_dipoles, given.dipoles, given.vortices},
        {field.potential, field.gradient, field.hessian, field.velocity, field.velocity_gradient},
        rhs);
  }
};

}  // namespace rankine::testing
