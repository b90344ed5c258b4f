// The CUDA memory space of boundary-element solves: arrays, operators, near-field matrices and
// Krylov vectors stay on the device; between iterations only scalars are copied to the host.
// bem/backend.hpp defines the interface.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rankine/bem/backend.hpp"
#include "rankine/fmm/distributed/communicator.hpp"

namespace rankine::gpu {

/// Called with the name of a piece of work and the reason why the host does it instead of the
/// device: symmetry planes, very many neighbours, or too little device memory. All other failures
/// of the device throw.
using HostWork = std::function<void(const std::string& work, const std::string& reason)>;

/// The backend for this thread's current device. Its arrays and operators may outlive it. `on_host`
/// is called once per piece of work. With `processes`, which must outlive the result, sums and near
/// corrections are divided among their devices (bem/distributed_backend.hpp); the call is then
/// collective, and operators and matrices must not outlive the backend. Throws DeviceError if no
/// device can be used; the message says what is missing and what to do.
std::unique_ptr<bem::Backend> make_cuda_backend(HostWork on_host = {},
                                                Communicator* processes = nullptr);

}  // namespace rankine::gpu
