// A captured CUDA graph: a fixed sequence of device work launched as one.
#pragma once

#include <functional>
#include <memory>

#include "rankine/gpu/runtime/stream.hpp"

struct CUgraphExec_st;

namespace rankine::gpu {

class Graph {
 public:
  Graph() = default;
  /// Captures, without running it, the work that `queue_work` queues on `stream` and on streams
  /// that wait for its events.
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
