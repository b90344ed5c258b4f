// Least squares in a plane: polynomials
//
//   f = c + s_0 u + s_1 v + s_2 u^2 + s_3 u v + s_4 v^2 + s_5 u^3 + s_6 u^2 v + s_7 u v^2 + s_8 v^3
//
// of 2, 5 or 9 terms, exact at the origin, through values given around it, weighted by 1/(u^2 + v^2 + 0.1),
// in coordinates u = a_0 x + a_1 y, v = a_2 y along which the samples spread alike.
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
  std::array<double, 3> axes{1.0, 0.0, 1.0};  ///< a
  int terms = 0;

  double operator()(double x, double y) const {
    const double u = axes[0] * x + axes[1] * y, v = axes[2] * y;
    return constant + u * (s[0] + u * (s[2] + u * s[5] + v * s[6]) + v * s[3]) +
           v * (s[1] + v * (s[4] + u * s[7] + v * s[8]));
  }
  /// At the origin.
  double slope_x() const { return s[0] * axes[0]; }
  double slope_y() const { return s[0] * axes[1] + s[1] * axes[2]; }
};

/// With as many terms as the samples fix, at most `most_terms`, and such that the slopes are at most
/// three times as steep as the samples: nothing overshoots where they are uneven. Where they do not
/// fix even two terms, the slope of least norm along the line on which they lie.
PlanePolynomial fit_plane(std::span<const PlaneSample> samples, int most_terms = 9);

}  // namespace rankine::bem
