// The error of a device that lacks memory. Work that needs less may still succeed, while any other
// DeviceError ends a run.
#pragma once

#include "rankine/fmm/core/error.hpp"

namespace rankine {

struct DeviceMemoryError : DeviceError {
  using DeviceError::DeviceError;
};

}  // namespace rankine
