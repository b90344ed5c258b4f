// Least squares in a plane: polynomials
//
//   f = c + s_0 u + s_1 v + s_2 u^2 + s_3 u v + s_4 v^2 + s_5 u^3 + s_6 u^2 v + s_7 u v^2 + s_8 v^3
//
// of 2, 5 or 9 terms, exact at the origin, through values given around it, weighted by 1/(u^2 + v^2 + 0.1),
// in coordinates u = a_0 x + a_1 y, v = a_2 y along which the samples spread alike. Host and device.
#pragma once

#include <array>
#include <cmath>

#include "rankine/bem/panels/small_cholesky.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

/// A value less that at the origin. Lengths in a unit of about the distances between samples.
struct PlaneSample {
  double x, y, value;

  RANKINE_HD double operator[](int) const { return value; }
};

/// Several values in one place.
template <int Values>
struct PlaneSamples {
  double x, y, values[Values];

  RANKINE_HD double operator[](int v) const { return values[v]; }
};

struct PlanePolynomial {
  double constant = 0.0;
  double s[9] = {};
  double axes[3] = {1.0, 0.0, 1.0};  ///< a
  int terms = 0;

  RANKINE_HD double operator()(double x, double y) const {
    const double u = axes[0] * x + axes[1] * y, v = axes[2] * y;
    return constant + u * (s[0] + u * (s[2] + u * s[5] + v * s[6]) + v * s[3]) +
           v * (s[1] + v * (s[4] + u * s[7] + v * s[8]));
  }
  /// At the origin.
  RANKINE_HD double slope_x() const { return s[0] * axes[0]; }
  RANKINE_HD double slope_y() const { return s[0] * axes[1] + s[1] * axes[2]; }
  /// Anywhere: along x and y.
  struct Slopes {
    double x, y;
  };
  RANKINE_HD Slopes slopes(double x, double y) const {
    const double u = axes[0] * x + axes[1] * y, v = axes[2] * y;
    const double along_u = s[0] + u * (2.0 * s[2] + 3.0 * u * s[5] + 2.0 * v * s[6]) +
                           v * (s[3] + v * s[7]),
                 along_v = s[1] + v * (2.0 * s[4] + 2.0 * u * s[7] + 3.0 * v * s[8]) +
                           u * (s[3] + u * s[6]);
    return {axes[0] * along_u, axes[1] * along_u + axes[2] * along_v};
  }
};

/// The root mean square that samples around a panel must spread in every direction, in units of its
/// radius: a hundredth of what it is wide. Less is chance: points of panels in a row, as quadrilaterals
/// between sharp edges are, lie a hair beside their middles.
RANKINE_HD inline double least_spread(double area, double radius) {
  return 0.01 * area / (radius * radius);
}

/// Axes along which samples spread alike. Meshes stretched along the surface are regular in them. Samples
/// that spread less than `least` in some direction keep their axes.
struct Whitening {
  double axes[3] = {1.0, 0.0, 1.0};  ///< a

  /// Of samples(k), k < count.
  template <class Samples>
  RANKINE_HD Whitening(int count, const Samples& samples, double least) {
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (int k = 0; k < count; ++k) {
      const auto s = samples(k);
      xx += s.x * s.x;
      xy += s.x * s.y;
      yy += s.y * s.y;
    }
    if (!(yy > 0.0)) return;
    if (xx * yy - xy * xy < least * least * count * (xx + yy)) return;
    const double left = xx - xy * xy / yy;  // of x, once its share in y is taken away
    if (!(left > 1e-12 * xx)) return;
    axes[0] = sqrt(count / left);
    axes[1] = -axes[0] * xy / yy;
    axes[2] = sqrt(count / yy);
  }

  /// The same sample in these axes.
  template <class Sample>
  RANKINE_HD Sample operator()(Sample s) const {
    s.x = axes[0] * s.x + axes[1] * s.y;
    s.y *= axes[2];
    return s;
  }
};

/// What fits of several values in the same places need to know of them, so that samples are seen twice and not
/// kept. They share the normal equations.
template <int Values>
class PlaneFits {
 public:
  /// Through samples(k), k < count, PlaneSample or PlaneSamples. `least`: as of Whitening.
  template <class Samples>
  RANKINE_HD PlaneFits(int count, const Samples& samples, double least)
      : count_(count), whitening_(count, samples, least) {
    for (int k = 0; k < count; ++k) add(whitening_(samples(k)));
  }

  /// Of a sample at the distance d, where the root mean square is 1 along either axis: 1/d^2, but not
  /// more for samples so close that their differences are noise, the neighbours of slivers.
  RANKINE_HD static double weight_at(double d2) { return 1.0 / (d2 + 0.1); }

  /// With as many terms as the samples fix, and such that the slopes are at most three times as steep
  /// as the samples: nothing overshoots where they are uneven. Where they do not fix even two terms,
  /// the slope of least norm along the line on which they lie.
  RANKINE_HD std::array<PlanePolynomial, Values> polynomials() const {
    std::array<PlanePolynomial, Values> result;
    bool solved[Values] = {};
    solve<9>(result, solved);
    solve<5>(result, solved);
    for (int v = 0; v < Values; ++v) {
      for (int k = 0; k < 3; ++k) result[v].axes[k] = whitening_.axes[k];
      if (!solved[v]) solve_slopes(v, result[v]);
    }
    return result;
  }
  RANKINE_HD PlanePolynomial polynomial() const requires(Values == 1) { return polynomials()[0]; }

 private:
  static constexpr int highest = 6;  ///< degree of the products of two terms
  static constexpr int powers = 25;  ///< of degrees 2 to 6
  static constexpr int most_terms = 9;

  /// Exponents of x and y in term k.
  RANKINE_HD static int of_x(int k) {
    constexpr int exponents[most_terms] = {1, 0, 2, 1, 0, 3, 2, 1, 0};
    return exponents[k];
  }
  RANKINE_HD static int of_y(int k) {
    constexpr int exponents[most_terms] = {0, 1, 0, 1, 2, 0, 1, 2, 3};
    return exponents[k];
  }

  RANKINE_HD double moment(int a, int b) const {
    const int degree = a + b;
    return of_powers_[degree * (degree + 1) / 2 - 3 + b];
  }

  template <class Sample>
  RANKINE_HD void add(const Sample& s) {
    const double d2 = s.x * s.x + s.y * s.y, weight = weight_at(d2);
    double x[highest + 1], y[highest + 1];
    x[0] = weight;
    y[0] = 1.0;
    for (int k = 1; k <= highest; ++k) {
      x[k] = x[k - 1] * s.x;
      y[k] = y[k - 1] * s.y;
    }
    int at = 0;
    for (int degree = 2; degree <= highest; ++degree) {
      for (int b = 0; b <= degree; ++b) of_powers_[at++] += x[degree - b] * y[b];
    }
    for (int v = 0; v < Values; ++v) {
      for (int k = 0; k < most_terms; ++k) of_values_[v][k] += x[of_x(k)] * y[of_y(k)] * s[v];
      const double steep = s[v] * s[v] / (d2 + 1e-12);
      steepest_[v] = steep > steepest_[v] ? steep : steepest_[v];
    }
  }

  /// Solves for what is not solved for, where the samples fix the terms and no value overshoots.
  template <int Terms>
  RANKINE_HD void solve(std::array<PlanePolynomial, Values>& result, bool (&solved)[Values]) const {
    constexpr int spare = Terms == 9 ? 3 : 1;
    bool all = true;
    for (const bool each : solved) all = all && each;
    if (all || count_ < Terms + spare) return;
    const SmallCholesky<Terms> factors(
        [&](int i, int j) { return moment(of_x(i) + of_x(j), of_y(i) + of_y(j)); });
    if (!factors.is_regular(1e-6)) return;
    for (int v = 0; v < Values; ++v) {
      if (solved[v]) continue;
      double x[Terms];
      for (int i = 0; i < Terms; ++i) x[i] = of_values_[v][i];
      factors.solve(x);
      for (int k = 0; k < most_terms; ++k) result[v].s[k] = k < Terms ? x[k] : 0.0;
      result[v].terms = Terms;
      solved[v] = is_plausible(v, result[v]);
    }
  }

  /// Least squares of least norm in the two slopes: directions without data keep slope zero.
  RANKINE_HD void solve_slopes(int v, PlanePolynomial& result) const {
    const double a = moment(2, 0), b = moment(1, 1), c = moment(0, 2), right_x = of_values_[v][0],
                 right_y = of_values_[v][1], determinant = a * c - b * b, trace = a + c;
    for (double& each : result.s) each = 0.0;
    result.terms = trace > 0.0 ? 2 : 0;
    if (!(trace > 0.0)) return;
    if (determinant > 1e-6 * trace * trace) {
      result.s[0] = (c * right_x - b * right_y) / determinant;
      result.s[1] = (a * right_y - b * right_x) / determinant;
      return;
    }
    // Rank one: the matrix is trace * d d^T, so its pseudo-inverse is the matrix over trace^2.
    result.s[0] = (a * right_x + b * right_y) / (trace * trace);
    result.s[1] = (b * right_x + c * right_y) / (trace * trace);
  }

  RANKINE_HD bool is_plausible(int v, const PlanePolynomial& fit) const {
    constexpr double allowed = 3.0 * 3.0;
    return fit.s[0] * fit.s[0] + fit.s[1] * fit.s[1] <= allowed * steepest_[v];
  }

  int count_;
  Whitening whitening_;
  double of_powers_[powers] =
      {};  ///< weighted sums of x^a y^b, of which all products of terms are made
  double of_values_[Values][most_terms] = {};  ///< of the terms times the values
  double steepest_[Values] = {};               ///< of the samples, squared slope
};

using PlaneFit = PlaneFits<1>;

}  // namespace rankine::bem
