// Memory that is touched before it is filled: sizes near pages and huge pages, and contents that
// resizing preserves.
#include "rankine/fmm/core/first_touch.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace rankine {
namespace {

TEST(FirstTouch, ResizesToAnySize) {
  for (const std::size_t size : {0UL, 1UL, 511UL, 512UL, 262143UL, 262144UL, 262145UL, 1000003UL}) {
    AlignedVector<double> vector;
    resize_touched(vector, size);
    ASSERT_EQ(vector.size(), size);
    std::iota(vector.begin(), vector.end(), 1.0);
    EXPECT_TRUE(size == 0 || vector.back() == static_cast<double>(size));
  }
}

TEST(FirstTouch, LeavesAloneWhatHasRoom) {
  AlignedVector<int> vector;
  resize_touched(vector, 100000);
  std::iota(vector.begin(), vector.end(), 0);
  const int* const memory = vector.data();
  resize_touched(vector, 50000);
  resize_touched(vector, 100000);
  EXPECT_EQ(vector.data(), memory);
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(vector[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace rankine
