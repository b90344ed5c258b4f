// CUDA streams and events as owned, movable values. Plain C++: the handles are the runtime's opaque
// pointers.
#pragma once

#include <functional>
#include <memory>

#include "rankine/gpu/runtime/device_context.hpp"

struct CUstream_st;
struct CUevent_st;

struct CUgraphExec_st;

namespace rankine::gpu {

class Event;
class Staging;

/// An in-order queue of work on one device, independent of the calling thread's current device.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  enum class Priority { normal, high };

  /// Creates a new context. Throws DeviceError if no device can be used.
  explicit Stream(Priority priority = Priority::normal);
  /// Shares a context with other streams.
  explicit Stream(std::shared_ptr<const DeviceContext> context,
                  Priority priority = Priority::normal);
  ~Stream();
  Stream(Stream&&) noexcept;

  CUstream_st* handle() const { return handle_.get(); }
  const std::shared_ptr<const DeviceContext>& context() const { return context_; }
  void synchronize() const;
  /// Work queued after this call starts after `event`.
  void wait(const Event& event) const;
  /// The buffers for large copies on this stream.
  Staging& staging() const { return *staging_; }
  /// This stream, or null if no shared_ptr owns it.
  std::shared_ptr<const Stream> shared() const { return weak_from_this().lock(); }

 private:
  struct Destroy {
    void operator()(CUstream_st* handle) const noexcept;
  };
  std::shared_ptr<const DeviceContext> context_;  ///< first member, so that it is destroyed last
  std::unique_ptr<CUstream_st, Destroy> handle_;
  std::unique_ptr<Staging> staging_;
};

/// A point in a stream. Other streams can wait for it, and two events measure a time. It belongs to
/// the device that is current in the thread that creates it.
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

// A captured CUDA graph: a fixed set of device work that is launched together.

class Graph {
 public:
  Graph() = default;
  /// Captures, without execution, the work that `queue_work` queues on `stream` and on streams that
  /// wait for its events.
  Graph(const Stream& stream, const std::function<void()>& queue_work);

  explicit operator bool() const { return executable_ != nullptr; }
  void launch(const Stream& stream) const;

 private:
  struct Destroy {
    void operator()(CUgraphExec_st* handle) const noexcept;
  };
  std::unique_ptr<CUgraphExec_st, Destroy> executable_;
};

}  // namespace rankine::gpu
