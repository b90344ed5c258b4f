// Potential flow outside closed bodies, or inside one, in an onset flow U + v: the uniform stream U
// and v of sources, doublets and vortices (bem/flow/onset.hpp). The perturbation phi has the flux
//
//   dphi/dn = w - (U + v).n
//
// on the surface, where w is the normal velocity of the wall (0: at rest). A boundary condition may
// give the potential instead of the flux; the potential of U is not part of it. With the surface
// gradient and the normal n of the fitted surface, which points into the fluid,
//
//   u = U + v - ((U + v).n) n + grad_s phi + w n
//   p = rho (|U|^2 - |u|^2) / 2 - rho dphi/dt        relative to the stream
//
// In a steady flow w is the flow through walls at rest. For moving walls there are `motions`, with
// velocities that are constant in the frame of the body; they determine dphi/dt
// (bem/flow/unsteady.hpp).
//
// Panels with symmetry planes (meshes/symmetry.hpp) also represent their images. At an image point
// the total potential has the sign of the plane: 1 for planes of symmetry, to which the stream is
// parallel, -1 for planes of zero potential, to which it is normal. Sums over panels include only
// the modelled part.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/fields/boundary_fields.hpp"
#include "rankine/bem/flow/onset.hpp"
#include "rankine/bem/lift/lifting_edges.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/rigid_motion.hpp"

namespace rankine::bem {

struct FlowProblem {
  Panels panels;         ///< closed with its images; interior: one body, which may contain others
  Vec3d stream{};        ///< U, m/s
  double density = 1.0;  ///< rho, kg/m^3
  std::vector<double>
      normal_velocity{};  ///< w, its mean over every panel, m/s; empty: walls at rest
  Domain domain = Domain::exterior;
  BoundaryConditions conditions{};  ///< on which panels phi is given instead of w
  /// Given values at the points: phi plus the potential of sources and doublets, m^2/s.
  std::vector<double> potential{};
  /// Motions of walls. w includes their normal velocities. Empty: no wall moves.
  std::vector<RigidMotion> motions{};
  std::vector<std::int32_t> motion{};  ///< per panel, index into `motions`
  double reference_speed = 0.0;        ///< reference of Cp, m/s; 0: the speed of the stream
  /// Per panel: whether it has no thickness and fluid on both sides (formulation `source` with
  /// given potentials, or `doublet` with given fluxes); empty: no panel.
  std::vector<std::uint8_t> thin{};
  bool has_pressure = true;  ///< false: a potential problem without a flow
  Onset onset{};             ///< sources, doublets and vortices in the fluid

  std::shared_ptr<const LiftingEdges> lift{};  ///< trailing edges and wakes; null: none

  Region region() const { return {panels, domain, thin, lift ? &lift->sources : nullptr}; }
};

using FlowOptions = RegionOptions;

/// The perturbation phi, m^2/s, its flux and gradient, m/s, and the flow. After a solve that was
/// requested to stop, vectors that it did not compute are empty, except `unknown`.
struct Solution : RegionSolution {
  Vec3d stream;                   ///< U, m/s
  AlignedVector<Vec3d> velocity;  ///< u, m/s
  std::vector<double> pressure;   ///< p, Pa
  /// u on the back of thin panels; empty: no panel is thin
  AlignedVector<Vec3d> velocity_behind;
  /// The part of dphi/dt that needs a second solve, m^2/s^2 (bem/flow/unsteady.hpp). Null if the
  /// flow is steady, with walls at rest or in the frame of one moving body.
  std::shared_ptr<const RegionSolution> rate;
  /// Estimated errors of `sheets`, m^2/s (bem/lift/kutta_errors.hpp).
  std::vector<double> circulation_error;
  double removed_flux = 0.0;  ///< net flux of the input data, subtracted from all panels, m^3/s

  /// u, or grad phi if the problem is not a flow.
  std::span<const Vec3d> vectors() const {
    return velocity.empty() ? std::span<const Vec3d>(gradient) : velocity;
  }
  /// Whether the solve was completed, converged or not.
  bool complete() const { return !vectors().empty(); }
};

/// Solves the flow. A solution that did not converge has that status. Throws InputError for options
/// or boundary data that are not valid: normal velocities of a rigid motion if neither a stream nor
/// a motion is given, a net flux into a closed domain without a given potential, motions together
/// with sources, doublets or vortices, vortices together with given potentials. Throws Stopped if
/// it is requested to stop before GMRES has an iterate.
Solution solve(const FlowProblem& problem, const FlowOptions& options, Backend& backend);

/// Solves for the same body and normal velocity w in several streams at once. They share the
/// far-field operator, the near-field matrix and all products. Solution k is that of solve() with
/// `problem.stream` = streams[k]; `problem.stream` itself is not used. The memory for vectors and
/// expansions is proportional to the number of streams. Also throws InputError if there are no
/// streams.
std::vector<Solution> solve(const FlowProblem& problem, std::span<const Vec3d> streams,
                            const FlowOptions& options, Backend& backend);

/// dphi/dn = w - (U + v).n, its mean over every panel, m/s.
std::vector<double> flux(const FlowProblem& problem, const Vec3d& stream);

/// Velocity U + v of the onset flow at the collocation points, m/s.
std::vector<Vec3d> onset_velocity(const FlowProblem& problem, const Vec3d& stream);

/// The potential at the collocation points, without those of stream and vortices, m^2/s: phi plus
/// that of sources and doublets; for thin walls the jump of phi.
std::vector<double> disturbance_potential(const FlowProblem& problem, const Solution& solution);

/// The reference pressure of coefficients, from the problem's reference speed or the stream, Pa.
double reference_pressure(const FlowProblem& problem, const Vec3d& stream);

/// rho |U|^2 / 2, Pa, the reference of pressure coefficients. Without a stream it is zero, and
/// pressure coefficients do not exist.
double reference_pressure(double density, const Vec3d& stream);

/// rho (|U|^2 - |u|^2) / 2, Pa.
double steady_pressure(double density, const Vec3d& stream, const Vec3d& velocity);

}  // namespace rankine::bem
