// The CUDA memory space of boundary-element solves: arrays, operators, near-field matrices and
// Krylov vectors stay on the device; only scalars come back between iterations. See bem/backend.hpp
// for the contract.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine::gpu {

/// Called with the name of a piece of work and the reason why the host does it, not the device:
/// symmetry planes, long panels, very many neighbours, or lack of device memory. All other failures
/// of the device throw.
using HostWork = std::function<void(const std::string& work, const std::string& reason)>;

/// The backend of this thread's current device. Arrays and operators made by it may outlive it.
/// `on_host` is called once per piece of work.
/// With `processes`, which must outlive the result, sums and near corrections are divided among
/// their devices (bem/distributed_backend.hpp); the call is then collective, and operators and
/// matrices must not outlive the backend.
/// Throws DeviceError if no device can be used; the message says what is missing and what to do.
std::unique_ptr<bem::Backend> make_cuda_backend(HostWork on_host = {},
                                                Communicator* processes = nullptr);

}  // namespace rankine::gpu
