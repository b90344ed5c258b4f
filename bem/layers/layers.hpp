// The boundary integral operators of Laplace's equation, G = 1/(4 pi r), r = x - y, n out of the
// body into the fluid:
//
//   single layer          (S  sigma)(x) = int G sigma dA
//   double layer          (D  mu)(x)    = int dG/dn_y mu dA ,   dG/dn_y = n_y.r / (4 pi r^3)
//   adjoint double layer  (K' sigma)(x) = int dG/dn_x sigma dA = n_x . grad S sigma
//   hypersingular layer   (H  mu)(x)    = n_x . grad D mu
//
// On the surface D and K' are principal values and H is Hadamard's finite part: the normal velocity
// of the doublets, the same from both sides. For a panel of constant strength it is the velocity of
// the vortex ring along its edge, which is finite inside the panel, and H 1 = 0 on closed surfaces.
//
// On the unit sphere, with spherical harmonics Y_l:
//
//   S Y_l  =  Y_l / (2l+1)
//   D Y_l  = -Y_l / (2(2l+1))
//   K' Y_l = -Y_l / (2(2l+1))
//   H Y_l  = -l(l+1) Y_l / (2l+1)
#pragma once

#include <numbers>

namespace rankine::bem {

enum class Layer { single_layer, double_layer, adjoint_double_layer, hypersingular };

inline constexpr int layer_count = 4;

/// The factor of G. Sums and panel integrals do not include it; operators apply it.
inline constexpr double inverse_four_pi = 0.25 * std::numbers::inv_pi;

}  // namespace rankine::bem
