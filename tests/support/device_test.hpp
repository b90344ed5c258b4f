// What every test of gpu/ shares: without a device it is skipped.
#pragma once

#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "tests/support/require_gpu.hpp"

namespace rankine::testing {

class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override { require_gpu(gpu::available()); }
};

}  // namespace rankine::testing
