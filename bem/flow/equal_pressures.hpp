// The nonlinear Kutta condition: equal pressures on both sides of trailing edges, instead of finite
// velocities there (bem/lift/kutta.hpp). It is found by three steps of Newton's method, each of
// which adds values to the rows of the linear condition (bem/flow/wake_loads.hpp).
#pragma once

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// As solve(), for walls at rest with wakes. Pressures are equal at the distance `depth`, m, from
/// the edge, or at the collocation points of the panels at the edge if these are farther from it.
Solution solve_with_equal_pressures(const FlowProblem& problem, double depth,
                                    const FlowOptions& options, Backend& backend);

}  // namespace rankine::bem
