#include "rankine/bem/particles/moment_fractions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rankine::bem {
namespace {

constexpr std::size_t moment_count = Moments{}.size();
constexpr double met = 1e-12;  ///< largest error of a moment

using Matrix = std::array<Moments, moment_count>;  ///< symmetric; the lower half counts

/// Solves H x = g by Cholesky's factors, in place of `g`. False if H is not positive definite.
bool solve(Matrix& h, Moments& g) {
  for (std::size_t j = 0; j < moment_count; ++j) {
    for (std::size_t k = 0; k < j; ++k) h[j][j] -= h[j][k] * h[j][k];
    if (!(h[j][j] > 0.0)) return false;
    h[j][j] = std::sqrt(h[j][j]);
    for (std::size_t i = j + 1; i < moment_count; ++i) {
      for (std::size_t k = 0; k < j; ++k) h[i][j] -= h[i][k] * h[j][k];
      h[i][j] /= h[j][j];
    }
  }
  for (std::size_t i = 0; i < moment_count; ++i) {
    for (std::size_t k = 0; k < i; ++k) g[i] -= h[i][k] * g[k];
    g[i] /= h[i][i];
  }
  for (std::size_t i = moment_count; i-- > 0;) {
    for (std::size_t k = i + 1; k < moment_count; ++k) g[i] -= h[k][i] * g[k];
    g[i] /= h[i][i];
  }
  return true;
}

struct Point {
  Moments p;
  double weight;
  double value = 0.0, change = 0.0;  ///< l.p, and of the direction of search
};

/// The step along the direction of search to near the maximum, where the slope
/// rise - sum w max(0, value + step change) change is zero; `first` is the slope at the start.
/// Infinite without a maximum.
double best_step(const std::vector<Point>& points, double rise, double first) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (rise > 0.0 &&
      std::none_of(points.begin(), points.end(), [](const Point& p) { return p.change > 0.0; }))
    return infinite;
  double low = 0.0, high = infinite, step = 1.0;
  for (int tries = 0; tries < 60; ++tries) {
    double slope = rise, curvature = 0.0;
    for (const Point& each : points) {
      const double value = each.value + step * each.change;
      if (value <= 0.0) continue;
      slope -= each.weight * value * each.change;
      curvature += each.weight * each.change * each.change;
    }
    if (std::abs(slope) <= 0.01 * first) return step;
    (slope > 0.0 ? low : high) = step;
    double next = curvature > 0.0 ? step + slope / curvature : high;
    if (!(next > low && next < high)) next = std::isinf(high) ? 4.0 * step : 0.5 * (low + high);
    if (next == step) return step;
    step = next;
  }
  return step;
}

}  // namespace

bool find_fractions(std::span<const Vec3d> r, const Moments& moments, Moments& multipliers) {
  static thread_local std::vector<Point> points;
  points.clear();
  for (const Vec3d& each : r) points.push_back({monomials(each), neighbour_weight(each)});
  multipliers = {};
  multipliers[0] = 1.0;  // all points take part at first
  for (Point& each : points) each.value = 1.0;
  constexpr int most_steps = 100;
  for (int step = 0; step < most_steps; ++step) {
    Moments missing = moments;
    Matrix h{};
    double trace = 0.0;
    for (const Point& each : points) {
      if (each.value <= 0.0) continue;
      const double share = each.weight * each.value;
      for (std::size_t i = 0; i < moment_count; ++i) {
        missing[i] -= share * each.p[i];
        const double weighted = each.weight * each.p[i];
        for (std::size_t k = 0; k < moment_count; ++k) h[i][k] += weighted * each.p[k];
      }
    }
    const double worst =
        std::abs(*std::max_element(missing.begin(), missing.end(),
                                   [](double a, double b) { return std::abs(a) < std::abs(b); }));
    if (worst <= met) {
      for (double& each : multipliers) each /= 1.0 - missing[0];  // the sum has no error
      return true;
    }
    for (std::size_t i = 0; i < moment_count; ++i) trace += h[i][i];
    if (trace == 0.0) return false;
    for (std::size_t i = 0; i < moment_count; ++i) h[i][i] += 1e-12 * trace;
    Moments direction = missing;
    if (!solve(h, direction)) return false;
    for (Point& each : points) each.change = dot(direction, each.p);
    const double length = best_step(points, dot(direction, moments), dot(direction, missing));
    if (!(length < 1e9)) return false;
    for (std::size_t i = 0; i < moment_count; ++i) multipliers[i] += length * direction[i];
    for (Point& each : points) each.value = dot(multipliers, each.p);
  }
  return false;
}

}  // namespace rankine::bem
