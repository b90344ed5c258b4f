// The measure of errors that other tests use.
#include "rankine/fmm/core/relative_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace rankine {
namespace {

TEST(RelativeError, IsTheNormOfTheDifferenceOverThatOfTheReference) {
  const std::vector<double> reference = {3.0, 0.0, 4.0}, value = {3.0, 1.0, 2.0};
  EXPECT_DOUBLE_EQ(relative_error(value, reference), std::sqrt(5.0) / 5.0);
}

TEST(RelativeError, DoesNotDependOnTheUnit) {
  for (const double unit : {1e-100, 1e-9, 1e9}) {
    const std::vector<double> reference = {3.0 * unit, 4.0 * unit},
                              value = {3.0 * unit, 5.0 * unit};
    EXPECT_NEAR(relative_error(value, reference), 0.2, 1e-15);
  }
}

TEST(RelativeError, IsAbsoluteWhereTheReferenceIsZero) {
  EXPECT_EQ(relative_error(std::vector{0.5}, std::vector{0.0}), 0.5);
  EXPECT_EQ(relative_error(std::vector{0.0}, std::vector{0.0}), 0.0);
}

TEST(RelativeError, IsInfiniteWhereSizesDiffer) {
  EXPECT_TRUE(std::isinf(relative_error(std::vector{1.0, 2.0}, std::vector{1.0})));
}

}  // namespace
}  // namespace rankine
