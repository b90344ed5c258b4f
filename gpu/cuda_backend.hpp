// The CUDA memory space of boundary-element solves: arrays, operators, near-field matrices and
// Krylov vectors stay on the device; only scalars come back between iterations. See bem/backend.hpp
// for the contract.
#pragma once

#include <memory>

#include "rankine/bem/backend.hpp"

namespace rankine::gpu {

/// The backend of this thread's current device. Arrays and operators made by it may outlive it.
/// Throws DeviceError if no device can be used; the message says what is missing and what to do.
std::unique_ptr<bem::Backend> make_cuda_backend();

}  // namespace rankine::gpu
