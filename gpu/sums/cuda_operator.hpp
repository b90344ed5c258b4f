// The summation operator of fmm/operator.hpp on a CUDA device.
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::fmm {
class PartBackend;
}

namespace rankine::gpu {

/// Builds the CUDA operator from host points. Strengths and results of apply() are in device
/// memory; the call returns once the work is queued. Throws InputError as the CPU operator does,
/// and DeviceError if no device can be used or its memory does not suffice.
std::unique_ptr<fmm::Operator> make_cuda_operator(const fmm::Points& points,
                                                  const fmm::Options& options,
                                                  std::shared_ptr<const Stream> stream = nullptr);

/// For operators over several processes, whose strengths and results are on the host. The parts use
/// the current device of the thread that makes them.
const fmm::PartBackend& cuda_part_backend();

}  // namespace rankine::gpu
