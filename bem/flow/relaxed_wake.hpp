// Wakes that follow the flow. A wake carries no load if its vortices are parallel to the velocity
// u,
//
//   dx/ds = u / (u.e) ,   s the distance downstream, e the direction far downstream.
//
// Each sweep solves with the current wake and moves its lines along the velocities between them
// (bem/flow/wake_loads.hpp). Sweeps end when the lines no longer move.
#pragma once

#include <functional>
#include <optional>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

struct WakeSweep {
  int number;           ///< from 1 on
  double displacement;  ///< mean over vortices and their lengths, weighted by strength, relative to
                        ///< the extent of the body
  const GmresResult& gmres;  ///< of the solve with the previous wake
};

inline constexpr double relaxed_wake_tolerance = 1e-3;  ///< of the displacement

/// Solves, and replaces the straight wakes of `problem` by relaxed ones, over one extent of the
/// body. Farther downstream, where the body no longer deflects the flow, they are straight. The
/// part of a line along a body does not move; behind the body the line follows the flow. Lines that
/// leave a body at the same point stay together. Lines beside a body are kept outside of it.
/// `report` is called after every sweep. The solution is that for the last wake. `pressure_depth`:
/// the depth, m, at which every sweep makes pressures equal (bem/flow/equal_pressures.hpp); none:
/// the linear Kutta condition.
Solution solve_with_relaxed_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report,
                                  std::optional<double> pressure_depth = {});

}  // namespace rankine::bem
