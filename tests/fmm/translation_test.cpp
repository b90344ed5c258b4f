// Translations of expansions against direct sums, and against the closed form without rotations.
#include "rankine/fmm/translation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankine/fmm/dense_translation.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "tests/fmm/factored_translation.hpp"

namespace rankine::fmm {
namespace {

std::vector<double> regular(int order, const Vec3d& r) {
  static const RecursionTable<double> table;
  std::vector<double> values(coefficient_count(order));
  visit_harmonics(table, order, harmonic_point(Harmonic::regular, r.x, r.y, r.z, 1.0),
                  [&](int k, double value) { values[k] = value; });
  return values;
}

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Vec3d in_box(std::uint64_t seed) { return make_points("cube", 1, seed)[0] - Vec3d{0.5, 0.5, 0.5}; }

TEST(Rotation, TurnsTheHarmonicsAndIsOrthogonal) {
  constexpr int order = 24;
  const double angle = 1.1, c = std::cos(angle), s = std::sin(angle);
  const RotationY rotation(order, c, s);
  const Vec3d r{0.3, -0.4, 0.6};
  const Vec3d turned{c * r.x - s * r.z, r.y, s * r.x + c * r.z};
  const auto before = regular(order, r), after = regular(order, turned);
  for (int n = 0; n < order; ++n) {
    for (int m = 0; m <= n; ++m) {
      double cosine = 0.0, sine = 0.0, row = 0.0;
      for (int m2 = 0; m2 <= n; ++m2) {
        cosine += rotation.cosine(n, m, m2) * before[coefficient_index(n, m2)];
        row += rotation.cosine(n, m, m2) * rotation.cosine(n, m, m2);
        if (m > 0 && m2 > 0) sine += rotation.sine(n, m, m2) * before[coefficient_index(n, -m2)];
      }
      // The recursion over degrees loses about one epsilon per degree.
      EXPECT_NEAR(cosine, after[coefficient_index(n, m)], 1e-14);
      if (m > 0) {
        EXPECT_NEAR(sine, after[coefficient_index(n, -m)], 1e-14);
      }
      EXPECT_NEAR(row, 1.0, 1e-13);
    }
  }
}

TEST(Translation, MultipoleToMultipoleIsExact) {
  constexpr int order = 14;
  for (int octant = 0; octant < 8; ++octant) {
    const Translation<double> m2m =
        make_translation(Shift::multipole_to_multipole, octant_offset(octant), order);
    const Vec3d y = in_box(octant);
    const auto parent = translated(m2m, regular(order, y));
    const auto expected = regular(order, y * 0.5 + octant_offset(octant));
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(parent[k], expected[k], 1e-14);
  }
}

TEST(Translation, LocalToLocalIsExact) {
  constexpr int order = 14;
  const std::vector<double> local = make_strengths(coefficient_count(order), 5);
  for (int octant = 0; octant < 8; ++octant) {
    const auto l2l = make_translation(Shift::local_to_local, octant_offset(octant), order);
    const Vec3d x = in_box(octant + 10);
    // In the child 1/h doubles, so the same potential has half the coefficients.
    EXPECT_NEAR(2.0 * inner(translated(l2l, local), regular(order, x)),
                inner(local, regular(order, x * 0.5 + octant_offset(octant))), 1e-13);
  }
}

// |error| <= 2 eta^p / (D - R1 - R2) with eta = R/(D - R) for boxes of radius R = sqrt(3)/2 at
// distance D ([GD08] eq. (20)).
TEST(Translation, MultipoleToLocalConvergesGeometricallyAtEveryOffset) {
  const Vec3d y = in_box(21), x = in_box(22);
  const double radius = std::sqrt(3.0) / 2.0;
  for (int index = 0; index < offset_count; ++index) {
    if (!offset_is_far(index)) continue;
    const Vec3d t = offset_vector(index);
    const double exact = 1.0 / norm(t + x - y), distance = norm(t);
    for (const int order : {4, 8, 12}) {
      const auto m2l = make_translation(Shift::multipole_to_local, t, order);
      const double value = inner(translated(m2l, regular(order, y)), regular(order, x));
      const double bound =
          2.0 * std::pow(radius / (distance - radius), order) / (distance - 2.0 * radius);
      EXPECT_LE(std::abs(value - exact), bound)
          << "offset " << t.x << " " << t.y << " " << t.z << " order " << order;
    }
  }
}

TEST(Translation, SharedFactorsTranslateAlike) {
  Orders of;
  auto& orders = of.m2l;
  for (int i = 0; i < offset_count; ++i)
    orders[i] = static_cast<std::int8_t>(offset_is_far(i) ? 3 + i % 4 : 0);
  const auto shared = m2l_table<double>(of);
  for (const int index : {0, 3, 24, 100, 171 + 49 * 2, 342}) {
    if (!offset_is_far(index)) continue;
    const std::vector<double> source = make_strengths(coefficient_count(orders[index]), 6);
    const auto own = translated(
        make_translation(Shift::multipole_to_local, offset_vector(index), orders[index]), source);
    const auto other = translated(shared[index], source);
    for (std::size_t k = 0; k < own.size(); ++k)
      EXPECT_NEAR(own[k], other[k], 1e-13 * (1.0 + std::abs(own[k])));
  }
}

// A coefficient is a sum of p^2 products of numbers below one with elements of the matrix. In
// either form the rounding of these elements grows with the degree, as that of the recursions does.
void expect_equal(Shift shift, const Vec3d& t, int order) {
  const int size = coefficient_count(order);
  const std::vector<double> source = make_strengths(size, order);
  const std::vector<double> matrix = dense_translation(shift, t, order);
  const std::vector<double> factored = translated(make_translation(shift, t, order), source);
  for (int row = 0; row < size; ++row) {
    double value = 0.0, terms = 0.0;
    for (int column = 0; column < size; ++column) {
      const double term = matrix[static_cast<std::size_t>(row) * size + column] * source[column];
      value += term;
      terms += std::abs(term);
    }
    ASSERT_NEAR(factored[row], value, 1e-14 * order * std::max(terms, 1e-6))
        << "order " << order << ", row " << row << " at " << t.x << " " << t.y << " " << t.z;
  }
}

TEST(DenseTranslation, M2LEqualsRotationShiftRotation) {
  for (const Vec3d t : {Vec3d{2, 0, 0}, Vec3d{0, 0, 2}, Vec3d{0, 0, -2}, Vec3d{2, 1, 0},
                        Vec3d{3, 2, 1}, Vec3d{-2, 3, -1}, Vec3d{0, -3, 3}}) {
    for (const int order : {1, 2, 3, 7, 16}) expect_equal(Shift::multipole_to_local, t, order);
  }
}

TEST(DenseTranslation, M2MAndL2LEqualRotationShiftRotation) {
  for (int octant = 0; octant < 8; ++octant) {
    for (const int order : {1, 2, 3, 7, 16}) {
      expect_equal(Shift::multipole_to_multipole, octant_offset(octant), order);
      expect_equal(Shift::local_to_local, octant_offset(octant), order);
    }
  }
}

TEST(DenseTranslation, EqualsRotationShiftRotationAtEveryOrder) {
  for (int order = 1; order < max_order; ++order) {
    expect_equal(Shift::multipole_to_local, {2, -1, 3}, order);
    expect_equal(Shift::multipole_to_multipole, octant_offset(5), order);
    expect_equal(Shift::local_to_local, octant_offset(5), order);
  }
}

}  // namespace
}  // namespace rankine::fmm
