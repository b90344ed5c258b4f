#include "rankine/fmm/harmonics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/gradient_map.hpp"

namespace rankine::fmm {
namespace {

constexpr int order = 20;

std::vector<double> regular(const Vec3d& r) {
  static const RecursionTable<double> table;
  std::vector<double> values(coefficient_count(order));
  regular_harmonics(table, order, r.x, r.y, r.z, values.data());
  return values;
}

std::vector<double> singular(const Vec3d& r) {
  const double r2 = dot(r, r);
  std::vector<double> values = regular(r / r2);
  for (double& v : values) v /= std::sqrt(r2);
  return values;
}

TEST(Harmonics, LowDegreesAreTheKnownPolynomials) {
  const Vec3d r{0.3, -0.7, 0.2};
  const std::vector<double> values = regular(r);
  const double s3 = std::sqrt(3.0);
  EXPECT_DOUBLE_EQ(values[coefficient_index(0, 0)], 1.0);
  EXPECT_DOUBLE_EQ(values[coefficient_index(1, -1)], r.y);
  EXPECT_DOUBLE_EQ(values[coefficient_index(1, 0)], r.z);
  EXPECT_DOUBLE_EQ(values[coefficient_index(1, 1)], r.x);
  EXPECT_DOUBLE_EQ(values[coefficient_index(2, -2)], s3 * r.x * r.y);
  EXPECT_DOUBLE_EQ(values[coefficient_index(2, -1)], s3 * r.y * r.z);
  EXPECT_NEAR(values[coefficient_index(2, 0)], 0.5 * (3.0 * r.z * r.z - dot(r, r)), 1e-15);
  EXPECT_NEAR(values[coefficient_index(2, 2)], 0.5 * s3 * (r.x * r.x - r.y * r.y), 1e-15);
}

// Sum over m of R_n^m(a) R_n^m(b) = |a|^n |b|^n P_n(cos of the angle): the addition theorem in this
// normalisation.
TEST(Harmonics, DegreesObeyTheAdditionTheorem) {
  const std::vector<Vec3d> points = make_points("cube", 40, 7);
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    const Vec3d a = points[i] - Vec3d{0.5, 0.5, 0.5}, b = points[i + 1] - Vec3d{0.5, 0.5, 0.5};
    const std::vector<double> ra = regular(a), rb = regular(b);
    const double size = norm(a) * norm(b), cosine = dot(a, b) / size;
    for (int n = 0; n < order; ++n) {
      double sum = 0.0;
      for (int m = -n; m <= n; ++m)
        sum += ra[coefficient_index(n, m)] * rb[coefficient_index(n, m)];
      // n steps of a recursion whose terms are at most |a|^n |b|^n.
      EXPECT_NEAR(sum, std::pow(size, n) * std::legendre(n, cosine),
                  1e-15 * (n + 1) * (n + 1) * std::pow(size, n) + 1e-17);
    }
  }
}

// The expansion of 1/|x - y| converges as (|y|/|x|)^p.
TEST(Harmonics, MultipoleSeriesConvergesAtTheRatioOfTheRadii) {
  const Vec3d y{0.1, 0.2, -0.15}, x{0.6, -0.5, 0.45};
  const std::vector<double> r = regular(y), s = singular(x);
  const double ratio = norm(y) / norm(x), exact = 1.0 / norm(x - y);
  double sum = 0.0;
  for (int n = 0; n < order; ++n) {
    for (int m = -n; m <= n; ++m) sum += r[coefficient_index(n, m)] * s[coefficient_index(n, m)];
    const double bound = std::pow(ratio, n + 1) / (norm(x) - norm(y));
    EXPECT_LE(std::abs(sum - exact), bound + 1e-15);
  }
}

// Fourth-order differences of step h err by h^4 f'''''/30 and eps f / h: below 1e-9 for degrees up
// to 12 and h = 2e-3.
TEST(Harmonics, GradientRuleMatchesDifferences) {
  const Vec3d r{0.7, -0.5, 0.6};
  constexpr double h = 2e-3;
  constexpr int degrees = 8;
  for (const Harmonic kind : {Harmonic::regular, Harmonic::singular}) {
    const auto at = [&](int axis, double step) {
      Vec3d shifted = r;
      shifted[axis] += step;
      return kind == Harmonic::regular ? regular(shifted) : singular(shifted);
    };
    const std::vector<double> values = at(0, 0.0);
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = at(axis, h), b = at(axis, -h), c = at(axis, 2 * h), d = at(axis, -2 * h);
      for (int n = 0; n < degrees; ++n) {
        for (int m = -n; m <= n; ++m) {
          const int k = coefficient_index(n, m);
          double derivative = 0.0;
          visit_gradient(kind, n, m, [&](int term_axis, int m2, double coefficient) {
            const int degree = kind == Harmonic::regular ? n - 1 : n + 1;
            if (term_axis == axis)
              derivative += coefficient * values[coefficient_index(degree, m2)];
          });
          const double difference = (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * h);
          EXPECT_NEAR(derivative, difference, 2e-8 * std::max(1.0, std::abs(difference)))
              << "n " << n << " m " << m;
        }
      }
    }
  }
}

}  // namespace
}  // namespace rankine::fmm
