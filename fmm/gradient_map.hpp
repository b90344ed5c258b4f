// Derivatives of the real solid harmonics, for host and device:
//
//   d/da R_n^m = sum_m' coefficient R_{n-1}^m' ,     a = x, y, z
//   d/da S_n^m = sum_m' coefficient S_{n+1}^m'
//
// From (d/dx + i d/dy) and (d/dx - i d/dy) acting on the complex harmonics [ED95 sec. 2], split
// into real and imaginary parts. The rule is the same for both kinds except for the degree and the
// normalisation. So the gradient of an expansion is three expansions, and a dipole is a charge
// whose harmonics are differentiated.
#pragma once

#include <cmath>

#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

/// Normalisation of d/da of (n, m) in terms of (n -+ 1, m2),
/// for m and m2 non-negative and at most one apart.
RANKINE_HD inline double derivative_norm(Harmonic kind, int n, int m, int m2) {
  const double ratio = (m > 0 ? std::sqrt(2.0) : 1.0) / (m2 > 0 ? std::sqrt(2.0) : 1.0);
  const double a = n - m, b = n + m;
  if (kind == Harmonic::regular) {
    if (m2 == m) return std::sqrt(a * b);
    return ratio * (m2 < m ? std::sqrt(b * (b - 1)) : std::sqrt(a * (a - 1)));
  }
  if (m2 == m) return std::sqrt((a + 1) * (b + 1));
  return ratio * (m2 < m ? std::sqrt((a + 1) * (a + 2)) : std::sqrt((b + 1) * (b + 2)));
}

/// Calls visit(axis, m2, coefficient) for every term of the gradient of harmonic (n, m); the terms
/// have degree n - 1 (regular) or n + 1 (singular). At most six terms.
template <class Visit>
RANKINE_HD inline void visit_gradient(Harmonic kind, int n, int m, Visit&& visit) {
  const int abs_m = m < 0 ? -m : m;
  const int degree = kind == Harmonic::regular ? n - 1 : n + 1;
  if (degree < 0) return;
  const bool sine = m < 0;
  if (abs_m <= degree) {
    visit(2, m, (kind == Harmonic::regular ? 1.0 : -1.0) * derivative_norm(kind, n, abs_m, abs_m));
  }
  if (abs_m + 1 <= degree) {
    const int up = abs_m + 1;
    const double c = (abs_m == 0 ? 1.0 : 0.5) * derivative_norm(kind, n, abs_m, up);
    visit(0, sine ? -up : up, -c);
    visit(1, sine ? up : -up, sine ? c : -c);
  }
  if (abs_m >= 1) {
    const int down = abs_m - 1;
    const double c = 0.5 * derivative_norm(kind, n, abs_m, down);
    if (sine) {
      if (down > 0) visit(0, -down, c);
      visit(1, down, c);
    } else {
      visit(0, down, c);
      if (down > 0) visit(1, -down, -c);
    }
  }
}

}  // namespace rankine::fmm
