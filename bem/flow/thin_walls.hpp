// Flow past walls without thickness, with fluid on both sides and without lift. The potential jumps
// across a wall by mu, which is zero at the rim and follows from the flux w - (U + v).n of the
// perturbation (bem/layers/doublet_sheet.hpp). With gamma = n x grad mu,
//
//   phi = D mu ,   u = U + v + curl S gamma ,   p = rho (|U|^2 - |u|^2) / 2 .
//
// On a wall a solution has `phi`, the jump from the back to the front, to which normals point;
// `velocity` on the front and `velocity_behind` on the back; and `pressure`, front minus back,
// which is the load on the wall. Velocities are unbounded at rims, and the force does not include
// the suction of a rounded edge.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// Whether all panels are walls without thickness.
bool has_thin_walls(const FlowProblem& problem);

/// Throws InputError if the problem has anything other than thin walls: bodies, given potentials,
/// motions, symmetry planes, an interior domain.
void require_thin_walls(const FlowProblem& problem);

/// Solves a checked problem by the formulation `doublet`. Throws as DoubletSheet and solve() do.
std::vector<Solution> solve_thin_walls(const FlowProblem& problem, std::span<const Vec3d> streams,
                                       const FlowOptions& options, Backend& backend);

}  // namespace rankine::bem
