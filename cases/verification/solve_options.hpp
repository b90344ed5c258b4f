// How checks of flows solve: tightly enough that only the discretization is seen.
#pragma once

#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

inline bem::FlowOptions solve_options() {
  bem::FlowOptions options;
  options.gmres.tolerance = 1e-7;
  options.fmm.tolerance = 1e-8;
  options.error_samples = 0;
  return options;
}

}  // namespace rankine::cases
