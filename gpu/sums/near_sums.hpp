// P2P of the tree methods: sums over the sources of the near leaves.
#pragma once

#include "rankine/gpu/sums/pair_root.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// sums = sums over the near ranges of every block (overwritten; all targets belong to a block).
template <class T>
void sum_near(const DeviceBuffer<TargetBlock<T>>& blocks,
              const DeviceBuffer<SourceRange<T>>& ranges, const SourceView<T>& sources,
              const PointView<T>& targets, const SumView<T>& sums, int rhs, Root root,
              const Stream& stream);

}  // namespace rankine::gpu
