// Which backend a run computes on: the only place that chooses between the processor and a device.
#pragma once

#include <memory>

#include "bem/backend.hpp"
#include "cases/input/case.hpp"

namespace rankine::cases {

/// `automatic` takes a CUDA device where this build and this machine have one, else the processor.
/// Throws DeviceError for `cuda` where it is missing.
std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, int threads);

}  // namespace rankine::cases
