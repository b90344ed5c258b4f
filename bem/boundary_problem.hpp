// A boundary value problem of Laplace's equation: a discretized surface, an integral equation and
// known values on it. bem/boundary_solver.hpp solves it. Flow, electrostatics and other clients
// supply the known values and use the densities.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/far_field_check.hpp"
#include "rankine/bem/layers/formulation.hpp"

namespace rankine::bem {

struct BoundaryProblem {
  /// It must outlive the solve.
  const Discretization& discretization;
  BoundaryFormulation formulation;
  /// Values from the boundary conditions, for one or several right-hand sides: rhs x rows.
  std::vector<double> known;
  int rhs = 1;
};

/// The preconditioner of GMRES (bem/layers/local_inverse.hpp).
enum class Preconditioner {
  automatic,  ///< the fastest one for the equation (chosen_preconditioner())
  none,
  block,     ///< inverses of patches of panels
  two_level  ///< these, and a coarse level of densities that are constant on clusters
};

/// Whether products of GMRES use a cheaper far field in float as soon as the residual is so small
/// that its accuracy is sufficient [WLB22].
enum class Relaxation {
  automatic,  ///< if panels have many nodes, as long ones do
  on,
  off
};

/// If the current Execution requests a stop before GMRES has an iterate, the solve throws Stopped.
/// After that it returns the iterate with GmresStatus::interrupted; results that were not computed
/// are empty.
struct SolveOptions {
  GmresOptions gmres{};
  /// `tolerance` applies to the vectors of the solve (bem/layers/far_field_check.hpp).
  fmm::Options fmm{.tolerance = 1e-7};
  Preconditioner preconditioner = Preconditioner::automatic;
  int error_samples = 432;  ///< largest number of points at which sums are checked; 0: no check
  CombinedErrors combined_errors{};     ///< if combinations of the solutions are wanted
  std::vector<double> initial_guess{};  ///< of the unknown, rhs x unknowns; empty: zero
  Relaxation relaxation = Relaxation::automatic;
  /// GMRES runs completely in float, inside a refinement whose residuals are computed with the far
  /// field of `fmm` (bem/krylov/refinement.hpp).
  bool mixed_precision = false;
  /// Called with the name of each stage of the solve as it begins: "near field", "preconditioner",
  /// "far field", "right-hand side", "GMRES", "potential"; for a flow also "surface velocity". If
  /// the solution needs more accurate sums, "far field" to "GMRES" are repeated.
  std::function<void(std::string_view)> stage{};

  void begin(std::string_view name) const {
    if (stage) stage(name);
  }
};

/// The options of the far field of a solve, and of its cheaper far field in float.
fmm::Options far_field_options(const SolveOptions& options, const BoundaryFormulation& formulation,
                               int rhs);
fmm::Options inner_field_options(const SolveOptions& options,
                                 const BoundaryFormulation& formulation, int rhs);

/// Whether the solve also builds the cheaper far field. With wakes enough products follow.
bool has_inner_field(const SolveOptions& options, double nodes_per_point, bool has_wakes);

struct SolveTimes {
  double setup = 0.0;           ///< panels' far nodes, FMM plan
  double near_field = 0.0;      ///< near pairs and integrals, all layers
  double preconditioner = 0.0;  ///< patches and clusters, factorized
  double right_hand_side = 0.0;
  double solve = 0.0;       ///< GMRES
  double evaluate = 0.0;    ///< results from the solution
  double matvec = 0.0;      ///< `solve` per product with the system matrix, Krylov work included
  double check = 0.0;       ///< part of the above: direct sums at samples and comparisons
  double refinement = 0.0;  ///< part of the above: building sums again
};

/// Results for several right-hand sides, one after the other. A solve that was requested to stop
/// has at least `unknown` and `gmres`; vectors that it did not compute are empty.
struct BoundarySolution {
  std::vector<double> unknown;    ///< rhs x unknowns
  std::vector<double> potential;  ///< rhs x rows
  std::vector<double> flux;       ///< dphi/dn there, given or found, rhs x rows
  std::vector<double> charge;     ///< c of phi = S c + D m, rhs x unknowns; empty: none
  std::vector<double> doublet;    ///< m
  std::vector<GmresResult> gmres;
  std::vector<double> sampled_error;  ///< of the sums of the system, applied to the solution
  FarFieldAccuracy accuracy;          ///< whether the sums keep their tolerance
  SolveTimes seconds;
  fmm::OperatorInfo far_field;   ///< of the last sums
  std::size_t near_entries = 0;  ///< of the system matrix
  std::size_t near_bytes = 0;
  Preconditioner preconditioner = Preconditioner::none;  ///< as chosen

  /// Whether the solve was completed, converged or not.
  bool complete() const { return !potential.empty(); }
};

/// The preconditioner of `options`, or the fastest one (docs/performance-preconditioners.md): two
/// levels for equations of the first kind, which have no jump, and blocks for others, which the
/// solver computes once they save time. A variational equation is scaled by its diagonal instead.
Preconditioner chosen_preconditioner(const SolveOptions& options,
                                     const BoundaryFormulation& formulation,
                                     const Discretization& discretization);

/// Solves the problem. The sums keep `options.fmm.tolerance` on the right-hand side, the first
/// Krylov vector, the solution and the potential: if their measured error exceeds it, they are
/// built again and GMRES continues from its iterate. A tolerance that cannot be kept is reported in
/// `accuracy`, a solve that did not converge in `gmres`. Throws InputError for options or known
/// values that do not fit, and Stopped if it is requested to stop before there is an iterate.
BoundarySolution solve(const BoundaryProblem& problem, const SolveOptions& options,
                       Backend& backend);

}  // namespace rankine::bem
