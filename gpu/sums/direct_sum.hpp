// The direct sum over all pairs on a CUDA device [NHP07].
//
// It is the reference for treecode and FMM, and the fastest method for few points. Targets stay in
// registers, several per thread; sources are loaded into shared memory in tiles. If there are too
// few targets to fill the device, the sources are divided among several thread groups, whose
// partial sums are added in a fixed order.
//
// In float both point sets are in Morton order and each tile's points are stored relative to its
// own centre. The relative accuracy of close pairs then does not depend on the size of the whole
// set. Sums over tiles are in double.
//
// [NHP07] Nyland, Harris & Prins, Fast N-body simulation with CUDA, GPU Gems 3, ch. 31 (2007).
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Builds the direct operator; `options.method` is ignored. Work is queued on `stream`. Throws
/// InputError for points or options that cannot be used, DeviceError if there is not enough memory.
std::unique_ptr<fmm::Operator> make_direct_operator(const fmm::Points& points,
                                                    const fmm::Options& options,
                                                    std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
