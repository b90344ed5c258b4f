// A backend for tests of operators: makes operators and applies them to arrays on the host.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "rankine/fmm/operator.hpp"
#include "tests/support/reference_sum.hpp"

namespace rankine::testing {

using fmm::Operator;
using fmm::Options;
using fmm::Points;

/// Strengths on the host, in the order of fmm::Strengths.
struct HostStrengths {
  std::vector<double> charges = {}, normal_dipoles = {}, dipoles = {}, vortices = {};
};

class OperatorBackend {
 public:
  virtual ~OperatorBackend() = default;

  virtual std::unique_ptr<Operator> make(const Points& points, const Options& options) = 0;
  virtual bool has(fmm::Kernel) const { return true; }

  /// Applies to copies of `given` in the backend's memory. Derivatives as in PairTerms.
  Field apply(Operator& op, const HostStrengths& given, int derivatives = 0, int rhs = 1) {
    const auto targets =
        static_cast<std::size_t>(op.info().targets) * static_cast<std::size_t>(rhs);
    const auto values = [&](bool wanted, std::size_t width) {
      return std::vector<double>(wanted ? width * targets : 0, not_written);
    };
    const bool vortex = fmm::is_vortex(op.info().kernel);
    Field field{values(!vortex, 1), values(!vortex && derivatives > 0, 3),
                values(!vortex && derivatives > 1, 6), values(vortex, 3),
                values(vortex && derivatives > 1, 9)};
    run(op, given, field, rhs);
    return field;
  }

 protected:
  static constexpr double not_written = std::numeric_limits<double>::quiet_NaN();

  /// Results that are not wanted have empty arrays in `field`.
  virtual void run(Operator& op, const HostStrengths& given, Field& field, int rhs) = 0;
};

/// The backend under test, made by the test program. If there is none, skips or fails the test and
/// returns null.
std::unique_ptr<OperatorBackend> make_operator_backend();

}  // namespace rankine::testing
