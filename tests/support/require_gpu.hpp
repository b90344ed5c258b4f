// What a test does where no device is present: it is skipped, unless REQUIRE_GPU=1 asks for one.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace rankine::testing {

/// Call in SetUp, and last: the test's body then runs with a device only.
inline void require_gpu(bool present) {
  if (present) return;
  const char* const required = std::getenv("REQUIRE_GPU");
  if (required != nullptr && std::string_view(required) == "1")
    FAIL() << "REQUIRE_GPU=1, but no device can be used";
  GTEST_SKIP() << "no CUDA device";
}

}  // namespace rankine::testing
