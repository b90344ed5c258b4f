// Predicts the value of a function at a point of a plane from values around it. The value at the
// point itself is not used. Host and device. T may be a number or SIMD lanes.
#pragma once

#include <array>

#include "rankine/bem/panels/plane_fit.hpp"

namespace rankine::bem {

/// The values at the origin of quadratics fitted to samples(k), k < most, by least squares with the
/// weights of bem/panels/plane_fit.hpp; a lane has `count` samples. Linear functions or constants
/// are fitted if the samples do not determine more; without samples the value is 0. `least`: as for
/// Whitening.
template <int Values, class T>
class OriginPrediction {
 public:
  template <class Samples>
  RANKINE_HD OriginPrediction(int most, T count, const Samples& samples, T least) : count_(count) {
    const Whitening<T> whitening(most, count, samples, least);
    for (int k = 0; k < most; ++k) add(whitening(samples(k)), T(k) < count);
  }

  RANKINE_HD std::array<T, Values> values() const {
    std::array<T, Values> result;
    for (int v = 0; v < Values; ++v) result[v] = sum_[v] / select(count_ > T(0.0), count_, T(1.0));
    Mask<T> left = count_ > T(0.0);
    predict<6>(left, result);
    predict<3>(left, result);
    return result;
  }

 private:
  static constexpr int highest = 4;  ///< degree of the products of two terms
  static constexpr int powers = 15;
  static constexpr int most_terms = 6;

  /// Exponents of x and y in term k.
  RANKINE_HD static int of_x(int k) {
    constexpr int exponents[most_terms] = {0, 1, 0, 2, 1, 0};
    return exponents[k];
  }
  RANKINE_HD static int of_y(int k) {
    constexpr int exponents[most_terms] = {0, 0, 1, 0, 1, 2};
    return exponents[k];
  }

  RANKINE_HD void add(const PlaneSamples<Values, T>& s, Mask<T> is_there) {
    T x[highest + 1], y[highest + 1];
    x[0] = select(is_there, weight_of_sample(s.x * s.x + s.y * s.y), T(0.0));
    y[0] = 1.0;
    for (int k = 1; k <= highest; ++k) {
      x[k] = x[k - 1] * s.x;
      y[k] = y[k - 1] * s.y;
    }
    int at = 0;
    for (int degree = 0; degree <= highest; ++degree) {
      for (int b = 0; b <= degree; ++b) of_powers_[at++] += x[degree - b] * y[b];
    }
    for (int v = 0; v < Values; ++v) {
      sum_[v] += s[v];
      for (int k = 0; k < most_terms; ++k) of_values_[v][k] += x[of_x(k)] * y[of_y(k)] * s[v];
    }
  }

  RANKINE_HD T moment(int a, int b) const { return of_powers_[(a + b) * (a + b + 1) / 2 + b]; }

  /// Solves for the lanes that are `left` if there is at least one more sample than terms.
  template <int Terms>
  RANKINE_HD void predict(Mask<T>& left, std::array<T, Values>& result) const {
    Mask<T> here = left && count_ >= T(Terms + 1);
    if (!any(here)) return;
    const SmallCholesky<Terms, T> factors(
        [&](int i, int j) { return moment(of_x(i) + of_x(j), of_y(i) + of_y(j)); });
    here = here && factors.is_regular(1e-4);
    if (!any(here)) return;
    T of_constant[Terms] = {T(1.0)};
    factors.solve(of_constant);
    for (int v = 0; v < Values; ++v) {
      T sum = 0.0;
      for (int k = 0; k < Terms; ++k) sum += of_constant[k] * of_values_[v][k];
      result[v] = select(here, sum, result[v]);
    }
    left = left && !here;
  }

  T count_;
  T of_powers_[powers] = {};              ///< weighted sums of x^a y^b
  T of_values_[Values][most_terms] = {};  ///< weighted sums of terms times values
  T sum_[Values] = {};
};

}  // namespace rankine::bem
