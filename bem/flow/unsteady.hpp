// The unsteady pressure of moving walls, -rho dphi/dt.
//
// If all walls have one motion w(x) = V + Omega x (x - c), and there is no stream or no rotation,
// the flow is steady in their frame and the perturbation phi has
//
//   dphi/dt = -w.grad phi .
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
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

/// The motion in whose frame the flow past moving walls is steady, if there is one.
std::optional<RigidMotion> steady_frame(const FlowProblem& problem, const Vec3d& stream);

/// Adds -rho dphi/dt to `pressure`, from unit normals and the total velocity at the points, and
/// stores the solved rate in `solution.rate`. Does nothing if no wall moves. Throws Stopped.
void add_rate(const FlowProblem& problem, std::span<const Vec3d> normal,
              std::span<const Vec3d> velocity, const PanelNeighbourhood& neighbourhood,
              const FlowOptions& options, Backend& backend, Solution& solution,
              std::span<double> pressure);

}  // namespace rankine::bem
