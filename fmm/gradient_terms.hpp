// The gradient rule of fmm/gradient_map.hpp as lists of terms, applied to whole expansions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "rankine/fmm/gradient_map.hpp"

namespace rankine::fmm {

/// Second derivatives are stored as xx, xy, xz, yy, yz, zz.
inline constexpr int second_derivatives[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

/// d/d(axis) of basis function `of` = sum coefficient * basis function `in`. Regular: `in` has
/// order - 1; singular: order + 1.
template <class T>
class GradientTerms {
 public:
  struct Term {
    std::int32_t of, in;
    T coefficient;
  };

  GradientTerms(Harmonic kind, int order)
      : derivative_order_(kind == Harmonic::regular ? std::max(order - 1, 0) : order + 1) {
    const int step = kind == Harmonic::regular ? -1 : 1;
    for (int n = 0; n < order; ++n) {
      for (int m = -n; m <= n; ++m) {
        visit_gradient(kind, n, m, [&](int axis, int m2, double coefficient) {
          terms_[axis].push_back({coefficient_index(n, m), coefficient_index(n + step, m2),
                                  static_cast<T>(coefficient)});
        });
      }
    }
  }

  /// Order of the derivatives' expansions.
  int derivative_order() const { return derivative_order_; }

  /// Coefficients of d/d(axis) of an expansion, derivative_order()^2, overwritten.
  void differentiate(int axis, const T* expansion, T* derivative) const {
    std::fill(derivative, derivative + coefficient_count(derivative_order_), T(0));
    add(axis, T(1), expansion, derivative);
  }

  /// Adds `factor` times these coefficients.
  void add(int axis, T factor, const T* expansion, T* derivative) const {
    for (const Term& term : terms_[axis])
      derivative[term.in] += factor * term.coefficient * expansion[term.of];
  }

  const std::vector<Term>& terms(int axis) const { return terms_[axis]; }

 private:
  int derivative_order_;
  std::array<std::vector<Term>, 3> terms_;
};

}  // namespace rankine::fmm
