// Wakes that follow the flow. A wake carries no load where its vortices lie along the velocity u,
//
//   dx/ds = u / (u.e) ,   s the distance downstream, e the direction far downstream.
//
// Each sweep solves with the wake as it is and moves its lines to where the velocities between them
// (bem/flow/wake_loads.hpp) carry them, until they stay.
#pragma once

#include <functional>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

struct WakeSweep {
  int number;           ///< from 1 on
  double displacement;  ///< mean over vortices and their lengths, weighted by strength, in extents
  const GmresResult& gmres;  ///< of the solve before
};

inline constexpr double relaxed_wake_tolerance = 1e-3;  ///< of the displacement

/// Solves, and changes the wakes of `problem`, which are straight, to relaxed ones over one extent
/// of the body. Behind, where the body no longer turns the flow, they continue straight. `report`
/// is called after every sweep. The solution belongs to the last wake. Throws InputError for wakes
/// along bodies.
Solution solve_with_relaxed_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report);

}  // namespace rankine::bem
