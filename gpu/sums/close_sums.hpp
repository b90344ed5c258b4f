// P2P of close pairs (fmm/close_pairs.hpp) on the device: in double, from the caller's positions.
#pragma once

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// sums += sums over the close ranges of every block. `source_at` and `target_at` are the caller's
/// positions in Morton order, metres; `inverse_side` is 1 / edge of the root box.
template <class T>
void sum_close(fmm::Kernel kernel, const DeviceBuffer<CloseBlock>& blocks,
               const DeviceBuffer<SourceRange<T>>& ranges, const PointView<double>& source_at,
               const PointView<double>& target_at, double inverse_side,
               const SourceView<T>& sources, const SumView<T>& sums, int rhs, const Stream& stream);

}  // namespace rankine::gpu
