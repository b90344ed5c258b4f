// CUDA streams and events as owned, movable values. Plain C++:
// the handles are the runtime's opaque pointers.
#pragma once

#include <memory>

struct CUstream_st;
struct CUevent_st;

namespace rankine::gpu {

class Event;
class Staging;

/// An in-order queue of device work. Throws DeviceError where no device can be used.
class Stream {
 public:
  enum class Priority { normal, high };

  explicit Stream(Priority priority = Priority::normal);
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;

  CUstream_st* handle() const { return handle_.get(); }
  void synchronize() const;
  /// Work queued here from now on starts after `event`.
  void wait(const Event& event) const;
  /// Pinned buffers for large uploads on this stream, made at the first call.
  Staging& staging() const;

 private:
  struct Destroy {
    void operator()(CUstream_st* handle) const noexcept;
  };
  std::unique_ptr<CUstream_st, Destroy> handle_;
  mutable std::unique_ptr<Staging> staging_;
};

/// A point in a stream: other streams can wait for it, and two of them measure a time.
class Event {
 public:
  enum class Timing { off, on };

  explicit Event(Timing timing = Timing::off);

  CUevent_st* handle() const { return handle_.get(); }
  void record(const Stream& stream) const;
  void synchronize() const;

 private:
  struct Destroy {
    void operator()(CUevent_st* handle) const noexcept;
  };
  std::unique_ptr<CUevent_st, Destroy> handle_;
};

/// Seconds between two timing events; waits for the later one.
double seconds_between(const Event& begin, const Event& end);

}  // namespace rankine::gpu
