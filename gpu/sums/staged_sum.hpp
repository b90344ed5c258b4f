// The CUDA operator for callers with strengths and results on the host. Every call allocates device
// memory from the pool, uploads the strengths, downloads the results, and frees the memory.
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// A CUDA operator and the stream on which it queues its work.
struct StreamedOperator {
  std::shared_ptr<const Stream> stream;
  std::unique_ptr<fmm::Operator> sum;
};

/// An operator on a new stream of the device that the calling thread uses. Throws as
/// make_cuda_operator.
StreamedOperator make_streamed_operator(const fmm::Points& points, const fmm::Options& options);

/// apply() with strengths and results on the host. The results are complete on return.
void apply_staged(const StreamedOperator& streamed, const fmm::Strengths& strengths,
                  const fmm::Results& results, int rhs = 1);

}  // namespace rankine::gpu
