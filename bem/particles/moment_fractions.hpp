// Fractions of a quantity at points around a place, none negative, with given moments up to second
// order: sum f_j = 1, sum f_j r_j = m, sum f_j r_j r_j^T = S [SD96]. Of all such fractions those
// with the smallest
//
//   sum f_j^2 / w_j ,     w_j = (1 - r_j^2)^2 for |r_j| < 1, else 0 ,
//
// where r is in units of the radius of the neighbourhood. They are unique, and continuous in the
// positions of the points, also of those that enter and leave the neighbourhood. The dual problem
// has ten unknowns for any number of points:
//
//   f_j = w_j max(0, l.p(r_j)) ,     l maximises  l.b - 1/2 sum w_j max(0, l.p(r_j))^2 ,
//
// with the ten monomials p up to second order and their moments b. It is concave and piecewise
// quadratic: Newton's method with an exact line search ends after a few steps. Without a solution
// it is unbounded. Host and device.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Moments, or multipliers of them: 1, x, y, z, xx, yy, zz, xy, xz, yz.
using Moments = std::array<double, 10>;

RANKINE_HD inline Moments monomials(const Vec3d& r) {
  return {1.0, r.x, r.y, r.z, r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.x * r.z, r.y * r.z};
}

/// l.p(r).
RANKINE_HD inline double dot(const Moments& l, const Moments& p) {
  double sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += l[k] * p[k];
  return sum;
}

/// w.
RANKINE_HD inline double neighbour_weight(const Vec3d& r) {
  const double within = 1.0 - dot(r, r);
  return within > 0.0 ? within * within : 0.0;
}

/// f of a point at r.
RANKINE_HD inline double fraction(const Moments& multipliers, const Vec3d& r) {
  const double share = dot(multipliers, monomials(r));
  return share > 0.0 ? neighbour_weight(r) * share : 0.0;
}

/// The points that may get a fraction, in units of the radius.
class FractionPoints {
 public:
  static constexpr int capacity = 160;  ///< 81 were the most around a discoid

  RANKINE_HD void add(const Vec3d& r) {
    if (count_ < capacity) points_[count_].r = r;
    ++count_;
  }

  /// Finds the multipliers. Moments are met to 1e-12. False if there are no such fractions, or more
  /// points than capacity.
  RANKINE_HD bool find(const Moments& moments, Moments& multipliers);

 private:
  static constexpr int moment_count = 10;
  struct Point {
    Vec3d r;
    double value, change;  ///< l.p, and of the direction of search
  };
  using Matrix = std::array<Moments, moment_count>;  ///< symmetric; the lower half counts

  RANKINE_HD static bool solve(Matrix& h, Moments& g);
  RANKINE_HD double best_step(double rise, double first) const;

  int count_ = 0;
  Point points_[capacity];
};

/// Solves H x = g by Cholesky's factors, in place of `g`. False if H is not positive definite.
RANKINE_HD inline bool FractionPoints::solve(Matrix& h, Moments& g) {
  for (int j = 0; j < moment_count; ++j) {
    for (int k = 0; k < j; ++k) h[j][j] -= h[j][k] * h[j][k];
    if (!(h[j][j] > 0.0)) return false;
    h[j][j] = std::sqrt(h[j][j]);
    for (int i = j + 1; i < moment_count; ++i) {
      for (int k = 0; k < j; ++k) h[i][j] -= h[i][k] * h[j][k];
      h[i][j] /= h[j][j];
    }
  }
  for (int i = 0; i < moment_count; ++i) {
    for (int k = 0; k < i; ++k) g[i] -= h[i][k] * g[k];
    g[i] /= h[i][i];
  }
  for (int i = moment_count; i-- > 0;) {
    for (int k = i + 1; k < moment_count; ++k) g[i] -= h[k][i] * g[k];
    g[i] /= h[i][i];
  }
  return true;
}

/// The step along the direction of search to near the maximum, where the slope
/// rise - sum w max(0, value + step change) change is zero; `first` is the slope at the start.
/// Infinite without a maximum.
RANKINE_HD inline double FractionPoints::best_step(double rise, double first) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  bool some_grow = false;
  for (int j = 0; j < count_; ++j) some_grow = some_grow || points_[j].change > 0.0;
  if (rise > 0.0 && !some_grow) return infinite;
  double low = 0.0, high = infinite, step = 1.0;
  for (int tries = 0; tries < 60; ++tries) {
    double slope = rise, curvature = 0.0;
    for (int j = 0; j < count_; ++j) {
      const Point& each = points_[j];
      const double value = each.value + step * each.change;
      if (value <= 0.0) continue;
      const double weighted = neighbour_weight(each.r) * each.change;
      slope -= weighted * value;
      curvature += weighted * each.change;
    }
    if (std::abs(slope) <= 0.01 * first) return step;
    (slope > 0.0 ? low : high) = step;
    double next = curvature > 0.0 ? step + slope / curvature : high;
    if (!(next > low && next < high)) next = high == infinite ? 4.0 * step : 0.5 * (low + high);
    if (next == step) return step;
    step = next;
  }
  return step;
}

RANKINE_HD inline bool FractionPoints::find(const Moments& moments, Moments& multipliers) {
  constexpr double met = 1e-12;  // largest error of a moment
  constexpr int most_steps = 100;
  if (count_ > capacity) return false;
  multipliers = {};
  multipliers[0] = 1.0;  // all points take part at first
  for (int j = 0; j < count_; ++j) points_[j].value = 1.0;
  for (int step = 0; step < most_steps; ++step) {
    Moments missing = moments;
    Matrix h{};
    double trace = 0.0, worst = 0.0;
    for (int j = 0; j < count_; ++j) {
      if (points_[j].value <= 0.0) continue;
      const Moments p = monomials(points_[j].r);
      const double weight = neighbour_weight(points_[j].r), share = weight * points_[j].value;
      for (int i = 0; i < moment_count; ++i) {
        missing[i] -= share * p[i];
        const double weighted = weight * p[i];
        for (int k = 0; k <= i; ++k) h[i][k] += weighted * p[k];
      }
    }
    for (int i = 0; i < moment_count; ++i) {
      worst = std::fmax(worst, std::abs(missing[i]));
      trace += h[i][i];
    }
    if (worst <= met) {
      for (double& each : multipliers) each /= 1.0 - missing[0];  // the sum has no error
      return true;
    }
    if (trace == 0.0) return false;
    for (int i = 0; i < moment_count; ++i) h[i][i] += 1e-12 * trace;
    Moments direction = missing;
    if (!solve(h, direction)) return false;
    for (int j = 0; j < count_; ++j) points_[j].change = dot(direction, monomials(points_[j].r));
    const double length = best_step(dot(direction, moments), dot(direction, missing));
    if (!(length < 1e9)) return false;
    for (int i = 0; i < moment_count; ++i) multipliers[i] += length * direction[i];
    for (int j = 0; j < count_; ++j) points_[j].value = dot(multipliers, monomials(points_[j].r));
  }
  return false;
}

}  // namespace rankine::bem
