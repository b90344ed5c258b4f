// M2P of expansions of low order, for potentials and gradients. The loops over degrees are
// unrolled. The derivatives of an expansion are computed only once, instead of by every block of
// targets.
#pragma once

#include "rankine/gpu/sums/multipole_lists.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

/// Converts the coefficients of a multipole expansion to those that are summed at targets.
template <class T>
struct LowOrderMaps {
  LowOrderMaps() = default;
  LowOrderMaps(int order, const Stream& stream);

  /// Number of coefficients of a box, padded to 16 bytes.
  static std::int32_t stride(int order, bool gradient);
  std::size_t bytes() const { return potential.entries.bytes() + gradient.entries.bytes(); }

  int order = 0;
  DeviceMap<T> potential, gradient;
};

/// sums += multipole expansions at the targets: potentials and, if `sums` has them, gradients.
/// `coefficients`: work array, columns x boxes x stride.
template <class T>
void evaluate_low_order(const LowOrderMaps<T>& maps, const MultipoleLists& lists,
                        const PointView<T>& targets, Expansions<const T> multipoles,
                        std::int64_t boxes, DeviceBuffer<T>& coefficients, const SumView<T>& sums,
                        int columns, const Stream& stream);

}  // namespace rankine::gpu
