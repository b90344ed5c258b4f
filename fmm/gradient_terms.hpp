// The gradient rule of fmm/gradient_map.hpp as a list of terms, applied to whole expansions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rankine/fmm/gradient_map.hpp"

namespace rankine::fmm {

/// d/d(axis) of basis function `of` = sum coefficient * basis function `in`. Regular: `in` has
/// order - 1; singular: order + 1.
template <class T>
class GradientTerms {
 public:
  struct Term {
    std::int32_t axis, of, in;
    T coefficient;
  };

  GradientTerms(Harmonic kind, int order) : kind_(kind), order_(order) {
    const int step = kind == Harmonic::regular ? -1 : 1;
    for (int n = 0; n < order; ++n) {
      for (int m = -n; m <= n; ++m) {
        visit_gradient(kind, n, m, [&](int axis, int m2, double coefficient) {
          terms_.push_back({axis, coefficient_index(n, m), coefficient_index(n + step, m2),
                            static_cast<T>(coefficient)});
        });
      }
    }
  }

  /// Order of the gradient's expansions.
  int gradient_order() const {
    return kind_ == Harmonic::regular ? std::max(order_ - 1, 0) : order_ + 1;
  }

  /// Coefficients of the three derivatives of an expansion: gradient[axis], gradient_order()^2
  /// each, overwritten.
  void differentiate(const T* expansion, T* const* gradient) const {
    const int size = coefficient_count(gradient_order());
    for (int axis = 0; axis < 3; ++axis) std::fill(gradient[axis], gradient[axis] + size, T(0));
    for (const Term& term : terms_)
      gradient[term.axis][term.in] += term.coefficient * expansion[term.of];
  }

  /// expansion += scale * the moments of dipoles, given the sums of the basis weighted with each
  /// dipole component.
  void collect_dipoles(const T* const* component_sums, T scale, T* expansion) const {
    for (const Term& term : terms_)
      expansion[term.of] += scale * term.coefficient * component_sums[term.axis][term.in];
  }

  const std::vector<Term>& terms() const { return terms_; }

 private:
  Harmonic kind_;
  int order_;
  std::vector<Term> terms_;
};

}  // namespace rankine::fmm
