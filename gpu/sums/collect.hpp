// P2M and P2L on the device: sums of harmonics over points.
#pragma once

#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// The expansion of item.box from the sources of its ranges: P2M (regular harmonics, overwrites the
/// expansion) or P2L (singular harmonics, adds to it).
template <class T>
void collect(fmm::Harmonic kind, const DeviceBuffer<CollectItem<T>>& items,
             const DeviceBuffer<SourceRange<T>>& ranges, const HarmonicTables<T>& tables,
             const SourceView<T>& sources, Expansions<T> expansions, int rhs, const Stream& stream);

}  // namespace rankine::gpu
