// The CUDA operator for callers whose strengths and results lie on the host: strengths are uploaded,
// results downloaded, through device memory that every call takes from the pool and gives back.
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

/// On a stream of its own, on the device that the calling thread uses. Throws as make_cuda_operator.
StreamedOperator make_streamed_operator(const fmm::Points& points, const fmm::Options& options);

/// apply() with strengths and results on the host, which are there on return.
void apply_staged(const StreamedOperator& streamed, const fmm::Strengths& strengths,
                  const fmm::Results& results, int rhs = 1);

}  // namespace rankine::gpu
