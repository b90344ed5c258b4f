// Natural cubic spline. The second derivatives at the knots solve the tridiagonal system of
// continuous slopes (Thomas algorithm).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace rankine::meshes {

class Spline {
 public:
  Spline() = default;
  Spline(const std::vector<double>& knots, std::vector<double> values)
      : knots_(knots), values_(std::move(values)), second_(knots_.size(), 0.0) {
    const std::size_t n = knots_.size();
    std::vector<double> ratio(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double left = step(i - 1), right = step(i);
      const double pivot = 2.0 * (left + right) - left * ratio[i - 1];
      const double bend = 6.0 * (slope(i) - slope(i - 1));
      ratio[i] = right / pivot;
      second_[i] = (bend - left * second_[i - 1]) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 0;) second_[i] -= ratio[i] * second_[i + 1];
  }

  /// The value between knot i (u = 0) and the next (u = 1).
  double at(std::size_t i, double u) const {
    const double v = 1.0 - u, h = step(i);
    return v * values_[i] + u * values_[i + 1] +
           h * h / 6.0 * ((v * v * v - v) * second_[i] + (u * u * u - u) * second_[i + 1]);
  }

  /// The value at x, which may lie outside the knots.
  double operator()(double x) const {
    const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
    const auto i = static_cast<std::size_t>(next - knots_.begin()) - 1;
    return at(i, (x - knots_[i]) / step(i));
  }

 private:
  double step(std::size_t i) const { return knots_[i + 1] - knots_[i]; }
  double slope(std::size_t i) const { return (values_[i + 1] - values_[i]) / step(i); }

  std::vector<double> knots_, values_, second_;
};

}  // namespace rankine::meshes
