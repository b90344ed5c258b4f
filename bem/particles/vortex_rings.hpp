// Circular vortex rings: one line of particles, or a core that particles resolve.
//
// A line of particles is a filament with the core sigma of the kernel. It moves with
//
//   U = Gamma / (4 pi R)  int_0^(pi/2) q(2 R sin(s) / sigma) / sin(s) ds
//     = Gamma / (4 pi R) (ln(8 R / sigma) - C) + O(sigma/R)^2 ,
//   C = ln 2 + int_0^inf q'(rho) ln(rho) drho :
//
// where C = 0.5007 = ln 2 - gamma/3 for the core exp(-rho^3), and 1.0580 for the Gaussian core, by
// the Biot-Savart law on the filament itself. A ring with the vorticity Gamma / (pi a^2) exp(-s^2 /
// a^2) about its centre line has U = Gamma / (4 pi R) (ln(8 R / a) - 0.558) [S70; S92, ch. 10].
#pragma once

#include <cstddef>

#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {

struct VortexRing {
  double radius = 1.0;       ///< R, m
  double circulation = 1.0;  ///< Gamma, m^2/s, right-handed about the axis
  double core_radius = 0.0;  ///< a, m; 0: a filament with the core of the kernel
  Vec3d centre{};
  Vec3d axis{0.0, 0.0, 1.0};  ///< of any length; the ring moves along it if Gamma > 0
};

/// The mean square extent of a kernel's core along an axis, over sigma^2.
double core_variance(fmm::Kernel kernel);

/// At least `least` particles for each ring, ring by ring, with cores of radius `sigma`. In a
/// resolved core they lie on circles about the centre line, 8 k on circle k [KG90], up to the
/// radius that encloses 99.8 % of the circulation. The vorticity of all their cores together has
/// the core radius a. Throws InputError if their cores alone are wider than a, and for radii or
/// axes of zero.
VortexParticles vortex_rings(const std::vector<VortexRing>& rings, std::size_t least, double sigma,
                             fmm::Kernel kernel);

/// Number of particles that vortex_rings() makes for a ring.
std::size_t particles_of(const VortexRing& ring, std::size_t least, double sigma,
                         fmm::Kernel kernel);

}  // namespace rankine::bem
