// Exterior potential flow: a body at rest in a uniform stream U, total potential U.x + phi.
//
//   green    phi/2 - D phi = -S g                           unknown phi,   direct    [MK74]
//   source   -sigma/2 + K' sigma = g ,   phi = S sigma      unknown sigma, indirect  [HS67]
//   g        = dphi/dn = w - U.n
//
// w is the normal velocity prescribed on the surface (0: a wall). The signs follow from the
// conventions of bem/layers/layers.hpp: outside, Green's formula with n into the fluid is
//
//   phi = D phi - S dphi/dn
//
// D phi jumps by +phi/2 on the fluid side and n.grad S sigma by -sigma/2. With the surface gradient
// and the normal n of the fitted surface,
//
//   u  = U - (U.n) n + grad_s phi + w n
//   Cp = 1 - |u|^2/|U|^2
//   p  = rho |U|^2 Cp / 2
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

enum class Formulation { green, source };

struct FlowProblem {
  Panels panels;                          ///< one or more closed bodies
  Vec3d velocity{1.0, 0.0, 0.0};          ///< U, m/s
  double density = 1.0;                   ///< kg/m^3
  std::vector<double> normal_velocity{};  ///< w per panel, m/s; empty: impermeable walls
};

struct SolveOptions {
  Formulation formulation = Formulation::green;
  GmresOptions gmres{};
  fmm::Options fmm{.tolerance = 1e-7};
  QuadratureOptions quadrature{};
  int error_samples = 256;              ///< most targets of the sampled FMM error; 0: none
  std::vector<double> initial_guess{};  ///< of the unknown, streams x panels; empty: zero
  /// Products of GMRES take a cheaper far field, in float, once the residual has fallen so far that
  /// it suffices [WLB22].
  bool relaxation = false;
  /// GMRES runs with a far field in float altogether, inside a refinement whose residuals have
  /// `fmm`'s accuracy (bem/krylov/refinement.hpp).
  bool mixed_precision = false;
};

/// Of one call, also where it solved for several streams.
struct SolveTimes {
  double setup = 0.0;       ///< panels' far nodes, FMM plan
  double near_field = 0.0;  ///< near pairs and integrals, all layers
  double right_hand_side = 0.0;
  double solve = 0.0;     ///< GMRES
  double evaluate = 0.0;  ///< surface velocity and pressures
  double matvec = 0.0;    ///< mean of one product with the system matrix, for all streams at once
};

struct Solution {
  std::vector<double> phi;      ///< perturbation potential at the collocation points, m^2/s
  std::vector<double> sigma;    ///< source strength (formulation source), m/s; else empty
  std::vector<Vec3d> velocity;  ///< total, m/s
  std::vector<double> cp;
  GmresResult gmres;
  SolveTimes seconds;
  fmm::OperatorInfo fmm;  ///< of the accurate far field
  bool mixed_precision = false;
  double fmm_sampled_error = 0.0;  ///< of the system's layer applied to the solution
  Discretization discretization;   ///< without its node arrays
  std::size_t near_entries = 0;    ///< of the system matrix
  std::size_t near_bytes = 0;

  bool converged() const { return gmres.status == GmresStatus::converged; }
};

/// Solves the flow. A solution that did not converge is returned and says so. Throws InputError for
/// options or boundary data that do not fit.
Solution solve(const FlowProblem& problem, const SolveOptions& options, Backend& backend);

/// Solves the same body, with the same normal velocity w, in several streams at once: one far-field
/// operator, one near-field matrix, and products with all unknowns together. Solution k is that of
/// solve() with `problem.velocity` = velocities[k]; `problem.velocity` itself is not used. Memory
/// for vectors and expansions is that of one stream times their number. Throws InputError also
/// where no stream is given.
std::vector<Solution> solve(const FlowProblem& problem, std::span<const Vec3d> velocities,
                            const SolveOptions& options, Backend& backend);

/// dphi/dn = w - U.n per panel, m/s.
std::vector<double> normal_derivative(const FlowProblem& problem);

std::string_view to_string(Formulation formulation);

}  // namespace rankine::bem
