// What moving walls add to the pressure, -rho dphi/dt.
//
// Where all walls share one motion w(x) = V + Omega x (x - c) and nothing tells directions apart (no stream,
// or no rotation), the flow is steady in their frame and, phi the perturbation,
//
//   dphi/dt = -w.grad phi ,
//
// Otherwise dphi/dt is a harmonic function of its own. With V and Omega constant as a body sees them, so is
// the flux u.n = w.n of the total potential Phi = U.x + phi on it: (d/dt + w.grad) Phi, which is harmonic, too,
// has none. Since w is rigid and u = grad Phi,
//
//   d/dn (w.u) = div_s( (u.n) w - (w.n) u )     and therefore     d/dn dphi/dt = -div_s( (u.n) w - (w.n) u ) ,
//
// div_s the divergence in the surface. It is zero on walls at rest, and has no net flux.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

/// The motion in whose frame the flow past moving walls is steady; none where there is none.
std::optional<RigidMotion> steady_frame(const FlowProblem& problem, const Vec3d& stream);

/// Adds -rho dphi/dt to `pressure`, from unit normals and the total velocity at the points, and keeps in
/// `solution.rate` what it solved for. Nothing where no wall moves. Throws Stopped.
void add_rate(const FlowProblem& problem, std::span<const Vec3d> normal,
              std::span<const Vec3d> velocity, const PanelNeighbourhood& neighbourhood,
              const FlowOptions& options, Backend& backend, Solution& solution,
              std::span<double> pressure);

}  // namespace rankine::bem
