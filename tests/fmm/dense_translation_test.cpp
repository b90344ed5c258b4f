// Two independent ways to translate: the closed form, and rotation, shift, rotation back.
#include "rankine/fmm/dense_translation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "tests/fmm/factored_translation.hpp"

namespace rankine::fmm {
namespace {

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
