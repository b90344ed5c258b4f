// Compares a solution with the exact flow that the case's [verify] table names.
#pragma once

#include <optional>

#include "cases/input/case.hpp"
#include "cases/output/summary.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

/// Empty if the case names no exact flow.
std::optional<VerifyResult> compare_with_exact(const VerifyInput& verify,
                                               const bem::FlowProblem& problem,
                                               const bem::Solution& solution,
                                               const bem::SurfaceFits& fits);

}  // namespace rankine::cases
