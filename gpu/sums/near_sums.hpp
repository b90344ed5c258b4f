// P2P of the tree methods: sums over the sources of the near leaves.
#pragma once

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

using fmm::Root;

/// sums = sums over the near ranges of every block (overwritten; all targets belong to a block).
/// A quick root has a relative error of at most 1.2e-12, 2e-13 on average, and saves two of twelve
/// instructions.
template <class T>
void sum_near(const fmm::PairKernel& kernel, const DeviceBuffer<TargetBlock<T>>& blocks,
              const DeviceBuffer<SourceRange<T>>& ranges, const SourceView<T>& sources,
              const PointView<T>& targets, const SumView<T>& sums, int rhs, Root root,
              const Stream& stream);

}  // namespace rankine::gpu
