// Forecasts the time of a solve.
#pragma once

#include "cases/resources/solve_size.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

struct Estimate {
  double matvec = 0.0;   ///< seconds of one product
  double seconds = 0.0;  ///< from the mesh to the fields, with `iterations` products
  int iterations = 10;   ///< assumed
};

/// Seconds on this machine, within a factor of two: the far field is built and applied for a part
/// of the panels and scaled; near entries and the rest are counted and multiplied by measured
/// rates.
Estimate estimate(const bem::FlowProblem& problem, const bem::FlowOptions& options,
                  const SolveSize& size, bem::Backend& backend);

}  // namespace rankine::cases
