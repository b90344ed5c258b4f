// Plain formulas of vortex particles.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

#include "rankine/bem/particles/vortices.hpp"

namespace rankine::testing {

constexpr std::size_t no_sheet = -1;

/// The share of the strength of a particle within rho core radii.
inline double core_share(fmm::Kernel kernel, double rho) {
  if (kernel == fmm::Kernel::vortex_exponential) return -std::expm1(-rho * rho * rho);
  return std::erf(rho / std::numbers::sqrt2) -
         std::sqrt(2.0 / std::numbers::pi) * rho * std::exp(-0.5 * rho * rho);
}

/// The velocity of the particles, without a particle at x itself.
inline Vec3d biot_savart(const bem::VortexParticles& particles, const Vec3d& x,
                         fmm::Kernel kernel = fmm::Kernel::vortex_exponential) {
  Vec3d u{};
  for (std::size_t j = 0; j < particles.positions.size(); ++j) {
    const Vec3d r = x - particles.positions[j];
    const double d = norm(r);
    if (d == 0.0) continue;
    u += core_share(kernel, d / particles.core_radii[j]) / (4.0 * std::numbers::pi * d * d * d) *
         cross(particles.strengths[j], r);
  }
  return u;
}

}  // namespace rankine::testing
