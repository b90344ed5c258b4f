// Fast copies of large arrays between host and device.
//
// A copy of pageable memory runs at a fraction of the bus speed, because the driver moves it
// through a small pinned buffer with one thread. Here every thread has its own pinned buffers: it
// fills or empties one while its other buffers and those of other threads are being transferred.
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

  /// Queues the copy on `stream`, whose device must be current. `host` may be reused on return.
  void upload(void* device, const void* host, std::size_t bytes, const Stream& stream);
  /// Waits for the copy, and therefore for all earlier work of `stream`.
  void download(void* host, const void* device, std::size_t bytes, const Stream& stream);

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
  static constexpr int buffers = 16;  ///< divided among the threads

  struct FreePinned {
    void operator()(std::byte* pointer) const noexcept;
  };
  /// A part of an array, and the buffer used for its transfer.
  struct Parcel {
    std::size_t begin, bytes;
    std::byte* buffer;
    const Event* passed;  ///< the buffer's last transfer
  };

  /// Calls start(parcel) for all parts of an array of `bytes` bytes, and finish(parcel) before a
  /// part's buffer is used again or the call ends. Uses at most as many threads as there are
  /// buffers.
  template <class Start, class Finish>
  void in_parcels(std::size_t bytes, const Stream& stream, const Start& start,
                  const Finish& finish);

  std::unique_ptr<std::byte, FreePinned> pinned_;  ///< allocated by the first copy
  std::vector<Event> passed_;
};

}  // namespace rankine::gpu
