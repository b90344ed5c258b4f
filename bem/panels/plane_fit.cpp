#include "rankine/bem/panels/plane_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace rankine::bem {
namespace {

/// Of a sample at the distance d, where the root mean square is 1 along either axis: 1/d^2, but not more
/// for samples so close that their differences are noise, the neighbours of slivers.
double weight_at(double d2) { return 1.0 / (d2 + 0.1); }

/// Exponents of x and y in the terms.
constexpr std::array<std::array<int, 2>, 9> exponents{
    {{1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}, {3, 0}, {2, 1}, {1, 2}, {0, 3}}};

/// Weighted sums of x^a y^b with 2 <= a + b <= 6, of which all products of terms are made, and of the
/// terms times the values.
struct Moments {
  std::array<double, 25> of_powers{};
  std::array<double, 9> of_values{};

  static constexpr std::size_t index(int a, int b) {
    const int degree = a + b;
    return static_cast<std::size_t>(degree * (degree + 1) / 2 - 3 + b);
  }

  explicit Moments(std::span<const PlaneSample> samples) {
    for (const PlaneSample& sample : samples) {
      const double x = sample.x, y = sample.y, weight = weight_at(x * x + y * y);
      std::array<double, 7> of_x{1.0}, of_y{1.0};
      for (std::size_t k = 1; k < 7; ++k) {
        of_x[k] = of_x[k - 1] * x;
        of_y[k] = of_y[k - 1] * y;
      }
      for (double& power : of_x) power *= weight;
      std::size_t at = 0;
      for (std::size_t degree = 2; degree <= 6; ++degree) {
        for (std::size_t b = 0; b <= degree; ++b) of_powers[at++] += of_x[degree - b] * of_y[b];
      }
      for (std::size_t k = 0; k < 9; ++k) {
        of_values[k] += of_x[static_cast<std::size_t>(exponents[k][0])] *
                        of_y[static_cast<std::size_t>(exponents[k][1])] * sample.value;
      }
    }
  }
};

/// False where the samples do not fix the terms.
template <int Terms>
bool fit(std::size_t samples, const Moments& moments, PlanePolynomial& result) {
  constexpr std::size_t spare = Terms == 9 ? 3 : 1;
  if (samples < Terms + spare) return false;
  using Matrix = Eigen::Matrix<double, Terms, Terms>;
  using Vector = Eigen::Matrix<double, Terms, 1>;
  Matrix normal;
  Vector right;
  for (std::size_t k = 0; k < Terms; ++k) {
    right(static_cast<int>(k)) = moments.of_values[k];
    for (std::size_t l = 0; l < Terms; ++l) {
      normal(static_cast<int>(k), static_cast<int>(l)) = moments.of_powers[Moments::index(
          exponents[k][0] + exponents[l][0], exponents[k][1] + exponents[l][1])];
    }
  }
  const Eigen::LLT<Matrix> factors(normal);
  if (factors.info() != Eigen::Success) return false;
  const auto pivots = factors.matrixLLT().diagonal().array().square();
  if (!(pivots.minCoeff() > 1e-6 * pivots.maxCoeff())) return false;
  const Vector s = factors.solve(right);
  for (int k = 0; k < Terms; ++k) result.s[static_cast<std::size_t>(k)] = s(k);
  result.terms = Terms;
  return true;
}

/// Least squares of least norm in the two slopes: directions without data keep slope zero.
void fit_slopes(std::span<const PlaneSample> samples, PlanePolynomial& result) {
  double a = 0.0, b = 0.0, c = 0.0, right_x = 0.0, right_y = 0.0;
  for (const PlaneSample& sample : samples) {
    const double weight = weight_at(sample.x * sample.x + sample.y * sample.y);
    a += weight * sample.x * sample.x;
    b += weight * sample.x * sample.y;
    c += weight * sample.y * sample.y;
    right_x += weight * sample.x * sample.value;
    right_y += weight * sample.y * sample.value;
  }
  const double determinant = a * c - b * b, trace = a + c;
  if (!(trace > 0.0)) return;
  result.terms = 2;
  if (determinant > 1e-6 * trace * trace) {
    result.s[0] = (c * right_x - b * right_y) / determinant;
    result.s[1] = (a * right_y - b * right_x) / determinant;
    return;
  }
  // Rank one: the matrix is trace * d d^T, so its pseudo-inverse is the matrix over trace^2.
  result.s[0] = (a * right_x + b * right_y) / (trace * trace);
  result.s[1] = (b * right_x + c * right_y) / (trace * trace);
}

/// Axes along which the samples spread alike: u = w_00 x + w_01 y, v = w_11 y. Meshes stretched along
/// the surface are regular in them.
struct Whitening {
  double w_00 = 1.0, w_01 = 0.0, w_11 = 1.0;

  explicit Whitening(std::span<const PlaneSample> samples) {
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (const PlaneSample& s : samples) {
      xx += s.x * s.x;
      xy += s.x * s.y;
      yy += s.y * s.y;
    }
    const auto n = static_cast<double>(samples.size());
    const double left = xx - xy * xy / yy;  // of x, once its share in y is taken away
    if (!(yy > 0.0) || !(left > 1e-12 * xx)) return;
    w_00 = std::sqrt(n / left);
    w_01 = -w_00 * xy / yy;
    w_11 = std::sqrt(n / yy);
  }
};

/// Whether slopes are at most three times as steep as the samples.
bool is_plausible(const PlanePolynomial& fit, std::span<const PlaneSample> samples) {
  double steepest = 0.0;
  for (const PlaneSample& s : samples) {
    steepest = std::max(steepest, s.value * s.value / (s.x * s.x + s.y * s.y + 1e-12));
  }
  constexpr double allowed = 3.0 * 3.0;
  return fit.s[0] * fit.s[0] + fit.s[1] * fit.s[1] <= allowed * steepest;
}

}  // namespace

PlanePolynomial fit_plane(std::span<const PlaneSample> samples, int most_terms) {
  const Whitening whitening(samples);
  std::vector<PlaneSample> white(samples.begin(), samples.end());
  for (PlaneSample& s : white)
    s = {whitening.w_00 * s.x + whitening.w_01 * s.y, whitening.w_11 * s.y, s.value};
  const Moments moments(white);
  PlanePolynomial result;
  result.axes = {whitening.w_00, whitening.w_01, whitening.w_11};
  if (most_terms >= 9 && fit<9>(samples.size(), moments, result) && is_plausible(result, white))
    return result;
  if (most_terms >= 5 && fit<5>(samples.size(), moments, result) && is_plausible(result, white)) {
    std::fill(result.s.begin() + 5, result.s.end(), 0.0);
    return result;
  }
  result.s = {};
  fit_slopes(white, result);
  return result;
}

}  // namespace rankine::bem
