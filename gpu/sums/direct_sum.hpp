// The direct sum on a CUDA device: every target with every source [NHP07].
//
// The reference of treecode and FMM, and the fastest method for few points. Targets stay in
// registers, several per thread; sources pass through shared memory in tiles. Where targets alone
// do not fill the device, the sources are split among several thread groups, whose partial sums are
// added in a fixed order.
//
// In float both point sets are in Morton order and each tile's points are stored relative to its
// own centre, so that close pairs keep their relative accuracy however large the whole set is; sums
// over tiles are kept in double.
//
// [NHP07] Nyland, Harris & Prins, Fast N-body simulation with CUDA, GPU Gems 3, ch. 31 (2007).
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Builds the direct operator; `options.method` is not looked at. Work is queued on `stream`.
/// Throws InputError for points or options that cannot be used, DeviceError where memory does not
/// suffice.
std::unique_ptr<fmm::Operator> make_direct_operator(const fmm::Points& points,
                                                    const fmm::Options& options,
                                                    std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
