#include "rankine/fmm/harmonics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/dual.hpp"
#include "rankine/fmm/gradient_terms.hpp"

namespace rankine::fmm {
namespace {

constexpr int most_order = 20;

/// The harmonics of one kind at a point of any number type.
template <class T>
std::vector<T> harmonics(Harmonic kind, const T& x, const T& y, const T& z) {
  static const RecursionTable<double> table;
  std::vector<T> values(coefficient_count(most_order));
  visit_harmonics(table, most_order, harmonic_point(kind, x, y, z, one<T>()),
                  [&](int k, const T& value) { values[k] = value; });
  return values;
}

std::vector<double> regular(const Vec3d& r) { return harmonics(Harmonic::regular, r.x, r.y, r.z); }
std::vector<double> singular(const Vec3d& r) {
  return harmonics(Harmonic::singular, r.x, r.y, r.z);
}

/// The derivative along `axis` of harmonic (n, m), by the rule, from the harmonics themselves.
template <class T>
T by_rule(Harmonic kind, int axis, int n, int m, const std::vector<T>& values) {
  const int degree = kind == Harmonic::regular ? n - 1 : n + 1;
  T sum{};
  visit_gradient(kind, n, m, [&](int term_axis, int m2, double coefficient) {
    if (term_axis == axis) sum = sum + values[coefficient_index(degree, m2)] * coefficient;
  });
  return sum;
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
    for (int n = 0; n < most_order; ++n) {
      double sum = 0.0;
      for (int m = -n; m <= n; ++m)
        sum += ra[coefficient_index(n, m)] * rb[coefficient_index(n, m)];
      // n steps of a recursion whose terms are at most |a|^n |b|^n.
      EXPECT_NEAR(sum, std::pow(size, n) * std::legendre(n, cosine),
                  1e-15 * (n + 1) * (n + 1) * std::pow(size, n) + 1e-17);
    }
  }
}

// Each step of either recursion loses about one epsilon of |r|^n.
TEST(Harmonics, AreTheSameWithoutFactorsOnTheWay) {
  const MonicTable<double> monic;
  const RecursionTable<double> table;
  for (const Vec3d r : {Vec3d{0.3, -0.7, 0.2}, Vec3d{-0.05, 0.02, 0.8}, Vec3d{0.5, 0.5, 0.0}}) {
    const HarmonicPoint<double> at = harmonic_point(Harmonic::regular, r.x, r.y, r.z, 1.0);
    std::vector<double> expected(coefficient_count(max_harmonics));
    visit_harmonics(table, max_harmonics, at, [&](int k, double value) { expected[k] = value; });
    Azimuth<double> azimuth{at.start};
    for (int m = 0; m < max_harmonics; ++m) {
      if (m > 0) azimuth.advance(at);
      Ascent<double> ascent{1.0};
      for (int n = m; n < max_harmonics; ++n) {
        if (n > m) ascent.climb(at.z, at.r2, monic.back(n, m));
        const double factor = RecursionFactors::monic(n, m) * ascent.q;
        const double bound = 1e-15 * (n + 1) * (n + 1) * std::pow(norm(r), n);
        EXPECT_NEAR(azimuth.cosine * factor, expected[coefficient_index(n, m)], bound);
        if (m > 0) {
          EXPECT_NEAR(azimuth.sine * factor, expected[coefficient_index(n, -m)], bound);
        }
      }
    }
  }
}

// The expansion of 1/|x - y| converges as (|y|/|x|)^p.
TEST(Harmonics, MultipoleSeriesConvergesAtTheRatioOfTheRadii) {
  const Vec3d y{0.1, 0.2, -0.15}, x{0.6, -0.5, 0.45};
  const std::vector<double> r = regular(y), s = singular(x);
  const double ratio = norm(y) / norm(x), exact = 1.0 / norm(x - y);
  double sum = 0.0;
  for (int n = 0; n < most_order; ++n) {
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
          const double derivative = by_rule(kind, axis, n, m, values);
          const double difference = (8.0 * (a[k] - b[k]) - (c[k] - d[k])) / (12.0 * h);
          EXPECT_NEAR(derivative, difference, 2e-8 * std::max(1.0, std::abs(difference)))
              << "n " << n << " m " << m;
        }
      }
    }
  }
}

// S = R / r^(2n+1), although it is computed by inversion.
TEST(Harmonics, SingularAreRegularOverAPowerOfTheRadius) {
  const Vec3d r{0.7, -0.5, 0.6};
  const std::vector<double> s = singular(r), expected = regular(r);
  for (int n = 0; n < most_order; ++n) {
    const double power = std::pow(norm(r), -2 * n - 1);
    for (int m = -n; m <= n; ++m) {
      const int k = coefficient_index(n, m);
      EXPECT_NEAR(s[k], expected[k] * power,
                  1e-15 * (n + 1) * (n + 1) * power * std::pow(norm(r), n));
    }
  }
  for (const double value : singular({})) EXPECT_EQ(value, 0.0);
}

TEST(Harmonics, TabulatedFactorsAreThoseOfTheFormula) {
  const RecursionTable<double> table;
  for (int n = 1; n < max_harmonics; ++n) {
    EXPECT_EQ(table.diagonal(n), RecursionFactors::diagonal(n));
    for (int m = 0; m < n; ++m) {
      EXPECT_EQ(table.up(n, m), RecursionFactors::up(n, m));
      EXPECT_EQ(table.back(n, m), RecursionFactors::back(n, m));
    }
  }
}

}  // namespace
}  // namespace rankine::fmm
