#include "rankine/gpu/sums/dense_translation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rankine::gpu {
namespace {

// Both forms multiply and add a few hundred numbers of the size of the largest element.
void expect_closed_form(fmm::Shift shift, const Vec3d& t) {
  for (const int order : {1, 2, 3, 7, 16}) {
    const std::vector<double> expected = fmm::dense_matrix(fmm::make_translation(shift, t, order));
    const std::vector<double> actual = dense_translation(shift, t, order);
    ASSERT_EQ(actual.size(), expected.size());
    double largest = 0.0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i], 1e-13 * largest)
          << "order " << order << ", row " << i / (order * order) << ", column "
          << i % (order * order);
    }
  }
}

TEST(DenseTranslation, M2LEqualsRotationShiftRotation) {
  for (const Vec3d t : {Vec3d{2, 0, 0}, Vec3d{0, 0, 2}, Vec3d{2, 1, 0}, Vec3d{3, 2, 1},
                        Vec3d{-2, 3, -1}, Vec3d{0, -3, 3}}) {
    expect_closed_form(fmm::Shift::multipole_to_local, t);
  }
}

TEST(DenseTranslation, M2MAndL2LEqualRotationShiftRotation) {
  for (int octant = 0; octant < 8; ++octant) {
    expect_closed_form(fmm::Shift::multipole_to_multipole, fmm::octant_offset(octant));
    expect_closed_form(fmm::Shift::local_to_local, fmm::octant_offset(octant));
  }
}

}  // namespace
}  // namespace rankine::gpu
