// The boundary integral operators of Laplace's equation, G = 1/(4 pi r), r = x - y, n out of the
// body into the fluid:
//
//   single layer          (S  sigma)(x) = int G sigma dA
//   double layer          (D  mu)(x)    = int dG/dn_y mu dA ,   dG/dn_y = n_y.r / (4 pi r^3)
//   adjoint double layer  (K' sigma)(x) = int dG/dn_x sigma dA = n_x . grad S sigma
//
// D and K' are principal values on the surface. On the unit sphere
//
//   S Y_l  =  Y_l / (2l+1)
//   D Y_l  = -Y_l / (2(2l+1))
//   K' Y_l = -Y_l / (2(2l+1))
#pragma once

namespace rankine::bem {

enum class Layer { single_layer, double_layer, adjoint_double_layer };

}  // namespace rankine::bem
