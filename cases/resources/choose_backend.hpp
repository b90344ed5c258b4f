// Chooses the backend of a run, processor or device; nothing else does.
#pragma once

#include <memory>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/resources/fit.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// `automatic` takes a CUDA device if this build and this machine have one, else the processor.
/// Logs the work that the processor does for a device; `log` must outlive the backend. Throws
/// DeviceError for `cuda` without a device.
std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, Log& log);

/// Free memory of this machine and, for a device's backend, of that device.
Room room_for(const bem::Backend& backend);

/// Judges whether a solve fits on `backend`, warns, and replaces it by the processor if the verdict
/// says so.
Verdict settle(std::unique_ptr<bem::Backend>& backend, const SolveSize& size, BackendChoice choice,
               Log& log);

/// Throws DeviceError if the verdict refuses.
void require_room(const Verdict& verdict);

}  // namespace rankine::cases
