// The pair term of 1/r: the contribution of a charge q and a dipole of moment mu to a target.
//
//   r           = x - y                                              (target minus source)
//   u           = 1/|r|
//   phi         = q u + (mu.r) u^3
//   grad phi    = u^3 mu - (q + 3 (mu.r) u^2) u^3 r
//   d_i d_j phi = r_i v_j + v_i r_j - (q + 3 (mu.r) u^2) u^3 delta_ij
//   v           = 3/2 (q + 5 (mu.r) u^2) u^5 r - 3 u^5 mu
//
// The code is for any number type: double, float, SIMD packs, dual numbers, on the host and on a
// device. The factor 1/(4 pi) is not applied.
#pragma once

#include "rankine/fmm/kernels/pair_terms.hpp"

namespace rankine::fmm {

struct Laplace {
  static constexpr bool vortices = false;

  /// The part of a pair that does not depend on strengths.
  template <class T>
  struct Pair {
    T r[3];
    T u, u2, u3;
  };

  template <class T>
  RANKINE_HD_INLINE static T under_root(const T& r2) {
    return r2;
  }

  /// `u` = 0 leaves the pair out.
  template <class T>
  RANKINE_HD_INLINE static Pair<T> pair(const T& rx, const T& ry, const T& rz, const T& u) {
    const T u2 = u * u;
    return {{rx, ry, rz}, u, u2, u * u2};
  }
  template <class T, class S>
  RANKINE_HD_INLINE static Pair<T> pair(const T& rx, const T& ry, const T& rz, const T& u,
                                        const S&) {
    return pair(rx, ry, rz, u);
  }

  /// Adds the contribution of the strengths, scalars of T, to sum[0 ... components(terms)).
  /// Strengths that `terms` excludes are not read.
  template <PairTerms terms, class T, class S>
  RANKINE_HD_INLINE static void add(const Pair<T>& at, const S& charge, const S* dipole, T* sum) {
    const T* r = at.r;
    T radial;  // (q + 3 (mu.r) u^2) u^3
    T along;   // (mu.r) u^2
    T both;    // q + (mu.r) u^2
    if constexpr (terms.dipoles) {
      along =
          multiply_add(r[0], dipole[0], multiply_add(r[1], dipole[1], r[2] * dipole[2])) * at.u2;
      both = along;
      if constexpr (terms.charges) both = both + charge;
      sum[0] = multiply_add(at.u, both, sum[0]);
      if constexpr (terms.derivatives > 0) radial = multiply_add(along, S(2), both) * at.u3;
    } else {
      const T qu = at.u * charge;
      if constexpr (terms.potential) sum[0] = sum[0] + qu;
      if constexpr (terms.derivatives > 0) radial = qu * at.u2;
    }
    if constexpr (terms.derivatives > 0) {
      for (int i = 0; i < 3; ++i) {
        T& gradient = sum[gradient_at + i];
        if constexpr (terms.dipoles) gradient = multiply_add(at.u3, dipole[i], gradient);
        gradient = multiply_add(-radial, r[i], gradient);
      }
    }
    if constexpr (terms.derivatives > 1) {
      T* const h = sum + hessian_at;
      const T u5 = at.u3 * at.u2;
      T v[3];
      if constexpr (terms.dipoles) {
        const T outward = multiply_add(along, S(4), both) * u5 * S(1.5);
        for (int i = 0; i < 3; ++i) v[i] = multiply_add(u5 * S(-3), dipole[i], outward * r[i]);
      } else {
        const T outward = radial * at.u2 * S(1.5);
        for (int i = 0; i < 3; ++i) v[i] = outward * r[i];
      }
      int at_row = 0;
      for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j, ++at_row) {
          h[at_row] = multiply_add(r[i], v[j], multiply_add(v[i], r[j], h[at_row]));
          if (i == j) h[at_row] = h[at_row] - radial;
        }
      }
    }
  }

  /// add() already gives the components.
  template <PairTerms, class T>
  RANKINE_HD_INLINE static void finish(T*) {}
};

}  // namespace rankine::fmm
