// The CUDA memory space of boundary-element solves: arrays, operators, near-field matrices and
// Krylov vectors stay on the device; only scalars come back between iterations. See bem/backend.hpp
// for the contract.
#pragma once

#include <memory>

#include "rankine/bem/backend.hpp"

namespace rankine::gpu {

/// The backend of this thread's current device. Arrays and operators made by it may outlive it.
/// Throws DeviceError, saying what is missing and what to do, where no device can be used.
std::unique_ptr<bem::Backend> make_cuda_backend();

}  // namespace rankine::gpu
