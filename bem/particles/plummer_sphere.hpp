// Plummer's sphere [P11], a cluster in equilibrium under its own gravity: density (3 M / 4 pi a^3)
// (1 + r^2/a^2)^(-5/2), potential energy -3 pi G M^2 / 32 a, velocities isotropic.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rankine/bem/particles/gravity.hpp"

namespace rankine::bem {

/// `n` bodies of equal mass, `mass` together, with scale length `scale`, m. Radii, directions and
/// velocities are drawn from the distribution function as in the appendix of [AHW74], without the
/// outermost thousandth of the mass (radii up to 39 a). The centre of mass rests at the origin. One
/// seed gives the same bodies on every machine up to rounding.
Bodies plummer_sphere(std::size_t n, double mass, double scale, double gravitational_constant,
                      std::uint64_t seed);

}  // namespace rankine::bem
