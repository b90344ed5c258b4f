#include "cases/exit_code.hpp"

#include <new>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

ExitCode exit_code_of(const std::exception& error) {
  const auto is = [&](const auto* kind) { return dynamic_cast<decltype(kind)>(&error) != nullptr; };
  if (is(static_cast<const InputError*>(nullptr))) return exit_usage;
  if (is(static_cast<const MeshError*>(nullptr))) return exit_mesh;
  if (is(static_cast<const DeviceError*>(nullptr))) return exit_device_or_memory;
  if (is(static_cast<const std::bad_alloc*>(nullptr))) return exit_device_or_memory;
  if (is(static_cast<const Stopped*>(nullptr))) return exit_interrupted;
  return exit_internal_error;
}

}  // namespace rankine::cases
