// The unsteady pressure of moving walls, -rho dphi/dt.
//
// If all walls have one motion w(x) = V + Omega x (x - c), phi is a linear function of V, Omega and
// U in their frame [L32]. In this frame V and Omega are constant and U changes at the rate U x
// Omega:
//
//   dphi/dt = -w.grad phi + phi' ,   phi' the perturbation due to the stream U x Omega .
//
// Without a stream or a rotation phi' = 0, and the flow is steady in that frame.
//
// Otherwise dphi/dt is another harmonic function. V and Omega are constant in the frame of a body,
// and so is the flux u.n = w.n of the total potential Phi = U.x + phi on its surface. Hence (d/dt +
// w.grad) Phi, which is also harmonic, has zero flux. Since w is rigid and u = grad Phi,
//
//   d/dn (w.u) = div_s( (u.n) w - (w.n) u )   and so   d/dn dphi/dt = -div_s( (u.n) w - (w.n) u ) ,
//
// where div_s is the divergence in the surface. This flux is zero on walls at rest, and its
// integral vanishes.
#pragma once

#include <optional>
#include <span>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

/// The motion that all walls and their images have in common, if there is one.
std::optional<RigidMotion> common_frame(const FlowProblem& problem);

/// The stream in the common frame of all walls; if no wall moves, in the frame at rest.
inline RelativeStream relative_stream(const FlowProblem& problem) {
  return RelativeStream(problem.stream, common_frame(problem).value_or(RigidMotion{}));
}

/// Whether phi' = 0 in the frame of a motion.
inline bool is_steady(const RigidMotion& frame, const Vec3d& stream) {
  constexpr double rounding = 1e-14;
  return norm(cross(stream, frame.angular_velocity)) <=
         rounding * norm(stream) * norm(frame.angular_velocity);
}

/// Adds -rho dphi/dt to `pressure`, from unit normals and the total velocity at the points, and
/// stores the result of a second solve, phi' or dphi/dt, in `solution.rate`. Does nothing if no
/// wall moves. Throws Stopped.
void add_rate(const FlowProblem& problem, std::span<const Vec3d> normal,
              std::span<const Vec3d> velocity, const PanelNeighbourhood& neighbourhood,
              const FlowOptions& options, Backend& backend, Solution& solution,
              std::span<double> pressure);

}  // namespace rankine::bem
