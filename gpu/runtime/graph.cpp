#include "rankine/gpu/runtime/graph.hpp"

#include <cuda_runtime_api.h>

#include "rankine/gpu/runtime/cuda_check.hpp"

namespace rankine::gpu {

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
