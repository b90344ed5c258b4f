// Least squares in a plane: polynomials
//
//   f(x, y) = c + s_0 x + s_1 y + s_2 x^2 + s_3 x y + s_4 y^2 + s_5 x^3 + s_6 x^2 y + s_7 x y^2 + s_8 y^3
//
// of 2, 5 or 9 terms, exact at the origin, through values given around it, weighted by 1/d^2.
#pragma once

#include <array>
#include <span>

namespace rankine::bem {

/// A value less that at the origin. Lengths in a unit of about the distances between samples.
struct PlaneSample {
  double x, y, value;
};

struct PlanePolynomial {
  double constant = 0.0;
  std::array<double, 9> s{};
  int terms = 0;

  double operator()(double x, double y) const {
    return constant + x * (s[0] + x * (s[2] + x * s[5] + y * s[6]) + y * s[3]) +
           y * (s[1] + y * (s[4] + x * s[7] + y * s[8]));
  }
};

/// With as many terms as the samples fix, at most `most_terms`; where not even two, the slope of least
/// norm along the line on which they lie.
PlanePolynomial fit_plane(std::span<const PlaneSample> samples, int most_terms = 9);

}  // namespace rankine::bem
