// Cores of vortices against their formulas in long double, and the pair term against differences.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/kernels/vortex.hpp"

namespace rankine::fmm {
namespace {

using Real = long double;

/// q = sqrt(2/pi) int_0^rho s^2 exp(-s^2/2) ds by its alternating series, and 3q - rho q' term by
/// term.
std::array<Real, 2> gaussian(Real rho) {
  const Real c = std::sqrt(2.0L / std::numbers::pi_v<Real>), z = rho * rho;
  if (rho > 2.0L) {
    const Real e = std::exp(-z / 2.0L), w = c * rho * z * e;
    const Real q = std::erf(rho / std::sqrt(2.0L)) - c * rho * e;
    return {q, w - 3.0L * q};
  }
  Real q = 0.0L, slope = 0.0L, term = c * z * rho;
  for (int n = 0; n < 60; ++n, term *= -z / (2.0L * n)) {
    q += term / (2.0L * n + 3.0L);
    slope += term * 2.0L * n / (2.0L * n + 3.0L);
  }
  return {q, slope};
}

std::array<Real, 2> exponential(Real rho) {
  const Real t = rho * rho * rho;
  if (t > 0.5L) return {1.0L - std::exp(-t), 3.0L * (t * std::exp(-t) - 1.0L + std::exp(-t))};
  Real q = 0.0L, slope = 0.0L, term = t;
  for (int n = 1; n < 40; ++n, term *= -t / n) {
    q += term;
    slope += 3.0L * term * (n - 1);
  }
  return {q, slope};
}

template <class Core, class T>
void expect_formula(std::array<Real, 2> (*formula)(Real), double units) {
  const double rounding = units * std::numeric_limits<T>::epsilon();
  for (double rho = 1e-3; rho < 30.0; rho *= 1.003) {
    const auto [q, slope] = Core::factors(static_cast<T>(rho));
    const auto exact = formula(static_cast<Real>(static_cast<T>(rho)));
    EXPECT_NEAR(q / static_cast<double>(exact[0]), 1.0, rounding) << rho;
    EXPECT_NEAR(slope / static_cast<double>(exact[1]), 1.0, rounding) << rho;
  }
}

// The exponent rho^3 up to 40 is rounded, which changes the exponential by as many units in the
// last place. Where slope is a small difference of larger numbers, its error is larger.
TEST(VortexCores, AreTheirFormulas) {
  expect_formula<ExponentialCore, double>(&exponential, 24.0);
  expect_formula<ExponentialCore, float>(&exponential, 24.0);
  expect_formula<GaussianCore, double>(&gaussian, 24.0);
  expect_formula<GaussianCore, float>(&gaussian, 24.0);
}

template <class Core, class T>
void expect_none_beyond() {
  for (const double rho : {1.001 * Core::beyond, 50.0, 1e9, 1e30}) {
    const auto [q, slope] = Core::factors(static_cast<T>(rho));
    EXPECT_EQ(q, T(1));
    EXPECT_EQ(slope, T(-3));
  }
}

TEST(VortexCores, AreExactlyNoneFarAway) {
  expect_none_beyond<ExponentialCore, double>();
  expect_none_beyond<ExponentialCore, float>();
  expect_none_beyond<GaussianCore, double>();
  expect_none_beyond<GaussianCore, float>();
}

constexpr double vortex[3] = {0.4, -0.7, 0.9}, sigma = 0.8;

template <class Core>
std::array<double, running_sums({.derivatives = 2, .vortices = true})> field_at(const Vec3d& r) {
  constexpr PairTerms terms{.charges = false, .derivatives = 2, .vortices = true};
  std::array<double, running_sums(terms)> sum{};
  Vortex<Core>::template add<terms>(Vortex<Core>::pair(r.x, r.y, r.z, 1.0 / norm(r), 1.0 / sigma),
                                    0.0, vortex, sum.data());
  Vortex<Core>::template finish<terms>(sum.data());
  return sum;
}

/// By differences of fourth order: h^4 f'''''/30, with h = 1e-3, and rounding over h.
template <class Core>
void expect_term() {
  for (const double distance : {0.05, 0.4, 0.9, 2.0, 6.0}) {
    const Vec3d r = distance * normalized(Vec3d{0.3, -0.5, 0.8});
    const auto at = field_at<Core>(r);
    const double h = 1e-3 * distance, size = std::pow(std::max(distance, sigma), -3.0);
    for (int j = 0; j < 3; ++j) {
      Vec3d step;
      step[j] = h;
      const auto a = field_at<Core>(r + step), b = field_at<Core>(r - step),
                 c = field_at<Core>(r + 2.0 * step), d = field_at<Core>(r - 2.0 * step);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(at[3 + 3 * i + j], (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * h),
                    1e-10 * size)
            << distance << ": d u_" << i << " / d x_" << j;
      }
    }
    EXPECT_NEAR(at[3] + at[7] + at[11], 0.0, 1e-15 * size) << "divergence";
    // u = f1 Gamma x r
    const auto q = Core::factors(distance / sigma).q;
    EXPECT_NEAR(at[0], q / std::pow(distance, 3) * (vortex[1] * r.z - vortex[2] * r.y),
                1e-14 * size);
    EXPECT_NEAR(at[1], q / std::pow(distance, 3) * (vortex[2] * r.x - vortex[0] * r.z),
                1e-14 * size);
    EXPECT_NEAR(at[2], q / std::pow(distance, 3) * (vortex[0] * r.y - vortex[1] * r.x),
                1e-14 * size);
  }
}

TEST(VortexTerm, GradientIsThatOfTheVelocity) {
  expect_term<ExponentialCore>();
  expect_term<GaussianCore>();
}

// Packs give the same factors as numbers: one source, targets at all rho, summed by the SIMD loops.
template <class T>
void expect_packs(Kernel kernel, std::array<Real, 2> (*formula)(Real), Precision precision) {
  std::vector<Vec3d> targets;
  // Positions in boxes are exact, also in float.
  for (double x = 16.0; x < 9000.0; x *= 1.02) targets.push_back({std::round(x) / 1024, 0.0, 0.0});
  const std::vector<Vec3d> source = {{0.0, 0.0, 0.0}};
  const std::vector<double> core = {sigma}, along_z = {0.0, 0.0, 1.0};
  Options options;
  options.method = Method::direct;
  options.kernel = kernel;
  options.precision = precision;
  options.tolerance = 1e-5;
  const auto op = make_cpu_operator({source, targets, {}, core}, options);
  std::vector<double> u(3 * targets.size()), du(9 * targets.size());
  op->apply({.vortices = along_z}, {.velocity = u, .velocity_gradient = du});
  const double rounding = 40.0 * std::numeric_limits<T>::epsilon();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double r = targets[i].x;
    const auto f = formula(static_cast<Real>(r / sigma));
    const auto q = static_cast<double>(f[0]), slope = static_cast<double>(f[1]);
    EXPECT_NEAR(u[3 * i + 1] * r * r / q, 1.0, rounding) << r;
    EXPECT_NEAR(du[9 * i + 3] * r * r * r, slope + q, rounding * q) << r;  // d u_y / d x
    EXPECT_NEAR(du[9 * i + 1] * r * r * r, -q, rounding * q) << r;         // d u_x / d y
  }
}

TEST(VortexCores, OfPacksAreThoseOfNumbers) {
  expect_packs<double>(Kernel::vortex_exponential, &exponential, Precision::float64);
  expect_packs<float>(Kernel::vortex_exponential, &exponential, Precision::float32);
  expect_packs<double>(Kernel::vortex_gaussian, &gaussian, Precision::float64);
  expect_packs<float>(Kernel::vortex_gaussian, &gaussian, Precision::float32);
}

}  // namespace
}  // namespace rankine::fmm
