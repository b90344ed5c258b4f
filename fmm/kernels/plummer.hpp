// The pair term of softened gravity, Plummer's:
//
//   phi = q / sqrt(r^2 + eps^2)
//
// and its derivatives for a dipole. Written with u = 1/sqrt(r^2 + eps^2), the potential and its
// derivatives have the formulas of 1/r, since all follow from grad u = -u^3 r. Unlike 1/r, this
// kernel is not harmonic: the two differ by about eps^2 / (2 r^3), which expansions neglect
// (fmm/far_distance.hpp). As with every kernel, a pair at distance zero contributes nothing: a
// point does not attract itself.
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
