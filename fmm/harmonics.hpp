// Real solid harmonics and their gradients, for host and device.
//
// Basis of Gumerov & Duraiswami 2008 ([GD08] eqs. (7)-(12)), real and imaginary parts as separate
// functions, in the normalisation where rotations are orthogonal (alpha = beta = 1 in [GD08],
// Schmidt's semi-normalisation):
//
//   R_n^m(r) = nu_m sqrt((n-|m|)!/(n+|m|)!) r^n P_n^|m|(cos theta) cos(m phi) ,      m >= 0
//                                                                  sin(|m| phi) ,    m < 0
//   S_n^m(r) = R_n^m(r) / r^(2n+1)
//   nu_0 = 1 ,  nu_m = sqrt(2) ,  P without the Condon-Shortley phase
//
// so that
//
//   1/|x - y| = sum_nm R_n^m(y) S_n^m(x)    for |y| < |x|    [GD08 eq. (14)]
//   |R_n^m(r)| <= r^n
//
// An expansion of order p holds p^2 coefficients; (n, m) stands at n^2 + n + m, so a lower order is
// a prefix. Expansions are scale-free: in a box of edge h with centre c,
//
//   M_n^m  = sum_j q_j R_n^m((y_j - c)/h)
//   phi(x) = 1/h sum_nm M_n^m S_n^m((x - c)/h)    far from the box
//   phi(x) = 1/h sum_nm L_n^m R_n^m((x - c)/h)    inside it
#pragma once

#include <cmath>

#include "rankine/fmm/core/host_device.hpp"

namespace rankine::fmm {

/// Orders are below this, so that the expansions of a gradient fit too.
inline constexpr int max_order = 48;

/// The two families: R (regular at the origin) and S (decaying at infinity).
enum class Harmonic { regular, singular };

RANKINE_HD constexpr int coefficient_count(int order) { return order * order; }
RANKINE_HD constexpr int coefficient_index(int n, int m) { return n * n + n + m; }

/// Factors of the three-term recursion, [GD08] eq. (15) in this normalisation:
///   R_m^m + i R_m^-m = diagonal(m) (x + i y) (R_{m-1}^{m-1} + i R_{m-1}^{-(m-1)})
///   R_n^m            = up(n, m) z R_{n-1}^m - back(n, m) r^2 R_{n-2}^m
struct RecursionFactors {
  RANKINE_HD static double diagonal(int m) {
    return m == 1 ? 1.0 : std::sqrt((2.0 * m - 1.0) / (2.0 * m));
  }
  RANKINE_HD static double up(int n, int m) {
    return (2.0 * n - 1.0) / std::sqrt(double(n) * n - double(m) * m);
  }
  RANKINE_HD static double back(int n, int m) {
    return std::sqrt(((n - 1.0) * (n - 1.0) - double(m) * m) / (double(n) * n - double(m) * m));
  }
};

/// The factors laid out in the order in which regular_harmonics uses them.
template <class T>
struct RecursionTable {
  T diagonal[max_order];
  T up[max_order * max_order];  ///< at n * max_order + m
  T back[max_order * max_order];

  RecursionTable() {
    for (int n = 0; n < max_order; ++n) {
      diagonal[n] = n == 0 ? T(0) : T(RecursionFactors::diagonal(n));
      for (int m = 0; m < max_order; ++m) {
        up[n * max_order + m] = m < n ? T(RecursionFactors::up(n, m)) : T(0);
        back[n * max_order + m] = m < n - 1 ? T(RecursionFactors::back(n, m)) : T(0);
      }
    }
  }
};

/// Calls visit(coefficient_index(n, m), R_n^m(x, y, z)) for n < order and
/// m = +-first, +-(first + step), ... T may be a scalar or a SIMD pack; S is its scalar type.
template <class S, class T, class Visit>
RANKINE_HD inline void visit_regular_harmonics(const RecursionTable<S>& table, int order, int first,
                                               int step, T x, T y, T z, Visit&& visit) {
  const T r2 = x * x + y * y + z * z;
  T cosine = T{} + S(1);  // (x + i y)^m with the diagonal factors
  T sine = T{};
  int power = 0;
  for (int m = first; m < order; m += step) {
    for (; power < m; ++power) {
      const T c = (x * cosine - y * sine) * table.diagonal[power + 1];
      sine = (x * sine + y * cosine) * table.diagonal[power + 1];
      cosine = c;
    }
    T c1 = cosine, s1 = sine, c2 = T{}, s2 = T{};
    visit(coefficient_index(m, m), cosine);
    if (m > 0) visit(coefficient_index(m, -m), sine);
    for (int n = m + 1; n < order; ++n) {
      const T a = z * table.up[n * max_order + m];
      const T b = r2 * table.back[n * max_order + m];
      const T c = a * c1 - b * c2;
      c2 = c1;
      c1 = c;
      visit(coefficient_index(n, m), c);
      if (m > 0) {
        const T s = a * s1 - b * s2;
        s2 = s1;
        s1 = s;
        visit(coefficient_index(n, -m), s);
      }
    }
  }
}

/// Evaluates R_n^m(x, y, z) for n < order into out[coefficient_index(n, m)].
template <class S, class T>
RANKINE_HD inline void regular_harmonics(const RecursionTable<S>& table, int order, T x, T y, T z,
                                         T* out) {
  visit_regular_harmonics<S, T>(table, order, 0, 1, x, y, z,
                                [out](int index, T value) { out[index] = value; });
}

}  // namespace rankine::fmm
