#include "rankine/fmm/rotation.hpp"

#include <cmath>
#include <cstdlib>

namespace rankine::fmm {
namespace {

/// Full matrix of one degree, rows and columns m = -l ... l.
class DegreeMatrix {
 public:
  explicit DegreeMatrix(int l)
      : l_(l), entries_(static_cast<std::size_t>(2 * l + 1) * (2 * l + 1)) {}
  double& operator()(int m, int n) { return entries_[(m + l_) * (2 * l_ + 1) + n + l_]; }
  double operator()(int m, int n) const { return entries_[(m + l_) * (2 * l_ + 1) + n + l_]; }

 private:
  int l_;
  std::vector<double> entries_;
};

/// P of Ivanic & Ruedenberg, table 2.
double auxiliary(const DegreeMatrix& first, const DegreeMatrix& previous, int i, int l, int mu,
                 int n) {
  if (n == l) return first(i, 1) * previous(mu, l - 1) - first(i, -1) * previous(mu, -l + 1);
  if (n == -l) return first(i, 1) * previous(mu, -l + 1) + first(i, -1) * previous(mu, l - 1);
  return first(i, 0) * previous(mu, n);
}

/// Table 1: degree l from degrees 1 and l - 1.
DegreeMatrix next_degree(const DegreeMatrix& first, const DegreeMatrix& previous, int l) {
  DegreeMatrix result(l);
  const auto p = [&](int i, int mu, int n) { return auxiliary(first, previous, i, l, mu, n); };
  for (int m = -l; m <= l; ++m) {
    const int a = std::abs(m);
    const double zero = m == 0 ? 1.0 : 0.0;
    for (int n = -l; n <= l; ++n) {
      const double denominator =
          std::abs(n) == l ? 2.0 * l * (2.0 * l - 1.0) : double(l + n) * (l - n);
      const double u = std::sqrt(double(l + m) * (l - m) / denominator);
      const double v = 0.5 * std::sqrt((1.0 + zero) * (l + a - 1.0) * (l + a) / denominator) *
                       (1.0 - 2.0 * zero);
      const double w = -0.5 * std::sqrt((l - a - 1.0) * (l - a) / denominator) * (1.0 - zero);
      double value = 0.0;
      if (u != 0.0) value += u * p(0, m, n);
      if (v != 0.0) {
        if (m == 0) {
          value += v * (p(1, 1, n) + p(-1, -1, n));
        } else if (m > 0) {
          value += v * (m == 1 ? std::sqrt(2.0) * p(1, 0, n) : p(1, m - 1, n) - p(-1, -m + 1, n));
        } else {
          value += v * (m == -1 ? std::sqrt(2.0) * p(-1, 0, n) : p(1, m + 1, n) + p(-1, -m - 1, n));
        }
      }
      if (w != 0.0) {
        value +=
            w * (m > 0 ? p(1, m + 1, n) + p(-1, -m - 1, n) : p(1, m - 1, n) - p(-1, -m + 1, n));
      }
      result(m, n) = value;
    }
  }
  return result;
}

}  // namespace

RotationY::RotationY(int order, double cos_theta, double sin_theta)
    : order_(order), blocks_(cosine_at(order)) {
  DegreeMatrix first(1);  // rows and columns -1, 0, 1 are y, z, x
  first(-1, -1) = 1.0;
  first(0, 0) = cos_theta;
  first(0, 1) = sin_theta;
  first(1, 0) = -sin_theta;
  first(1, 1) = cos_theta;

  DegreeMatrix current(0);
  current(0, 0) = 1.0;
  for (int n = 0; n < order; ++n) {
    if (n == 1) current = first;
    if (n > 1) current = next_degree(first, current, n);
    for (int m = 0; m <= n; ++m) {
      for (int m2 = 0; m2 <= n; ++m2) {
        blocks_[cosine_at(n) + m * (n + 1) + m2] = current(m, m2);
        if (m > 0 && m2 > 0) blocks_[sine_at(n) + (m - 1) * n + m2 - 1] = current(-m, -m2);
      }
    }
  }
}

}  // namespace rankine::fmm
