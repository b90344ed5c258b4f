// Which CUDA devices this build and this machine offer. Plain C++: usable, and always false, in
// builds without CUDA.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rankine::gpu {

struct Device {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::size_t total_bytes = 0;
  /// Known of the device that this thread uses, unless others keep it to themselves. To ask another
  /// device would take up memory on it.
  std::optional<std::size_t> free_bytes;
  /// What the driver says of a device that cannot be described or used now; empty: nothing.
  std::string trouble;
};

/// True where this build contains CUDA code, whether or not a device is present.
bool built_with_cuda() noexcept;

/// CUDA versions as "13.0"; empty without CUDA.
std::string runtime_version();
std::string driver_version();

/// Every device, one that is busy or fails with its `trouble`; empty where there is none.
std::vector<Device> devices();

/// True where at least one device can be used.
bool available() noexcept;

/// The device that this thread uses. Throws DeviceError, saying what is missing and what to do,
/// where there is none.
Device current_device();

}  // namespace rankine::gpu
