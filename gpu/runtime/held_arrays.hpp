// Host arrays that somebody promises not to change for a while: all that read one of them on the device
// share a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

using DeviceBytes = std::shared_ptr<const DeviceBuffer<std::byte>>;

/// Of one stream, for one thread at a time, as the stream.
class HeldArrays {
 public:
  /// An array may be held several times, and is until it has been released as often. Empty ones are passed
  /// over.
  void hold(HostArray host);
  void release(HostArray host) noexcept;
  /// The copy of an array; made now, and kept where the array is held.
  DeviceBytes copy_of(HostArray host, const Stream& stream);

  /// What was on the device before the host's array is its copy until that is held no more, or, where nobody came to
  /// hold it, forgotten.
  void give(HostArray host, DeviceBytes copy);
  void forget(HostArray host) noexcept;

 private:
  struct Held {
    HostArray host;
    int times;
    DeviceBytes copy;  ///< once somebody asked for it, or gave it
  };
  std::vector<Held>::iterator find(HostArray host);

  std::vector<Held> held_;  ///< a dozen
};

/// A host array as kernels read it.
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

/// Copies that are given of host arrays, which do not change while it lives.
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

/// Holds arrays while it lives.
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
