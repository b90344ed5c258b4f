// A CUDA device with a separate memory pool for one client. All streams of the client share it, so
// they depend neither on the thread's current device nor on the device's default pool. The last
// stream frees the pool. Plain C++.
#pragma once

#include <cstddef>
#include <string>

#include "rankine/gpu/runtime/device.hpp"

struct CUmemPoolHandle_st;

namespace rankine::gpu {

class DeviceContext {
 public:
  /// For the device that the calling thread uses. Throws DeviceError if there is none.
  DeviceContext();
  ~DeviceContext();
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  const Device& device() const { return device_; }
  /// The pool keeps freed memory, because setup and apply allocate the same sizes repeatedly.
  CUmemPoolHandle_st* pool() const { return pool_; }

  /// Bytes that can still be allocated: free on the device, or kept in the pool.
  std::size_t available_bytes() const;

  /// The largest number of bytes of the pool in use at any time.
  std::size_t peak_bytes() const;

  /// Throws DeviceError unless `bytes` for `what` are available. The message names the device, the
  /// missing amount and `advice`: what to change.
  void require_memory(std::size_t bytes, const std::string& what, const std::string& advice) const;

 private:
  Device device_;
  CUmemPoolHandle_st* pool_ = nullptr;
};

/// Makes a device current in the calling thread. Throws DeviceError if there is none.
void use_device(int index);

/// Makes a context's device current in the calling thread for the lifetime of this object, and
/// afterwards if the process has not used the device that was current before: to make that one
/// current again would create a context there.
class DeviceScope {
 public:
  explicit DeviceScope(const DeviceContext& context);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0, within_;
};

}  // namespace rankine::gpu
