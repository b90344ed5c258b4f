// P2P of close pairs (fmm/close_pairs.hpp) on the device: in double, from the caller's positions.
#pragma once

#include <cstdint>

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// The caller's points on the device, and their Morton order.
struct GivenPoints {
  const Vec3d* at;
  const std::int32_t* order;
};

/// For each near range, 1 if one of its sources and a target of one of its blocks are within its
/// reach but not at the same position.
template <class T>
DeviceBuffer<std::uint8_t> find_close(const WorkItems<T>& work, const PointView<T>& sources,
                                      const PointView<T>& targets, const GivenPoints& given_sources,
                                      const GivenPoints& given_targets, const Stream& stream);

/// sums += sums over the close ranges of every block. `source_at` and `target_at` are the caller's
/// positions in Morton order, metres; `inverse_side` is 1 / edge of the root box.
template <class T>
void sum_close(const fmm::PairKernel& kernel, const DeviceBuffer<CloseBlock>& blocks,
               const DeviceBuffer<SourceRange<T>>& ranges, const PointView<double>& source_at,
               const PointView<double>& target_at, double inverse_side,
               const SourceView<T>& sources, const SumView<T>& sums, int rhs, const Stream& stream);

}  // namespace rankine::gpu
