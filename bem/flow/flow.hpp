// Potential flow outside closed bodies, or inside one, in an onset flow U + v: the uniform stream U and v of
// sources, doublets and vortices (bem/flow/onset.hpp). The perturbation phi has the flux
//
//   dphi/dn = w - (U + v).n
//
// on the surface, w its normal velocity (0: a wall at rest), or is known there, from the given potential of
// everything but U. With the surface gradient and the normal n of the fitted surface, into the fluid,
//
//   u = U + v - ((U + v).n) n + grad_s phi + w n
//   p = rho (|U|^2 - |u|^2) / 2 - rho dphi/dt        relative to the stream
//
// w alone is what a steady flow has, through walls at rest. Where walls move, `motions` says how, and
// dphi/dt follows from that (bem/flow/unsteady.hpp): velocities are constant as the body sees them.
//
// Panels with symmetry planes (meshes/symmetry.hpp) stand for their images, too. The total potential has the planes' signs, counted from the plane: the stream runs along planes of symmetry and across
// planes of zero potential. Sums over panels are those of the part that is modelled.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/flow/onset.hpp"
#include "rankine/bem/flow/rigid_motion.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// `doublet` for walls without thickness (bem/flow/thin_walls.hpp), and for nothing else.
enum class Formulation { green, source, doublet };

/// Where the fluid is, and the normals point.
enum class Domain { exterior, interior };

struct FlowProblem {
  Panels panels;  ///< one or more bodies, closed or by planes; inside: one, with islands or without
  Vec3d stream{};        ///< U, m/s
  double density = 1.0;  ///< rho, kg/m^3
  std::vector<double>
      normal_velocity{};  ///< w, its mean over every panel, m/s; empty: walls at rest
  Domain domain = Domain::exterior;
  BoundaryConditions conditions{};  ///< where phi is given, and not w
  /// Where it is given, at the points: phi and what sources and doublets have there, m^2/s.
  std::vector<double> potential{};
  /// How walls move, whose normal velocities are part of w; empty: not at all.
  std::vector<RigidMotion> motions{};
  std::vector<std::int32_t> motion{};  ///< per panel, index into `motions`
  double reference_speed = 0.0;        ///< to which Cp refers, m/s; 0: that of the stream
  /// Per panel: a surface without thickness, with fluid on both sides (formulation source, the potential
  /// given; or doublet, the flux given everywhere); empty: none is.
  std::vector<std::uint8_t> thin{};
  bool has_pressure = true;  ///< false: of a potential alone, whatever moves
  Onset onset{};             ///< sources, doublets and vortices in the fluid
};

struct FlowOptions : SolveOptions {
  Formulation formulation = Formulation::green;
  QuadratureOptions quadrature{};
};

/// Of a solve that was asked to stop, vectors that it did not compute are empty, but for `unknown`.
struct Solution {
  Vec3d stream;                  ///< U, m/s
  std::vector<double> unknown;   ///< of the formulation: phi, or the source strength, m/s
  std::vector<double> phi;       ///< perturbation potential at the collocation points, m^2/s
  std::vector<double> flux;      ///< dphi/dn there, given or found, m/s
  std::vector<double> charge;    ///< c of phi = S c + D m off the surface
  std::vector<double> doublet;   ///< m; empty: none
  double constant = 0.0;         ///< added to S c + D m in the fluid: phi has the mean zero
  std::vector<Vec3d> velocity;   ///< u, m/s
  std::vector<double> pressure;  ///< p, Pa
  std::vector<Vec3d>
      velocity_behind;           ///< u on the side that n points away from; empty: none is thin
  std::vector<Vec3d> vorticity;  ///< of thin walls (bem/flow/thin_walls.hpp), m/s; empty: none
  /// dphi/dt at points at rest as the phi of a flow of its own, m^2/s^2; none where the flow is steady as
  /// walls at rest or one moving body see it.
  std::shared_ptr<const Solution> rate;
  double removed_flux = 0.0;  ///< net flux of the data that was taken from every panel, m^3/s
  GmresResult gmres;
  SolveTimes seconds;  ///< of the call, also where it solved for several streams
  fmm::OperatorInfo fmm;
  bool mixed_precision = false;
  double fmm_sampled_error = 0.0;  ///< of the system's sums applied to the solution
  Preconditioner preconditioner = Preconditioner::none;
  FarFieldAccuracy accuracy;     ///< whether the sums keep what was asked; of all streams
  std::size_t near_entries = 0;  ///< of the system matrix
  std::size_t near_bytes = 0;

  /// Whether the solve went to its end, converged or not.
  bool complete() const { return !velocity.empty(); }
  bool converged() const { return gmres.status == GmresStatus::converged; }
};

/// Solves the flow. A solution that did not converge is returned and says so. Throws InputError for
/// options or boundary data that do not fit: normal velocities of a body that moves as a whole where
/// there is no stream and no motion, a net flux into a closed domain whose potential is given nowhere,
/// motions beside sources, doublets or vortices, vortices beside given potentials.
/// Stopped where it was asked to stop before GMRES has an iterate.
Solution solve(const FlowProblem& problem, const FlowOptions& options, Backend& backend);

/// Solves the same body, with the same normal velocity w, in several streams at once: one far-field
/// operator, one near-field matrix, and products with all unknowns together. Solution k is that of
/// solve() with `problem.stream` = streams[k]; `problem.stream` itself is not used. Memory for
/// vectors and expansions is that of one stream times their number. Throws InputError also where no
/// stream is given.
std::vector<Solution> solve(const FlowProblem& problem, std::span<const Vec3d> streams,
                            const FlowOptions& options, Backend& backend);

/// What right-hand side `k` of a boundary solution says about how it was found: sizes, sums, iterations.
void take_record(const BoundarySolution& solved, std::size_t k, Solution& solution);

/// The rules of `options`. Where surfaces are thin the default is finer: near rims charges vary so much that what
/// nodes make of them counts.
QuadratureOptions quadrature_of(const FlowProblem& problem, const FlowOptions& options);

BoundaryFormulation formulate(Formulation formulation, const BoundaryConditions& conditions = {});

/// The formulation of a problem, also where it leaves a constant open.
BoundaryFormulation formulate(Formulation formulation, const FlowProblem& problem);

/// Refuses a stream that symmetry planes forbid: walls let none through, and on a plane where the
/// potential is zero there is none along it. Throws InputError with the component.
void require_compatible(const meshes::Symmetry& symmetry, const Vec3d& stream);

/// dphi/dn = w - (U + v).n, its mean over every panel, m/s.
std::vector<double> flux(const FlowProblem& problem, const Vec3d& stream);

/// Velocity U + v of the onset flow at the points of the panels, m/s.
std::vector<Vec3d> onset_velocity(const FlowProblem& problem, const Vec3d& stream);

/// The potential of everything but the stream and vortices at the points, m^2/s: phi and that of sources
/// and doublets; of thin walls its jump.
std::vector<double> disturbance_potential(const FlowProblem& problem, const Solution& solution);

/// The pressure to which coefficients refer, of the problem's speed or the stream, Pa.
double reference_pressure(const FlowProblem& problem, const Vec3d& stream);

/// rho |U|^2 / 2, Pa, to which pressure coefficients refer. Without a stream it is zero: there is a
/// pressure then, but no coefficient.
double reference_pressure(double density, const Vec3d& stream);

/// rho (|U|^2 - |u|^2) / 2, Pa.
double steady_pressure(double density, const Vec3d& stream, const Vec3d& velocity);

std::string_view to_string(Formulation formulation);

}  // namespace rankine::bem
