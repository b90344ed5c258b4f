// The CUDA devices of this machine that this build can use. Plain C++; builds without CUDA have
// none.
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
  /// Known only for the device that this thread uses: a query of another device would allocate
  /// memory on it.
  std::optional<std::size_t> free_bytes;
  /// The driver's message if the device cannot currently be used or described, otherwise empty.
  std::string trouble;
};

/// True if this build contains CUDA code, with or without a device.
bool built_with_cuda() noexcept;

/// CUDA versions as "13.0"; empty without CUDA.
std::string runtime_version();
std::string driver_version();

/// Every device. A device that is busy or fails is listed with its `trouble`.
std::vector<Device> devices();

/// True if at least one device can be used.
bool available() noexcept;

/// The device that this thread uses. Throws DeviceError if there is none; the message says what is
/// missing and what to do.
Device current_device();

}  // namespace rankine::gpu
