// The gradient rule (below) as lists of terms, applied to whole expansions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {

// Derivatives of the real solid harmonics, for host and device:
//
//   d/da R_n^m = sum_m' coefficient R_{n-1}^m' ,     a = x, y, z
//   d/da S_n^m = sum_m' coefficient S_{n+1}^m'
//
// From (d/dx + i d/dy) and (d/dx - i d/dy) acting on the complex harmonics [ED95 sec. 2], split
// into real and imaginary parts. The rule is the same for both kinds except for the degree and the
// normalisation. So the gradient of an expansion is three expansions, and a dipole is a charge
// whose harmonics are differentiated.

/// Normalisation of d/da of (n, m) in terms of (n -+ 1, m2), for non-negative m and m2 that differ
/// by at most one.
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

/// Second derivatives are stored as xx, xy, xz, yy, yz, zz.
inline constexpr int second_derivatives[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

/// Derivatives of expansions along an axis. A coefficient of the derivative is a sum of at most two
/// coefficients of the expansion, times factors. Derivatives have order - 1 (regular) or order + 1.
template <class T>
class GradientTerms {
 public:
  struct Term {
    std::int32_t of[2] = {};
    T coefficient[2] = {};
  };

  GradientTerms() = default;
  GradientTerms(Harmonic kind, int order)
      : derivative_order_(kind == Harmonic::regular ? std::max(order - 1, 0) : order + 1) {
    for (auto& terms : terms_) terms.resize(coefficient_count(derivative_order_));
    const int step = kind == Harmonic::regular ? -1 : 1;
    for (int n = 0; n < order; ++n) {
      for (int m = -n; m <= n; ++m) {
        visit_gradient(kind, n, m, [&](int axis, int m2, double coefficient) {
          Term& term = terms_[axis][coefficient_index(n + step, m2)];
          const int i = term.coefficient[0] == T(0) ? 0 : 1;
          term.of[i] = coefficient_index(n, m);
          term.coefficient[i] = static_cast<T>(coefficient);
        });
      }
    }
  }

  /// Order of the derivatives' expansions.
  int derivative_order() const { return derivative_order_; }

  /// Coefficients of d/d(axis) of an expansion, derivative_order()^2, overwritten; without the
  /// highest `left_out` degrees of both expansions.
  void differentiate(int axis, const T* expansion, T* derivative, int left_out = 0) const {
    visit(axis, expansion, left_out, [&](int k, T value) { derivative[k] = value; });
  }

  /// Adds `factor` times these coefficients.
  void add(int axis, T factor, const T* expansion, T* derivative, int left_out = 0) const {
    visit(axis, expansion, left_out, [&](int k, T value) { derivative[k] += factor * value; });
  }

  /// One term for each coefficient of the derivative; unused factors are zero.
  const std::vector<Term>& terms(int axis) const { return terms_[axis]; }

 private:
  template <class Put>
  void visit(int axis, const T* expansion, int left_out, const Put& put) const {
    const Term* const terms = terms_[axis].data();
    for (int k = 0; k < coefficient_count(derivative_order_ - left_out); ++k) {
      const auto& [of, coefficient] = terms[k];
      put(k, coefficient[0] * expansion[of[0]] + coefficient[1] * expansion[of[1]]);
    }
  }

  int derivative_order_ = 0;
  std::array<std::vector<Term>, 3> terms_;
};

}  // namespace rankine::fmm
