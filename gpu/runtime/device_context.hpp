// A CUDA device as one client uses it: which one, what it is, and a memory pool of its own.
// Streams share it, so that neither the device that a thread happens to use nor the device's
// default pool matters after it is made, and the pool goes with the last stream. Plain C++.
#pragma once

#include <cstddef>
#include <string>

#include "rankine/gpu/runtime/device.hpp"

struct CUmemPoolHandle_st;

namespace rankine::gpu {

class DeviceContext {
 public:
  /// Of the device that the calling thread uses. Throws DeviceError where there is none.
  DeviceContext();
  ~DeviceContext();
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  const Device& device() const { return device_; }
  /// Keeps what is freed, because setup and apply allocate the same sizes again and again.
  CUmemPoolHandle_st* pool() const { return pool_; }

  /// Bytes that can still be allocated: free on the device, or kept by the pool for reuse.
  std::size_t available_bytes() const;

  /// Bytes of the pool that are in use.
  std::size_t used_bytes() const;

  /// The most bytes of the pool that were in use at one time.
  std::size_t peak_bytes() const;

  /// Throws DeviceError unless `bytes` for `what` fit: names the device, what is missing, and
  /// `advice`, what to change.
  void require_memory(std::size_t bytes, const std::string& what, const std::string& advice) const;

 private:
  Device device_;
  CUmemPoolHandle_st* pool_ = nullptr;
};

/// Makes the calling thread use a context's device while it lives, whichever it used before.
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
