// Fast copies of large arrays between host and device. A copy of ordinary memory runs at a fraction of
// the bus, because the driver moves it through a small pinned buffer with one thread; here every thread
// has a pinned buffer of its own, which it fills or empties while those of the others are on their way, and
// none waits for another.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

class Staging {
 public:
  /// Below this size a plain copy is as fast.
  static constexpr std::size_t least_bytes = std::size_t{4} << 20;

  /// Queues the copy on `stream`, whose device the caller has chosen; `host` may be reused on return.
  void upload(void* device, const void* host, std::size_t bytes, const Stream& stream);
  /// Waits for the copy, and with it for all that `stream` was given before.
  void download(void* host, const void* device, std::size_t bytes, const Stream& stream);

 private:
  /// A thread moves as much in memory while the bus carries what the others have.
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
  static constexpr int buffers = 16;

  struct FreePinned {
    void operator()(std::byte* pointer) const noexcept;
  };
  /// A part of an array, and where it stays on its way.
  struct Parcel {
    std::size_t begin, bytes;
    std::byte* buffer;
    const Event& passed;  ///< the last copy out of the buffer, or into it
  };

  /// Calls move(Parcel) for all parts of an array of `bytes` bytes, on as many threads as there are buffers at most.
  template <class Move>
  void in_parcels(std::size_t bytes, const Stream& stream, const Move& move);

  std::unique_ptr<std::byte, FreePinned> pinned_;  ///< made at the first copy
  std::vector<Event> passed_;
};

}  // namespace rankine::gpu
