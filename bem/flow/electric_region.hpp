// One medium of an electric problem, as a flow: the region around all bodies, or within one and around those
// in it, whose panels have normals into it. Its potential is that of the medium's own sources and a
// perturbation, by Green's formula from values on its surface.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/flow/dielectrics.hpp"

namespace rankine::bem {

struct ElectricRegion {
  std::int32_t body = -1;  ///< within which it is, -1: none
  Incident incident;       ///< of its own sources
  FlowProblem problem;
  std::vector<std::size_t> panel;  ///< of the electric problem, for each of its own

  bool is_outer_side(const ElectricProblem& of, std::size_t k) const {
    return of.body[panel[k]] != body;
  }
};

ElectricRegion region_within(const ElectricProblem& problem, std::int32_t body);

/// dphi/dn of the perturbation, n into the region, from the normal fields of `state`.
std::vector<double> perturbation_flux(const ElectricProblem& problem, const ElectricRegion& region,
                                      const ElectricState& state);

/// Finds the potential within anew, and puts it and the normal fields on the region's surface into `state`:
/// from the normal field on interfaces to media of lower permittivity, and from the potential on others and on
/// conductors; where no potential is given, the mean over the outer surface is kept. Returns whether it converged. Throws Stopped.
bool find_potential_within(const ElectricProblem& problem, std::int32_t body, ElectricState& state,
                           const FlowOptions& options, Backend& backend);

/// The perturbation.
Solution perturbation(const ElectricProblem& problem, const ElectricRegion& region,
                      const ElectricSolution& solution);

}  // namespace rankine::bem
