// The pair term of 1/r: the contribution of a charge q and a dipole of moment mu to a target.
//
//   r           = x - y                                              (target minus source)
//   u           = 1/|r| ,  e = u r
//   phi         = q u + (mu.r) u^3
//   grad phi    = u^3 (mu - (q + 3 (mu.r) u^2) r)
//   d_i d_j phi = e_i v_j + v_i e_j - (q + 3 (mu.r) u^2) u^3 delta_ij
//   v           = 3/2 (q + 5 (mu.r) u^2) u^3 e - 3 u^4 mu
//
// Multiplied in this order, no intermediate value overflows unless the result does. The exception
// is the gradient of a charge, (q u^3) r, at distances below the inverse cube root of the largest
// number, 1e-13 in float. The code works for every number type (double, float, SIMD packs, dual
// numbers), on host and device. The factor 1/(4 pi) is not applied.
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

  /// `u` = 0 excludes the pair.
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
    T along;   // (mu.r) u^2
    T both;    // q + (mu.r) u^2
    T triple;  // q + 3 (mu.r) u^2
    T radial;  // triple u^3
    if constexpr (terms.dipoles) {
      along =
          multiply_add(r[0], dipole[0], multiply_add(r[1], dipole[1], r[2] * dipole[2])) * at.u2;
      both = along;
      if constexpr (terms.charges) both = both + charge;
      sum[0] = multiply_add(at.u, both, sum[0]);
      if constexpr (terms.derivatives > 0) triple = multiply_add(along, S(2), both);
      if constexpr (terms.derivatives > 1) radial = triple * at.u3;
    } else {
      const T qu = at.u * charge;
      if constexpr (terms.potential) sum[0] = sum[0] + qu;
      if constexpr (terms.derivatives > 0) radial = qu * at.u2;
    }
    if constexpr (terms.derivatives > 0) {
      for (int i = 0; i < 3; ++i) {
        T& gradient = sum[gradient_at + i];
        if constexpr (terms.dipoles) {
          gradient = multiply_add(at.u3, -triple * r[i] + dipole[i], gradient);
        } else {
          gradient = multiply_add(-radial, r[i], gradient);
        }
      }
    }
    if constexpr (terms.derivatives > 1) {
      T* const h = sum + hessian_at;
      T e[3], v[3];
      for (int i = 0; i < 3; ++i) e[i] = at.u * r[i];
      if constexpr (terms.dipoles) {
        const T outward = multiply_add(along, S(4), both) * at.u3 * S(1.5), u4 = at.u3 * at.u;
        for (int i = 0; i < 3; ++i) v[i] = multiply_add(u4 * S(-3), dipole[i], outward * e[i]);
      } else {
        const T outward = radial * S(1.5);
        for (int i = 0; i < 3; ++i) v[i] = outward * e[i];
      }
      int at_row = 0;
      for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j, ++at_row) {
          h[at_row] = multiply_add(e[i], v[j], multiply_add(v[i], e[j], h[at_row]));
          if (i == j) h[at_row] = h[at_row] - radial;
        }
      }
    }
  }

  /// Nothing to do: add() computes the components.
  template <PairTerms, class T>
  RANKINE_HD_INLINE static void finish(T*) {}
};

}  // namespace rankine::fmm
