// P2P of points that are sources and targets: each distance is computed once and used in both
// directions, u q_j for point i and u q_i for point j. Other cases are in gpu/sums/near_sums.hpp.
#pragma once

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/gpu/sums/mutual_items.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

using fmm::Root;

/// Sums of charges: potentials, and gradients if `sums` has them. Overwrites `sums` and `partials`,
/// which holds items.partials values for each component.
template <class T>
void sum_mutual(const fmm::PairKernel& kernel, const MutualItems<T>& items,
                const SourceView<T>& points, const SumView<T>& sums, DeviceBuffer<T>& partials,
                Root root, const Stream& stream);

}  // namespace rankine::gpu
