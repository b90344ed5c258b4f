#include "rankine/gpu/runtime/stream.hpp"

#include <cuda_runtime_api.h>

#include <utility>

#include "rankine/gpu/runtime/cuda_check.hpp"
#include "rankine/gpu/runtime/staging.hpp"

namespace rankine::gpu {

Stream::Stream(Priority priority) : Stream(std::make_shared<const DeviceContext>(), priority) {}

Stream::Stream(std::shared_ptr<const DeviceContext> context, Priority priority)
    : context_(std::move(context)), staging_(std::make_unique<Staging>()) {
  const DeviceScope scope(*context_);
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for stream priorities");
  cudaStream_t handle = nullptr;
  check(cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking,
                                     priority == Priority::high ? greatest : least),
        "creating a stream");
  handle_.reset(handle);
}

Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;

void Stream::Destroy::operator()(CUstream_st* handle) const noexcept { cudaStreamDestroy(handle); }

void Stream::synchronize() const { check(cudaStreamSynchronize(handle()), "waiting for a stream"); }

void Stream::wait(const Event& event) const {
  check(cudaStreamWaitEvent(handle(), event.handle(), 0), "making a stream wait for an event");
}

Event::Event(Timing timing) {
  cudaEvent_t handle = nullptr;
  check(cudaEventCreateWithFlags(&handle,
                                 timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming),
        "creating an event");
  handle_.reset(handle);
}

void Event::Destroy::operator()(CUevent_st* handle) const noexcept { cudaEventDestroy(handle); }

void Event::record(const Stream& stream) const {
  check(cudaEventRecord(handle(), stream.handle()), "recording an event");
}

void Event::synchronize() const { check(cudaEventSynchronize(handle()), "waiting for an event"); }

double seconds_between(const Event& begin, const Event& end) {
  end.synchronize();
  float milliseconds = 0.0f;
  check(cudaEventElapsedTime(&milliseconds, begin.handle(), end.handle()),
        "timing between two events");
  return 1e-3 * milliseconds;
}

Graph::Graph(const Stream& stream, const std::function<void()>& queue_work) {
  const DeviceScope scope(*stream.context());
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeThreadLocal),
        "beginning to capture a graph");
  try {
    queue_work();
  } catch (...) {
    cudaStreamEndCapture(stream.handle(), &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    static_cast<void>(cudaGetLastError());
    throw;
  }
  check(cudaStreamEndCapture(stream.handle(), &graph), "capturing a graph");
  cudaGraphExec_t executable = nullptr;
  const cudaError_t status =
      cudaGraphInstantiateWithFlags(&executable, graph, cudaGraphInstantiateFlagUseNodePriority);
  cudaGraphDestroy(graph);
  check(status, "instantiating a graph");
  executable_.reset(executable);
}

void Graph::Destroy::operator()(CUgraphExec_st* handle) const noexcept {
  cudaGraphExecDestroy(handle);
}

void Graph::launch(const Stream& stream) const {
  const DeviceScope scope(*stream.context());
  check(cudaGraphLaunch(executable_.get(), stream.handle()), "launching a graph");
}

}  // namespace rankine::gpu
