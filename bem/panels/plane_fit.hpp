// Least squares in a plane: polynomials
//
//   f = c + s_0 u + s_1 v + s_2 u^2 + s_3 u v + s_4 v^2 + s_5 u^3 + s_6 u^2 v + s_7 u v^2 + s_8 v^3
//
// with 2, 5 or 9 terms, exact at the origin, fitted to values around it with the weights 1/(u^2 +
// v^2 + 0.1). The coordinates u = a_0 x + a_1 y and v = a_2 y are scaled so that samples have the
// same spread along both. Terms are left out if they make the slopes s_0 and s_1 uncertain: points
// in three columns do not determine u and u^3. Host and device. T may be a number or SIMD lanes,
// one set of samples per lane.
#pragma once

#include <array>
#include <cmath>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/select.hpp"

namespace rankine::bem {

/// The Cholesky factor of a small symmetric matrix. Results have the same bits for any alignment in
/// memory.
template <int N, class T = double>
class SmallCholesky {
 public:
  /// Factors the matrix with the elements entry(row, column), column <= row.
  template <class Entry>
  RANKINE_HD explicit SmallCholesky(const Entry& entry) {
    using std::sqrt;
    Mask<T> definite = T(1.0) > T(0.0);
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        T left = entry(i, j);
        for (int k = 0; k < j; ++k) left -= factor_[i][k] * factor_[j][k];
        if (j < i) {
          factor_[i][j] = left / factor_[j][j];
          continue;
        }
        definite = definite && left > T(0.0);
        if (!any(definite)) return;
        left = select(definite, left, T(1.0));
        factor_[i][i] = sqrt(left);
        least_ = i == 0 ? left : select(left < least_, left, least_);
        most_ = select(left > most_, left, most_);
      }
    }
    definite_ = definite;
  }

  /// Whether the matrix is positive definite and its smallest pivot above `share` times the
  /// largest.
  RANKINE_HD Mask<T> is_regular(double share) const {
    return definite_ && least_ > T(share) * most_;
  }

  /// Whether the Schur complement of all but the last two rows is at least `share` times the
  /// matrix of these rows: their unknowns are determined although the others are free.
  RANKINE_HD Mask<T> determines_last(double share) const {
    // Both are products of a triangle and its transpose: the complement's is the last of factor_.
    const T(&low)[N] = factor_[N - 2], (&last)[N] = factor_[N - 1];
    T a = 0.0, b = 0.0, c = 0.0;  // of the matrix of the last two rows
    for (int k = 0; k < N; ++k) {
      if (k < N - 1) a += low[k] * low[k], b += low[k] * last[k];
      c += last[k] * last[k];
    }
    const T p = low[N - 2] * low[N - 2] - T(share) * a, q = low[N - 2] * last[N - 2] - T(share) * b,
            r = last[N - 2] * last[N - 2] + last[N - 1] * last[N - 1] - T(share) * c;
    return definite_ && p > T(0.0) && p * r > q * q;
  }

  /// x becomes the solution for the right-hand side x.
  RANKINE_HD void solve(T (&x)[N]) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= factor_[i][k] * x[k];
      x[i] = x[i] / factor_[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) x[i] -= factor_[k][i] * x[k];
      x[i] = x[i] / factor_[i][i];
    }
  }

 private:
  T factor_[N][N];
  T least_ = 0.0, most_ = 0.0;
  Mask<T> definite_ = T(0.0) > T(0.0);
};

/// A sample: its value minus that at the origin. Lengths are in units of about the distance between
/// samples.
struct PlaneSample {
  double x, y, value;

  RANKINE_HD double operator[](int) const { return value; }
};

/// Several values at one point. Lanes without further samples contain zeros, which contribute
/// nothing.
template <int Values, class T = double>
struct PlaneSamples {
  T x, y, values[Values];

  RANKINE_HD T operator[](int v) const { return values[v]; }
};

template <class T>
struct PlanePolynomialOf {
  T constant = 0.0;
  T s[9] = {};
  T axes[3] = {1.0, 0.0, 1.0};  ///< a
  T terms = 0.0;                ///< their number; 1: the slope along one line alone

  RANKINE_HD T operator()(T x, T y) const {
    const T u = axes[0] * x + axes[1] * y, v = axes[2] * y;
    return constant + u * (s[0] + u * (s[2] + u * s[5] + v * s[6]) + v * s[3]) +
           v * (s[1] + v * (s[4] + u * s[7] + v * s[8]));
  }
  /// At the origin.
  RANKINE_HD T slope_x() const { return s[0] * axes[0]; }
  RANKINE_HD T slope_y() const { return s[0] * axes[1] + s[1] * axes[2]; }
  /// At any point: derivatives along x and y.
  struct Slopes {
    T x, y;
  };
  RANKINE_HD Slopes slopes(T x, T y) const {
    const T u = axes[0] * x + axes[1] * y, v = axes[2] * y;
    const T along_u =
                s[0] + u * (2.0 * s[2] + 3.0 * u * s[5] + 2.0 * v * s[6]) + v * (s[3] + v * s[7]),
            along_v =
                s[1] + v * (2.0 * s[4] + 2.0 * u * s[7] + 3.0 * v * s[8]) + u * (s[3] + u * s[6]);
    return {axes[0] * along_u, axes[1] * along_u + axes[2] * along_v};
  }
};

using PlanePolynomial = PlanePolynomialOf<double>;

/// Smallest meaningful rms spread of the samples around a panel in a direction, in units of its
/// radius: a tenth of its width. The collocation points of a row of quadrilaterals between
/// sharp edges have a smaller spread across the row, since they are slightly off the centres.
RANKINE_HD inline double least_spread(double area, double radius) {
  return 0.1 * area / (radius * radius);
}

/// Axes along which samples have the same spread; stretched meshes are regular in these
/// coordinates. If the spread of the samples is below `least` in some direction, they are taken to
/// lie on a line, and the axes are not changed.
template <class T = double>
struct Whitening {
  T axes[3] = {1.0, 0.0, 1.0};         ///< a
  Mask<T> in_plane = T(0.0) > T(0.0);  ///< not on a line

  /// From samples(k), k < most; a lane has `count` of them.
  template <class Samples>
  RANKINE_HD Whitening(int most, T count, const Samples& samples, T least) {
    using std::sqrt;
    T xx = 0.0, xy = 0.0, yy = 0.0;
    for (int k = 0; k < most; ++k) {
      const auto s = samples(k);
      xx += s.x * s.x;
      xy += s.x * s.y;
      yy += s.y * s.y;
    }
    const auto along_y = yy > T(0.0);
    if (!any(along_y)) return;
    const T height = select(along_y, yy, T(1.0)), share = xy / height,
            left = xx - xy * share;  // spread of x without its projection on y
    in_plane =
        along_y && xx * yy - xy * xy >= least * least * count * (xx + yy) && left > T(1e-12) * xx;
    if (!any(in_plane)) return;
    const T along_x = sqrt(count / select(in_plane, left, T(1.0)));
    axes[0] = select(in_plane, along_x, T(1.0));
    axes[1] = select(in_plane, -along_x * share, T(0.0));
    axes[2] = select(in_plane, sqrt(count / height), T(1.0));
  }

  /// The same sample in these axes.
  template <class Sample>
  RANKINE_HD Sample operator()(Sample s) const {
    s.x = axes[0] * s.x + axes[1] * s.y;
    s.y *= axes[2];
    return s;
  }
};

/// Weight of a sample at the distance d, for an rms distance of 1 along each axis: 1/d^2, but
/// bounded, since differences of very close samples (neighbours of slivers) are noise.
template <class T>
RANKINE_HD T weight_of_sample(T d2) {
  return T(1.0) / (d2 + T(0.1));
}

/// Terms of higher degree must leave this share of the weight of the slopes: errors of values
/// then cause at most 20 times the error that they cause in the slopes of a plane. Coordinates have
/// only errors of rounding.
inline constexpr double share_of_values = 1.0 / (20.0 * 20.0), share_of_points = 1e-6;

/// Sums over the samples for fits of several values at the same points. Samples are read twice and
/// not stored. All values share the normal equations.
template <int Values, class T = double>
class PlaneFits {
 public:
  /// samples(k), k < most, are PlaneSample or PlaneSamples; a lane has `count` of them. `least`: as
  /// for Whitening.
  template <class Samples>
  RANKINE_HD PlaneFits(int most, T count, const Samples& samples, T least)
      : count_(count), whitening_(most, count, samples, least) {
    for (int k = 0; k < most; ++k) add(whitening_(samples(k)));
  }

  /// Polynomials with as many terms as possible without making the slopes uncertain. If samples do
  /// not determine two slopes, the result is the slope of least norm along the line on which they
  /// lie. `share`: smallest share of the weight of the slopes that further terms may leave.
  RANKINE_HD std::array<PlanePolynomialOf<T>, Values> polynomials(
      double share = share_of_values) const {
    std::array<PlanePolynomialOf<T>, Values> result;
    for (PlanePolynomialOf<T>& each : result) {
      for (int k = 0; k < 3; ++k) each.axes[k] = whitening_.axes[k];
    }
    Mask<T> left = whitening_.in_plane;
    solve<9>(share, left, result);
    solve<5>(share, left, result);
    left = left || !whitening_.in_plane;
    if (any(left)) {
      for (int v = 0; v < Values; ++v) solve_slopes(v, left, result[v]);
    }
    return result;
  }
  RANKINE_HD PlanePolynomialOf<T> polynomial(double share = share_of_values) const
      requires(Values == 1) {
    return polynomials(share)[0];
  }

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

  RANKINE_HD T moment(int a, int b) const {
    const int degree = a + b;
    return of_powers_[degree * (degree + 1) / 2 - 3 + b];
  }

  template <class Sample>
  RANKINE_HD void add(const Sample& s) {
    T x[highest + 1], y[highest + 1];
    x[0] = weight_of_sample(s.x * s.x + s.y * s.y);
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
    }
  }

  /// Solves for the lanes that are `left` if the samples determine the slopes.
  template <int Terms>
  RANKINE_HD void solve(double share, Mask<T>& left,
                        std::array<PlanePolynomialOf<T>, Values>& result) const {
    constexpr int spare = Terms == 9 ? 3 : 1;
    Mask<T> here = left && count_ >= T(Terms + spare);
    if (!any(here)) return;
    const auto term = [](int i) { return Terms - 1 - i; };  // the slopes, 0 and 1, are last
    const SmallCholesky<Terms, T> factors([&](int i, int j) {
      return moment(of_x(term(i)) + of_x(term(j)), of_y(term(i)) + of_y(term(j)));
    });
    here = here && factors.determines_last(share);
    if (!any(here)) return;
    for (int v = 0; v < Values; ++v) {
      T x[Terms];
      for (int i = 0; i < Terms; ++i) x[i] = of_values_[v][term(i)];
      factors.solve(x);
      for (int k = 0; k < Terms; ++k) result[v].s[k] = select(here, x[term(k)], result[v].s[k]);
      result[v].terms = select(here, T(Terms), result[v].terms);
    }
    left = left && !here;
  }

  /// Least squares of least norm in the two slopes: directions without data keep slope zero.
  RANKINE_HD void solve_slopes(int v, Mask<T> where, PlanePolynomialOf<T>& result) const {
    const T a = moment(2, 0), b = moment(1, 1), c = moment(0, 2), right_x = of_values_[v][0],
            right_y = of_values_[v][1], determinant = a * c - b * b, trace = a + c;
    const auto some = trace > T(0.0), both = whitening_.in_plane && determinant > T(0.0);
    // Rank one: the matrix is trace * d d^T, so its pseudo-inverse is the matrix over trace^2.
    const T below = select(both, determinant, select(some, trace * trace, T(1.0)));
    const T slope_x = select(both, c * right_x - b * right_y, a * right_x + b * right_y) / below,
            slope_y = select(both, a * right_y - b * right_x, b * right_x + c * right_y) / below;
    result.s[0] = select(where, select(some, slope_x, T(0.0)), result.s[0]);
    result.s[1] = select(where, select(some, slope_y, T(0.0)), result.s[1]);
    result.terms = select(where, select(both, T(2.0), select(some, T(1.0), T(0.0))), result.terms);
  }

  T count_;
  Whitening<T> whitening_;
  T of_powers_[powers] = {};  ///< weighted sums of x^a y^b, from which all products of terms follow
  T of_values_[Values][most_terms] = {};  ///< weighted sums of terms times values
};

using PlaneFit = PlaneFits<1>;

}  // namespace rankine::bem
