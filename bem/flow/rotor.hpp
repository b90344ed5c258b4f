// Rotors: bodies that rotate with their wakes about an axis along the stream U (`motions` of the
// problem). The flow is steady in their frame. With the velocity v = U - Omega x (x - c) + grad phi
// there,
//
//   p = rho (|U - Omega x (x - c)|^2 - |v|^2) / 2 .
//
// Far downstream a helical wake induces the velocity w; at a straight blade it induces w/2. As in
// Munk's theorem for wings, the total loads do not change if bound vortices are moved along the
// wake. So with the circulation m, and w evaluated half-way between the ends of the wake,
//
//   F = rho sum m (U - Omega x (x - c) + w/2) x dl
//
// summed along the edges gives the thrust and the torque of a lightly loaded rotor. The wake has
// one pitch: that of U - Omega x (x - c) + w/2, averaged with the circulation as weight, as in
// lifting-line theory for moderate loads [Ler52]. Its radii are those of the edge: it does not
// contract or roll up.
#pragma once

#include <functional>

#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/relaxed_wake.hpp"

namespace rankine::bem {

struct RotorLoads {
  double thrust;  ///< against the stream, N
  double torque;  ///< that turns the rotor, N m
};

/// The loads on a rotor, images included, from the force on its panels and the moment about the
/// centre of its motion.
RotorLoads rotor_loads(const FlowProblem& problem, const Vec3d& force, const Vec3d& moment);

/// The loads from the circulation.
RotorLoads far_rotor_loads(const FlowProblem& problem, const Solution& solution,
                           const FieldOptions& options, Backend& backend);

/// Solves, and changes the pitch of the wakes of `problem` from that of the stream to that of the
/// flow. `report` is called after every sweep with the relative change of the pitch. Sweeps end
/// when it is below `relaxed_wake_tolerance`, at the latest after ten. The solution is that for the
/// last wake.
Solution solve_with_helical_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report);

}  // namespace rankine::bem
