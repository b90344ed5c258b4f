// Charges, potentials and fields of conductors and dielectrics (bem/electric/media.hpp).
//
// One solve has a right-hand side for every conductor (1 V on it, 0 V on all others) and one for
// the sources (0 V on all conductors). Potentials of floating conductors follow from the charges,
//
//   Q_i = sum_j C_ij V_j + Q_e,i ,
//
// and the state is the sum of the states of the response, weighted with these potentials (1 for the
// sources). On an interface the normal derivatives of phi are sigma eps_i / (eps_o - eps_i) outside
// and sigma eps_o / (eps_o - eps_i) inside, without cancellation.
//
// In a medium of high permittivity, and in regions that it shields, phi_e and S sigma nearly
// cancel, so their errors would dominate the field. There phi is computed again by Green's formula
// from values that are accurate: the normal field on interfaces and the potential of conductors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/electric/media.hpp"

namespace rankine::bem {

/// Values on panels.
struct ElectricState {
  std::vector<double> charge;           ///< sigma over eps_0, V/m
  std::vector<double> potential;        ///< at the points, V
  std::vector<double> outside, inside;  ///< dphi/dn on both sides, V/m; 0 on sides without a field
};

/// Free charge density over eps_0 of a panel of a conductor, on both of its sides, V/m.
inline double free_charge(const ElectricProblem& problem, const ElectricState& state,
                          std::size_t panel) {
  const ElectricBody& body = problem.body_of(panel);
  return body.inside * state.inside[panel] - body.outside * state.outside[panel];
}

struct ElectricResponse {
  Capacitance capacitance;
  std::vector<double> induced;  ///< Q_e of every conductor, C
  std::vector<ElectricState>
      states;               ///< for 1 V on each conductor, then for the sources if there are any
  BoundarySolution record;  ///< of the solve, without vectors
};

/// Solves for all responses. Throws InputError for a problem that does not fit, and Stopped.
ElectricResponse respond(const ElectricProblem& problem, const RegionOptions& options,
                         Backend& backend);

struct ElectricSolution {
  std::vector<double> volts;  ///< of every conductor
  ElectricState state;
  std::vector<Vec3d> gradient_outside, gradient_inside;  ///< of the potential at the points, V/m
  bool converged = true;  ///< also of the solves within media of high permittivity
};

/// The solution for given potentials of the conductors. Throws Stopped.
ElectricSolution solve(const ElectricProblem& problem, const ElectricResponse& response,
                       std::vector<double> volts, const RegionOptions& options, Backend& backend);

struct ElectricLoads {
  std::vector<double> charge;  ///< free charge of every conductor, C
  /// Force on every panel, N. The sum over a body is the force on it and on the bodies within it.
  std::vector<Vec3d> force;
  /// The work to assemble all charges in the applied field, J: (1/2) sum of free charges times
  /// potentials and of the total charge times the potential of the applied field.
  double energy = 0.0;
};

/// F = eps_0 eps_o int (E.n) E - E^2 n / 2 dA over the outer sides of bodies, and over both sides
/// of sheets [J99 sec. 6.7].
ElectricLoads loads(const ElectricProblem& problem, const ElectricSolution& solution,
                    const RegionOptions& options, Backend& backend);

}  // namespace rankine::bem
