// Flow past walls without thickness, with fluid on both sides, and no lift: the potential jumps across a wall by
// mu, zero at its rim, which is found from the flux w - (U + v).n that is wanted through it
// (bem/layers/doublet_sheet.hpp). With gamma = n x grad mu,
//
//   phi = D mu ,   u = U + v + curl S gamma ,   p = rho (|U|^2 - |u|^2) / 2 .
//
// On a wall a solution has `phi`, the jump from the side that normals point away from to the other; `velocity`
// there and `velocity_behind` on the other; `pressure`, the difference of both, which is what loads a wall. At
// rims velocities have no bound, and the suction of a thick edge is not part of the force.
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/layers/off_surface.hpp"

namespace rankine::bem {

/// Whether all panels are walls without thickness.
bool has_thin_walls(const FlowProblem& problem);

/// Throws InputError where the problem is not one of thin walls alone: bodies, given potentials, motions,
/// symmetry planes, an interior domain.
void require_thin_walls(const FlowProblem& problem);

/// solve() by the formulation `doublet`, of a problem that has been checked; throws as DoubletSheet and
/// solve() do.
std::vector<Solution> solve_thin_walls(const FlowProblem& problem, std::span<const Vec3d> streams,
                                       const FlowOptions& options, Backend& backend);

/// What thin walls make of a solution off them: phi and its gradient. Exact for the vortices on panels at any
/// distance.
class ThinWallField {
 public:
  /// Plans the sums to `points`. All of these must outlive the object.
  ThinWallField(const Panels& panels, const Solution& solution, std::span<const Vec3d> points,
                const fmm::Options& options, const QuadratureOptions& quadrature, Backend& backend);

  /// Plans the sums to other points; what belongs to the panels stays.
  void move_to(std::span<const Vec3d> points) { sums_.move_to(points); }
  OffSurfaceValues evaluate();

 private:
  const Solution& solution_;
  OffSurfaceOperator sums_;
};

}  // namespace rankine::bem
