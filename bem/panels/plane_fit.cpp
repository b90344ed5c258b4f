#include "rankine/bem/panels/plane_fit.hpp"

#include <Eigen/Dense>

namespace rankine::bem {
namespace {

/// False where the samples do not fix the terms.
template <int Terms>
bool fit(std::span<const PlaneSample> samples, PlanePolynomial& result) {
  constexpr std::size_t spare = Terms == 9 ? 3 : 1;
  if (samples.size() < Terms + spare) return false;
  using Matrix = Eigen::Matrix<double, Terms, Terms>;
  using Vector = Eigen::Matrix<double, Terms, 1>;
  Matrix normal = Matrix::Zero();
  Vector right = Vector::Zero();
  for (const PlaneSample& sample : samples) {
    const double x = sample.x, y = sample.y;
    Eigen::Matrix<double, 9, 1> all;
    all << x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y;
    const Vector row = all.template head<Terms>();
    const double weight = 1.0 / (x * x + y * y + 1e-12);
    normal.noalias() += weight * row * row.transpose();
    right.noalias() += (weight * sample.value) * row;
  }
  const Eigen::LDLT<Matrix> factors(normal);
  const auto pivots = factors.vectorD().cwiseAbs();
  if (factors.info() != Eigen::Success || !(pivots.minCoeff() > 1e-6 * pivots.maxCoeff()))
    return false;
  const Vector s = factors.solve(right);
  for (int k = 0; k < Terms; ++k) result.s[static_cast<std::size_t>(k)] = s(k);
  result.terms = Terms;
  return true;
}

/// Least squares of least norm in the two slopes: directions without data keep slope zero.
void fit_slopes(std::span<const PlaneSample> samples, PlanePolynomial& result) {
  double a = 0.0, b = 0.0, c = 0.0, right_x = 0.0, right_y = 0.0;
  for (const PlaneSample& sample : samples) {
    const double weight = 1.0 / (sample.x * sample.x + sample.y * sample.y + 1e-12);
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

}  // namespace

PlanePolynomial fit_plane(std::span<const PlaneSample> samples, int most_terms) {
  PlanePolynomial result;
  if (most_terms >= 9 && fit<9>(samples, result)) return result;
  if (most_terms >= 5 && fit<5>(samples, result)) return result;
  fit_slopes(samples, result);
  return result;
}

}  // namespace rankine::bem
