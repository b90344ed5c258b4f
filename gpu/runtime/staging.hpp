// Fast copies of large arrays between host and device. A copy of ordinary memory runs at a fraction of
// the bus, because the driver moves it through a small pinned buffer with one thread; here all
// threads fill or empty two larger pinned buffers in turn while the other one is on its way.
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
  static constexpr std::size_t buffer_bytes = std::size_t{4} << 20;
  static constexpr int buffers = 2;

  struct FreePinned {
    void operator()(std::byte* pointer) const noexcept;
  };

  void make_buffers();
  std::byte* buffer(int index) const {
    return pinned_.get() + static_cast<std::size_t>(index) * buffer_bytes;
  }

  std::unique_ptr<std::byte, FreePinned> pinned_;  ///< made at the first copy
  std::vector<Event> passed_;                      ///< per buffer, its last copy
  int next_ = 0;
};

}  // namespace rankine::gpu
