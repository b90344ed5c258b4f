// The pair term of softened gravity, Plummer's:
//
//   phi = q / sqrt(r^2 + eps^2)
//
// and a dipole's likewise. In terms of u = 1/sqrt(r^2 + eps^2) potential and derivatives are those of
// 1/r, for those of u follow from grad u = -u^3 r alone; where 1/r is harmonic, this is not: it differs
// by about eps^2 / (2 r^3), and expansions do not know (fmm/far_distance.hpp). A pair at distance zero
// contributes nothing, as with every kernel: a point does not attract itself.
#pragma once

#include "rankine/fmm/kernels/laplace.hpp"

namespace rankine::fmm {

template <class S>
struct Plummer : Laplace {
  S softening2{};  ///< eps^2

  template <class T>
  RANKINE_HD_INLINE T under_root(const T& r2) const {
    return r2 + softening2;
  }
  template <class T>
  RANKINE_HD_INLINE T under_root(const T& rx, const T& ry, const T& rz) const {
    return multiply_add(rx, rx, multiply_add(ry, ry, multiply_add(rz, rz, softening2)));
  }
};

}  // namespace rankine::fmm
