// Chooses the backend of a run, processor or device. This is the only place that does.
#pragma once

#include <memory>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/resources/fit.hpp"
#include "rankine/bem/backend.hpp"

namespace rankine::cases {

/// `automatic` selects a CUDA device if the build supports it and the machine has one, else the
/// processor. With a device the backend logs work done on the processor; `log` must outlive it.
/// Throws DeviceError for `cuda` without a device.
std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, Log& log);

/// Free memory of this machine and, for a device backend, of the device.
FreeMemory free_memory(const bem::Backend& backend);

/// Judges whether a solve fits on `backend`, warns, and replaces the backend by the processor if
/// the verdict is to solve there.
Verdict settle(std::unique_ptr<bem::Backend>& backend, const SolveSize& size, BackendChoice choice,
               Log& log);

/// Throws DeviceError if the verdict refuses.
void require_memory(const Verdict& verdict);

}  // namespace rankine::cases
