// One medium of an electric problem as a potential problem: the region around all bodies, or the
// region within a body and around the bodies in it. Normals point into it. The potential is that of
// the sources in the medium plus a perturbation, which follows by Green's formula from values on
// the surface.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/electric/dielectrics.hpp"

namespace rankine::bem {

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
