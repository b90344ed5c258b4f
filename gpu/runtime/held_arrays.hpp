// Copies on the device of host arrays that do not change for a while. All kernels that read such an
// array share one copy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

using DeviceBytes = std::shared_ptr<const DeviceBuffer<std::byte>>;

/// The copies of one stream. As a stream, to be used by one thread at a time.
class HeldArrays {
 public:
  /// Holds are counted: an array is held until it has been released as often. Empty arrays are
  /// ignored.
  void hold(HostArray host);
  void release(HostArray host) noexcept;
  /// The copy of an array, uploaded now if there is none. It is kept as long as the array is held.
  DeviceBytes copy_of(HostArray host, const Stream& stream);

  /// Registers `copy` as the copy of `host` until `host` is no longer held. If `host` is never
  /// held, forget() removes the copy.
  void give(HostArray host, DeviceBytes copy);
  void forget(HostArray host) noexcept;

 private:
  struct Held {
    HostArray host;
    int times;
    DeviceBytes copy;  ///< null until requested or given
  };
  std::vector<Held>::iterator find(HostArray host);

  std::vector<Held> held_;  ///< about a dozen, so that a linear search will do
};

/// A host array's copy, for kernels.
template <class T>
class DeviceCopy {
 public:
  DeviceCopy() = default;
  DeviceCopy(std::span<const T> host, const Stream& stream)
      : bytes_(stream.held_arrays().copy_of(std::as_bytes(host), stream)) {}

  const T* data() const { return reinterpret_cast<const T*>(bytes_ ? bytes_->data() : nullptr); }
  std::size_t size() const { return bytes_ ? bytes_->size() / sizeof(T) : 0; }
  std::span<const T> span() const { return {data(), size()}; }
  const DeviceBytes& bytes() const { return bytes_; }

 private:
  DeviceBytes bytes_;
};

/// Registered copies of host arrays. The host arrays must not change during the lifetime of this
/// object.
class GivenCopies {
 public:
  explicit GivenCopies(std::shared_ptr<const Stream> stream);
  ~GivenCopies();
  GivenCopies(const GivenCopies&) = delete;
  GivenCopies& operator=(const GivenCopies&) = delete;

  void add(HostArray host, DeviceBytes copy);

 private:
  std::vector<HostArray> arrays_;
  std::shared_ptr<const Stream> stream_;
};

/// Holds arrays during its lifetime.
class Hold {
 public:
  Hold(std::vector<HostArray> arrays, std::shared_ptr<const Stream> stream);
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  std::vector<HostArray> arrays_;
  std::shared_ptr<const Stream> stream_;
};

}  // namespace rankine::gpu
