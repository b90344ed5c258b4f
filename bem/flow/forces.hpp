// Loads and added mass of a solution: integrals over panels of fits to the values at collocation
// points (bem/flow/surface_fits.hpp).
//
//   F   = -int p n dA
//   M   = -int p (x - x0) x n dA
//   k_i = -(1/V) int phi_i dphi_i/dn dA    for unit speed of the body along axis i [L32 §121]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_fits.hpp"

namespace rankine::bem {

struct Loads {
  Vec3d force;   ///< N
  Vec3d moment;  ///< N m, about the reference point
};

/// Pressure loads of the whole surface about `reference`.
Loads pressure_loads(const SurfaceFits& fits, const Vec3d& reference = {});

/// The same for each of `patches` patches of the panels.
std::vector<Loads> pressure_loads_by_patch(const FlowProblem& problem, const SurfaceFits& fits,
                                           std::size_t patches, const Vec3d& reference = {});

/// The same for each body about its own reference point; `body`: the body of every panel.
std::vector<Loads> pressure_loads_by_body(const SurfaceFits& fits,
                                          std::span<const std::int32_t> body,
                                          std::span<const Vec3d> reference);

/// int dphi/dn dA of each of `patches` patches, into the fluid, m^3/s.
std::vector<double> flux_by_patch(const FlowProblem& problem, const Solution& solution,
                                  std::size_t patches);

/// k U, where k is the added-mass tensor over rho V: (1/V) int phi n dA.
Vec3d added_mass_velocity(const FlowProblem& problem, const SurfaceFits& fits);

}  // namespace rankine::bem
