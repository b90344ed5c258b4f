// Real solid harmonics, for host and device and any number type.
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
// The recursion is
//
//   R_n^{+-m}   = Q_n^m {C_m, S_m}
//   C_m + i S_m = C_0 (x + i y)^m diagonal(1) ... diagonal(m)
//   Q_m^m       = 1
//   Q_n^m       = up(n, m) z Q_{n-1}^m - back(n, m) r^2 Q_{n-2}^m    [GD08 eq. (15)]
//   S_n^m(r)    = R_n^m(r / |r|^2) / |r|
//
// The same without normalisation takes fewer operations; one factor at the end normalises:
//
//   R_n^{+-m}   = monic(n, m) q_n^m {c_m, s_m} ,   c_m + i s_m = C_0 (x + i y)^m
//   q_n^m       = z q_{n-1}^m - monic_back(n, m) r^2 q_{n-2}^m ,   q_m^m = 1
//
// An expansion of order p has p^2 coefficients; (n, m) has the index n^2 + n + m, so the
// coefficients of a lower order are the first ones. Expansions are in units of the box: in a box of
// edge h with centre c,
//
//   M_n^m  = sum_j q_j R_n^m((y_j - c)/h)
//   phi(x) = 1/h sum_nm M_n^m S_n^m((x - c)/h)    far from the box
//   phi(x) = 1/h sum_nm L_n^m R_n^m((x - c)/h)    inside it
#pragma once

#include <cmath>
#include <type_traits>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/reciprocal_root.hpp"

namespace rankine::fmm {

/// Orders of expansions are below this.
inline constexpr int max_order = 48;
/// The highest order of harmonics: second derivatives of a multipole expansion have two degrees
/// more.
inline constexpr int max_harmonics = max_order + 1;

/// The two families: R (regular at the origin) and S (decaying at infinity).
enum class Harmonic { regular, singular };

RANKINE_HD constexpr int coefficient_count(int order) { return order * order; }
RANKINE_HD constexpr int coefficient_index(int n, int m) { return n * n + n + m; }

/// The type of the scalars that multiply a number of type T: T itself, or T::Scalar.
template <class T>
struct ScalarOf {
  using Type = T;
};
template <class T>
requires requires { typename T::Scalar; }
struct ScalarOf<T> {
  using Type = typename T::Scalar;
};
template <class T>
using Scalar = typename ScalarOf<T>::Type;

/// 1/sqrt(x); zero if x is zero. Other number types have their own overload.
template <class T>
requires std::is_floating_point_v<T> RANKINE_HD inline T inverse_root(T x) {
  return x > T(0) ? reciprocal_root(x) : T(0);
}

template <class T>
RANKINE_HD inline T one() {
  return T{} + Scalar<T>(1);
}

/// Factors of the recursion, for any degree.
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
  RANKINE_HD static double monic(int n, int m) {
    double factor = 1.0;
    for (int k = 1; k <= m; ++k) factor *= diagonal(k);
    for (int k = m + 1; k <= n; ++k) factor *= up(k, m);
    return factor;
  }
  RANKINE_HD static double monic_back(int n, int m) {
    return ((n - 1.0) * (n - 1.0) - double(m) * m) / ((2.0 * n - 1.0) * (2.0 * n - 3.0));
  }
};

/// The factors of degrees below max_harmonics in working precision.
template <class T>
class RecursionTable {
 public:
  RecursionTable() {
    for (int n = 0; n < max_harmonics; ++n) {
      diagonal_[n] = n == 0 ? T(0) : T(RecursionFactors::diagonal(n));
      for (int m = 0; m < max_harmonics; ++m) {
        up_[n * max_harmonics + m] = m < n ? T(RecursionFactors::up(n, m)) : T(0);
        back_[n * max_harmonics + m] = m < n - 1 ? T(RecursionFactors::back(n, m)) : T(0);
      }
    }
  }

  RANKINE_HD T diagonal(int m) const { return diagonal_[m]; }
  RANKINE_HD T up(int n, int m) const { return up_[n * max_harmonics + m]; }
  RANKINE_HD T back(int n, int m) const { return back_[n * max_harmonics + m]; }

 private:
  T diagonal_[max_harmonics];
  T up_[max_harmonics * max_harmonics];
  T back_[max_harmonics * max_harmonics];
};

/// monic_back of degrees below max_harmonics in working precision.
template <class T>
class MonicTable {
 public:
  MonicTable() {
    for (int n = 1; n < max_harmonics; ++n) {
      for (int m = 0; m < n; ++m)
        back_[n * max_harmonics + m] = T(RecursionFactors::monic_back(n, m));
    }
  }

  RANKINE_HD T back(int n, int m) const { return back_[n * max_harmonics + m]; }

 private:
  T back_[max_harmonics * max_harmonics] = {};
};

/// A point at which R is evaluated, and C_0, by which every harmonic is multiplied.
template <class T>
struct HarmonicPoint {
  T x, y, z, r2, start;
};

/// The point at which R equals the harmonics of `kind` at (x, y, z). Singular harmonics at the
/// origin are zero.
template <class T>
RANKINE_HD inline HarmonicPoint<T> harmonic_point(Harmonic kind, T x, T y, T z, T start) {
  const T r2 = x * x + y * y + z * z;
  if (kind == Harmonic::regular) return {x, y, z, r2, start};
  const T u = inverse_root(r2), u2 = u * u;
  return {x * u2, y * u2, z * u2, u2, start * u};
}

/// C_m and S_m, starting with m = 0.
template <class T>
struct Azimuth {
  T cosine, sine{};

  /// Advances to the next m, given its diagonal factor.
  RANKINE_HD void advance(const HarmonicPoint<T>& at, Scalar<T> diagonal) {
    const T c = (at.x * cosine - at.y * sine) * diagonal;
    sine = (at.x * sine + at.y * cosine) * diagonal;
    cosine = c;
  }
  /// The same for c_m and s_m.
  RANKINE_HD void advance(const HarmonicPoint<T>& at) {
    const T c = at.x * cosine - at.y * sine;
    sine = at.x * sine + at.y * cosine;
    cosine = c;
  }
};

/// q_n^m of one m, starting with n = m.
template <class T>
struct Ascent {
  T q, before{};

  /// Advances to the next n, given its factor.
  RANKINE_HD void climb(T z, T r2, Scalar<T> monic_back) {
    const T next = z * q - (r2 * monic_back) * before;
    before = q;
    q = next;
  }
};

/// Calls visit(coefficient_index(n, m), R_n^m) for n < order. Factors is RecursionFactors or a
/// RecursionTable.
template <class Factors, class T, class Visit>
RANKINE_HD inline void visit_harmonics(const Factors& factors, int order,
                                       const HarmonicPoint<T>& at, Visit&& visit) {
  Azimuth<T> azimuth{at.start};
  for (int m = 0; m < order; ++m) {
    if (m > 0) azimuth.advance(at, factors.diagonal(m));
    const auto leave = [&](int n, const T& q) {
      visit(coefficient_index(n, m), azimuth.cosine * q);
      if (m > 0) visit(coefficient_index(n, -m), azimuth.sine * q);
    };
    const auto climb = [&](int n, const T& q, T& before) {
      before = (at.z * factors.up(n, m)) * q - (at.r2 * factors.back(n, m)) * before;
    };
    // Two variables alternate, since with copies compilers would use memory.
    T even = one<T>(), odd{};
    for (int n = m;;) {
      leave(n, even);
      if (++n >= order) break;
      climb(n, even, odd);
      leave(n, odd);
      if (++n >= order) break;
      climb(n, odd, even);
    }
  }
}

}  // namespace rankine::fmm
