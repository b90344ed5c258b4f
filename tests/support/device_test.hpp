// What every test of gpu/ shares: without a device it is skipped, unless REQUIRE_GPU=1 asks for
// one.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "rankine/gpu/runtime/device.hpp"

namespace rankine::gpu {

/// Skips the test, or fails it, where there is no device.
inline void require_device() {
  if (available()) return;
  const char* required = std::getenv("REQUIRE_GPU");
  if (required != nullptr && std::string_view(required) == "1")
    FAIL() << "REQUIRE_GPU=1, but no device can be used";
  GTEST_SKIP() << "no CUDA device";
}

class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override { require_device(); }
};

/// |a - b| / |b| in the 2-norm.
inline double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    error += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(error / size);
}

}  // namespace rankine::gpu
