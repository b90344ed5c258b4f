// Rotors: bodies that turn with their wakes about an axis along the stream U, in a flow that is
// steady in their frame (`motions` of the problem). With the velocity v = U - Omega x (x - c) +
// grad phi there,
//
//   p = rho (|U - Omega x (x - c)|^2 - |v|^2) / 2 .
//
// Far downstream a wake of helices induces twice the velocity w/2 that it induces at a straight
// blade, and moving bound vortices along the wake does not change the loads of all of them, as in
// Munk's theorem for wings. So with the circulation m and w half-way between the ends of the wake,
//
//   F = rho sum m (U - Omega x (x - c) + w/2) x dl
//
// along the edges has the thrust and the torque of a light rotor. The wake has one pitch, the mean
// over the circulation of that of U - Omega x (x - c) + w/2, as in lifting-line theory for moderate
// loads [Ler52]. Its radii stay those of the edge: it does not contract, and it does not roll up.
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

/// From the force on a rotor and its moment about the centre of its motion.
RotorLoads rotor_loads(const FlowProblem& problem, const Vec3d& force, const Vec3d& moment);

/// From the circulation.
RotorLoads far_rotor_loads(const FlowProblem& problem, const Solution& solution,
                           const FieldOptions& options, Backend& backend);

/// Solves, and changes the pitch of the wakes of `problem`, at first that of the stream, to that of
/// the flow. `report` is called after every sweep with the relative change of the pitch; the last
/// one is below `relaxed_wake_tolerance`, or there were ten. The solution belongs to the last wake.
Solution solve_with_helical_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report);

}  // namespace rankine::bem
