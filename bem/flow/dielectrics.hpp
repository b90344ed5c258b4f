// Charges, potentials and fields of conductors and dielectrics (bem/flow/media.hpp).
//
// Of all conductors and of the sources together, one solve: what 1 V on each of them does, and what sources
// do while all have none. Potentials of conductors that float follow from the charges,
//
//   Q_i = sum_j C_ij V_j + Q_e,i ,
//
// and the state from the sum. On an interface the normal fields are sigma eps_i / (eps_i - eps_o) outside and
// sigma eps_o / (eps_i - eps_o) inside, without cancellation.
//
// Within a medium of high permittivity, and in what it shields, the field is what little phi_e and S sigma leave,
// and their errors are all of it. There phi is found anew from what is known without cancellation, the normal field
// on interfaces and the potential of conductors, by Green's formula within.
#pragma once

#include <vector>

#include "rankine/bem/flow/media.hpp"

namespace rankine::bem {

/// From this ratio of permittivities, within to around, the potential is found anew.
inline constexpr double cancels_from = 4.0;

/// On panels.
struct ElectricState {
  std::vector<double> charge;           ///< sigma over eps_0, V/m
  std::vector<double> potential;        ///< at the points, V
  std::vector<double> outside, inside;  ///< E.n on both sides, V/m; 0 where there is no field
};

struct ElectricResponse {
  Capacitance capacitance;
  std::vector<double> induced;  ///< Q_e of every conductor, C
  std::vector<ElectricState>
      states;               ///< of 1 V on each conductor, then of the sources if there are
  BoundarySolution record;  ///< how it was found, without vectors
};

/// Throws InputError for a problem that does not fit; Stopped.
ElectricResponse respond(const ElectricProblem& problem, const FlowOptions& options,
                         Backend& backend);

struct ElectricSolution {
  std::vector<double> volts;  ///< of every conductor
  ElectricState state;
  std::vector<Vec3d> field_outside, field_inside;  ///< E at the points, V/m
  bool converged = true;                           ///< also within media of high permittivity
};

/// With the potentials given. Throws Stopped.
ElectricSolution solve(const ElectricProblem& problem, const ElectricResponse& response,
                       std::vector<double> volts, const FlowOptions& options, Backend& backend);

struct ElectricLoads {
  std::vector<double> charge;  ///< free charge of every conductor, C
  std::vector<Vec3d> force;    ///< of every panel, N; over a body: on it and what is within it
  /// (1/2) sum of free charges times potentials, and of the total charge times the potential of the field
  /// applied: what it takes to bring everything into that field, J.
  double energy = 0.0;
};

/// F = eps_0 eps_o int (E.n) E - E^2 n / 2 dA over the outer sides of bodies [J99 sec. 6.7].
ElectricLoads loads(const ElectricProblem& problem, const ElectricSolution& solution,
                    const FlowOptions& options, Backend& backend);

struct ElectricField {
  std::vector<double> potential;     ///< V
  std::vector<Vec3d> field;          ///< E, V/m
  std::vector<std::uint8_t> inside;  ///< 1 within conductors; the other values are zero there
};

/// At any points, in all media.
ElectricField evaluate_field(const ElectricProblem& problem, const ElectricSolution& solution,
                             std::span<const Vec3d> points, const FlowOptions& options,
                             Backend& backend);

}  // namespace rankine::bem
