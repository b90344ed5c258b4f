// Non-negative fractions of a quantity at points around a position, with given moments up to second
// order: sum f_j = 1, sum f_j r_j = m, sum f_j r_j r_j^T = S [SD96]. Among all such fractions these
// minimise
//
//   sum f_j^2 / w_j ,     w_j = (1 - r_j^2)^2 for |r_j| < 1, otherwise 0 ,
//
// where r is in units of the radius of the neighbourhood. They are unique, and continuous in the
// positions of the points, also when points enter or leave the neighbourhood. The dual problem has
// ten unknowns for any number of points:
//
//   f_j = w_j max(0, l.p(r_j)) ,     l maximises  l.b - 1/2 sum w_j max(0, l.p(r_j))^2 ,
//
// with the ten monomials p up to second order and their moments b. It is concave and piecewise
// quadratic, so Newton's method with an exact line search ends after a few steps. If no fractions
// exist, it is unbounded. Host and device; on the host with points in SIMD lanes.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "rankine/bem/particles/particle_cells.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/select.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Moments, or multipliers of them: 1, x, y, z, xx, yy, zz, xy, xz, yz.
using Moments = std::array<double, 10>;

// T and Real: numbers, or SIMD lanes of numbers.

template <class T>
RANKINE_HD_INLINE std::array<T, 10> monomials(const Vec3<T>& r) {
  return {T(1.0), r.x, r.y, r.z, r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.x * r.z, r.y * r.z};
}

RANKINE_HD_INLINE double dot(const Moments& l, const Moments& p) {
  double sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += l[k] * p[k];
  return sum;
}

/// l.p(r).
template <class T>
RANKINE_HD_INLINE T polynomial(const Moments& l, const Vec3<T>& r) {
  return T(l[0]) + r.x * (T(l[1]) + r.x * T(l[4]) + r.y * T(l[7]) + r.z * T(l[8])) +
         r.y * (T(l[2]) + r.y * T(l[5]) + r.z * T(l[9])) + r.z * (T(l[3]) + r.z * T(l[6]));
}

/// w.
template <class T>
RANKINE_HD_INLINE T neighbour_weight(const Vec3<T>& r) {
  const T within = T(1.0) - dot(r, r);
  return select(within > T(0.0), within * within, T(0.0));
}

/// f of a point at r.
RANKINE_HD_INLINE double fraction(const Moments& multipliers, const Vec3d& r) {
  const double share = polynomial(multipliers, r);
  return share > 0.0 ? neighbour_weight(r) * share : 0.0;
}

/// Symmetric; the lower half is stored.
struct MomentMatrix {
  std::array<double, 55> entries;
  RANKINE_HD_INLINE double& operator()(int i, int k) {
    return entries[static_cast<std::size_t>(i * (i + 1) / 2 + k)];
  }
};

/// The points that may get a fraction, in units of the radius. The first one of the first lane is
/// the position itself.
template <class Lanes = OneLane, class Real = double>
class FractionPoints {
 public:
  RANKINE_HD explicit FractionPoints(const Lanes& lanes = {}) : lanes_(lanes), matrix_(lanes) {}

  /// Each lane adds its own points. Points at a distance of 1 get no fraction.
  RANKINE_HD void add(const Vec3<Real>& r) {
    if (count_ < Lanes::capacity) points_[count_].r = r;
    ++count_;
  }

  /// Excludes or includes the first point.
  RANKINE_HD void take_first(bool takes) {
    if (lanes_.index == 0) points_[0].r = {takes ? 0.0 : 1.0, 0.0, 0.0};
  }

  /// Computes the multipliers, in all lanes. Errors of the moments are below 1e-12. Returns false
  /// if no such fractions exist, or if there are more points than capacity.
  RANKINE_HD bool find(const Moments& moments, Moments& multipliers) {
    return find(moments, multipliers, refutation_);
  }
  /// `refutation`: the last l that proved that no fractions exist.
  RANKINE_HD bool find(const Moments& moments, Moments& multipliers, Moments& refutation);

 private:
  static constexpr int moment_count = 10;
  struct Point {
    Vec3<Real> r;
    Real value, change;  ///< l.p, and its change along the search direction
  };

  template <int from, int to>
  RANKINE_HD void sum_rows(Moments& missing, double& trace);
  RANKINE_HD bool solve(double damping, Moments& g);
  RANKINE_HD void evaluate(const Moments& l, Real Point::*value);
  RANKINE_HD bool refutes(const Moments& l, const Moments& moments, Real Point::*value) const;
  RANKINE_HD double best_step(double rise, double first) const;

  Lanes lanes_;
  typename Lanes::template Shared<MomentMatrix> matrix_;  ///< H, then its factor
  int count_ = 0;
  Moments refutation_{};
  Point points_[Lanes::capacity];
};

/// Points coordinate by coordinate, for SIMD lanes.
struct FractionCloud {
  static constexpr int capacity = 160;  ///< the largest number around a discoid was 81
  int count = 0;
  double x[capacity], y[capacity], z[capacity];  ///< followed by points at a distance of 1 up to a
                                                 ///< multiple of eight
  Moments refutation{};
};

/// FractionPoints::find for one instruction set.
using FindFractions = bool (*)(FractionCloud& cloud, const Moments& moments, Moments& multipliers);

/// On the host points are in SIMD lanes.
template <>
class FractionPoints<OneLane, double> {
 public:
  explicit FractionPoints(const OneLane& = {}) {}

  void add(const Vec3d& r) {
    if (cloud_.count < FractionCloud::capacity) put(cloud_.count, r);
    ++cloud_.count;
  }
  void take_first(bool takes) { put(0, {takes ? 0.0 : 1.0, 0.0, 0.0}); }
  bool find(const Moments& moments, Moments& multipliers);

 private:
  void put(int at, const Vec3d& r) {
    cloud_.x[at] = r.x;
    cloud_.y[at] = r.y;
    cloud_.z[at] = r.z;
  }

  FractionCloud cloud_;
};

/// Rows from <= i < to of H = sum w p p^T, of which only k <= i are used, and of sum f p, which is
/// subtracted from `missing`.
template <class Lanes, class Real>
template <int from, int to>
RANKINE_HD void FractionPoints<Lanes, Real>::sum_rows(Moments& missing, double& trace) {
  Real rows[to - from][to] = {}, given[to - from] = {};
  for (int j = 0; j < count_; ++j) {
    const auto takes = points_[j].value > Real(0.0);
    if (!any(takes)) continue;
    const auto p = monomials(points_[j].r);
    const Real weight = select(takes, neighbour_weight(points_[j].r), Real(0.0)),
               share = weight * points_[j].value;
    for (int i = from; i < to; ++i) {
      given[i - from] += share * p[i];
      const Real weighted = weight * p[i];
      for (int k = 0; k <= i; ++k) rows[i - from][k] += weighted * p[k];
    }
  }
  for (int i = from; i < to; ++i) {
    missing[i] -= lanes_.sum(given[i - from]);
    for (int k = 0; k <= i; ++k) {
      const double sum = lanes_.sum(rows[i - from][k]);
      if (k == i) trace += sum;
      if (lanes_.index == k % Lanes::count) matrix_.get()(i, k) = sum;
    }
  }
}

/// Solves (H + damping) x = g by Cholesky factorization; x replaces `g`. Returns false if the
/// matrix is not positive definite. The diagonal of the factor is stored as its inverse.
template <class Lanes, class Real>
RANKINE_HD bool FractionPoints<Lanes, Real>::solve(double damping, Moments& g) {
  MomentMatrix& h = matrix_.get();
  for (int j = 0; j < moment_count; ++j) {
    lanes_.wait();
    double square = h(j, j) + damping;
    for (int k = 0; k < j; ++k) square -= h(j, k) * h(j, k);
    if (!(square > 0.0)) return false;
    const double inverse = 1.0 / std::sqrt(square);
    for (int i = j + 1 + lanes_.index; i < moment_count; i += Lanes::count) {
      double entry = h(i, j);
      for (int k = 0; k < j; ++k) entry -= h(i, k) * h(j, k);
      h(i, j) = entry * inverse;
    }
    lanes_.wait();
    if (lanes_.index == 0) h(j, j) = inverse;
  }
  lanes_.wait();
  for (int i = 0; i < moment_count; ++i) {
    for (int k = 0; k < i; ++k) g[i] -= h(i, k) * g[k];
    g[i] *= h(i, i);
  }
  for (int i = moment_count; i-- > 0;) {
    for (int k = i + 1; k < moment_count; ++k) g[i] -= h(k, i) * g[k];
    g[i] *= h(i, i);
  }
  lanes_.wait();  // before another matrix is written
  return true;
}

template <class Lanes, class Real>
RANKINE_HD void FractionPoints<Lanes, Real>::evaluate(const Moments& l, Real Point::*value) {
  for (int j = 0; j < count_; ++j) points_[j].*value = polynomial(l, points_[j].r);
}

/// Whether l, with these values l.p(r_j), proves that no fractions have the `moments`.
template <class Lanes, class Real>
RANKINE_HD bool FractionPoints<Lanes, Real>::refutes(const Moments& l, const Moments& moments,
                                                     Real Point::*value) const {
  constexpr double rounding = 1e-12;
  double size = 0.0;
  for (const double each : l) size += std::abs(each);
  const Real least = dot(l, moments) - rounding * size, none = 0.0;
  bool allowed = false;
  for (int j = 0; j < count_; ++j) {
    allowed = allowed || any(points_[j].*value >= least && neighbour_weight(points_[j].r) > none);
  }
  return !lanes_.any(allowed);
}

/// The step along the search direction to a point near the maximum, where the slope rise - sum w
/// max(0, value + step change) change is zero; `first` is the slope at the start. Very large if
/// there is no maximum.
template <class Lanes, class Real>
RANKINE_HD double FractionPoints<Lanes, Real>::best_step(double rise, double first) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double low = 0.0, high = infinite, step = 1.0;
  for (int tries = 0; tries < 60; ++tries) {
    Real falls = 0.0, curvatures = 0.0;
    for (int j = 0; j < count_; ++j) {
      const Point& each = points_[j];
      const Real value = each.value + Real(step) * each.change;
      const auto takes = value > Real(0.0);
      if (!any(takes)) continue;
      const Real weighted = select(takes, neighbour_weight(each.r), Real(0.0)) * each.change;
      falls += weighted * value;
      curvatures += weighted * each.change;
    }
    const double slope = rise - lanes_.sum(falls), curvature = lanes_.sum(curvatures);
    if (std::abs(slope) <= 0.01 * first) return step;
    (slope > 0.0 ? low : high) = step;
    double next = curvature > 0.0 ? step + slope / curvature : high;
    if (!(next > low && next < high)) next = high == infinite ? 4.0 * step : 0.5 * (low + high);
    if (next == step) return step;
    step = next;
  }
  return step;
}

template <class Lanes, class Real>
RANKINE_HD bool FractionPoints<Lanes, Real>::find(const Moments& moments, Moments& multipliers,
                                                  Moments& refutation) {
  constexpr double met = 1e-12;  // largest error of a moment
  constexpr int most_steps = 100;
  if (lanes_.any(count_ > Lanes::capacity)) return false;
  const auto refuted = [&](const Moments& l, Real Point::*value) {
    evaluate(l, value);
    const bool is = refutes(l, moments, value);
    if (is) refutation = l;
    return is;
  };
  if (refuted(refutation, &Point::value)) return false;
  multipliers = {1.0};  // initially all points take part
  evaluate(multipliers, &Point::value);
  for (int step = 0; step < most_steps; ++step) {
    Moments missing = moments;
    double trace = 0.0, worst = 0.0;
    // In parts, so that the sums fit into the registers of a device.
    sum_rows<0, 6>(missing, trace);
    sum_rows<6, 8>(missing, trace);
    sum_rows<8, moment_count>(missing, trace);
    for (const double each : missing) worst = std::fmax(worst, std::abs(each));
    if (worst <= met) {
      for (double& each : multipliers) each /= 1.0 - missing[0];  // the fractions now sum to 1
      return true;
    }
    if (trace == 0.0) return false;
    Moments direction = missing;
    if (!solve(1e-12 * trace, direction)) return false;
    if (refuted(direction, &Point::change)) return false;
    const double length = best_step(dot(direction, moments), dot(direction, missing));
    if (!(length < 1e9)) return false;
    for (int i = 0; i < moment_count; ++i) multipliers[i] += length * direction[i];
    if (refuted(multipliers, &Point::value)) return false;
  }
  return false;
}

}  // namespace rankine::bem
