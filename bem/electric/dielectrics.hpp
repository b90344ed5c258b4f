// Charges, potentials and fields of conductors and dielectrics (bem/electric/media.hpp).
//
// One solve has a right-hand side for every conductor (1 V on it, 0 V on all others) and one for
// the sources (0 V on all conductors). Potentials of floating conductors follow from the charges,
//
//   Q_i = sum_j C_ij V_j + Q_e,i ,
//
// and the state from the sum. On an interface the normal fields are sigma eps_i / (eps_i - eps_o)
// outside and sigma eps_o / (eps_i - eps_o) inside, without cancellation.
//
// Within a medium of high permittivity, and in regions that it shields, phi_e and S sigma nearly
// cancel, and the field would consist of their errors. There phi is computed again by Green's
// formula, from values without cancellation: the normal field on interfaces and the potential of
// conductors.
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
  std::vector<double> outside, inside;  ///< E.n on both sides, V/m; 0 on sides without a field
};

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
  std::vector<Vec3d> field_outside, field_inside;  ///< E at the points, V/m
  bool converged = true;  ///< also of the solves within media of high permittivity
};

/// The solution for given potentials of the conductors. Throws Stopped.
ElectricSolution solve(const ElectricProblem& problem, const ElectricResponse& response,
                       std::vector<double> volts, const RegionOptions& options, Backend& backend);

struct ElectricLoads {
  std::vector<double> charge;  ///< free charge of every conductor, C
  /// Of every panel, N; the sum over a body is the force on it and on bodies within it.
  std::vector<Vec3d> force;
  /// The work to bring everything into the applied field, J: (1/2) sum of free charges times
  /// potentials and of the total charge times the potential of the applied field.
  double energy = 0.0;
};

/// F = eps_0 eps_o int (E.n) E - E^2 n / 2 dA over the outer sides of bodies [J99 sec. 6.7].
ElectricLoads loads(const ElectricProblem& problem, const ElectricSolution& solution,
                    const RegionOptions& options, Backend& backend);

struct ElectricField {
  std::vector<double> potential;     ///< V
  std::vector<Vec3d> field;          ///< E, V/m
  std::vector<std::uint8_t> inside;  ///< 1 within conductors, where the other values are zero
};

/// At any points, in all media.
ElectricField evaluate_field(const ElectricProblem& problem, const ElectricSolution& solution,
                             std::span<const Vec3d> points, const RegionOptions& options,
                             Backend& backend);

// One medium of an electric problem as a potential problem: the region around all bodies, or the
// region within a body and around the bodies in it. Normals point into it. The potential is that of
// the sources in the medium plus a perturbation, which follows by Green's formula from values on
// the surface.

struct ElectricRegion {
  std::int32_t body = -1;  ///< the body around the region; -1: none
  Incident incident;       ///< of the sources in the region
  Panels panels;
  Domain domain = Domain::exterior;
  std::vector<std::size_t> panel;  ///< index in the electric problem of every panel

  bool is_outer_side(const ElectricProblem& of, std::size_t k) const {
    return of.body[panel[k]] != body;
  }
  Region region() const { return {panels, domain}; }
};

ElectricRegion region_within(const ElectricProblem& problem, std::int32_t body);

/// dphi/dn of the perturbation, n into the region, from the normal fields of `state`.
std::vector<double> perturbation_flux(const ElectricProblem& problem, const ElectricRegion& region,
                                      const ElectricState& state);

/// Computes the potential in the region again, and writes it and the normal fields on its surface
/// into `state`. Known values are the normal field on interfaces to media of lower permittivity,
/// and the potential on other interfaces and on conductors. If no potential is known, the mean over
/// the outer surface is kept. Returns whether the solve converged. Throws Stopped.
bool find_potential_within(const ElectricProblem& problem, std::int32_t body, ElectricState& state,
                           const RegionOptions& options, Backend& backend);

/// The perturbation on the surface, from which it follows in the region.
BoundaryFields perturbation(const ElectricProblem& problem, const ElectricRegion& region,
                            const ElectricSolution& solution);

}  // namespace rankine::bem
