// What a solve will need, before it is begun.
#pragma once

#include <cstddef>

#include "bem/backend.hpp"
#include "bem/flow.hpp"

namespace rankine::cases {

struct Estimate {
  double near_entries = 0.0;  ///< of the system matrix
  double bytes = 0.0;         ///< largest memory
  double matvec = 0.0;        ///< seconds of one product
  double seconds = 0.0;       ///< setup and `iterations` products
  int iterations = 10;        ///< assumed
};

/// Near pairs are counted for some thousand panels; the far field is built and applied for at most
/// 50 000 of them, on this machine, and scaled. Good to a factor of two.
Estimate estimate(const bem::FlowProblem& problem, const bem::SolveOptions& options,
                  bem::Backend& backend);

}  // namespace rankine::cases
