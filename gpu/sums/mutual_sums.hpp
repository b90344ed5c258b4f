// Sums over points for the tree methods on the device; each has its own source file.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/fmm/kernels/kernel.hpp"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/mutual_items.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"

namespace rankine::gpu {

using fmm::Root;

// P2P of points that are both sources and targets: each distance is computed once and used in both
// directions, u q_j for point i and u q_i for point j. sum_near() handles all other cases.

/// Sums of charges: potentials, and gradients if `sums` has them. Overwrites `sums` and `partials`,
/// which has items.partials values for each component.
template <class T>
void sum_mutual(const fmm::PairKernel& kernel, const MutualItems<T>& items,
                const SourceView<T>& points, const SumView<T>& sums, DeviceBuffer<T>& partials,
                Root root, const Stream& stream);

// P2P of close pairs (fmm/close_pairs.hpp) on the device: in double, from the caller's positions.

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

/// results += sums over the close ranges of every block, in double: they may exceed the range of
/// float. `source_at` and `target_at` are the caller's positions in Morton order, metres;
/// `inverse_side` is 1 / edge of the root box; `sums` defines the requested components; `order` and
/// `results` as for evaluate_locals.
template <class T>
void sum_close(const fmm::PairKernel& kernel, const DeviceBuffer<CloseBlock>& blocks,
               const DeviceBuffer<SourceRange<T>>& ranges, const PointView<double>& source_at,
               const PointView<double>& target_at, double inverse_side,
               const SourceView<T>& sources, const SumView<T>& sums, const std::int32_t* order,
               const ResultView* results, int rhs, const Stream& stream);

// P2M and P2L on the device: sums of harmonics over points.

/// The expansion of item.box from the sources of its ranges: P2M (regular harmonics, overwrites the
/// expansion) or P2L (singular harmonics, adds to it).
template <class T>
void collect(fmm::Harmonic kind, const DeviceBuffer<CollectItem<T>>& items,
             const DeviceBuffer<SourceRange<T>>& ranges, const HarmonicTables<T>& tables,
             const SourceView<T>& sources, Expansions<T> expansions, int rhs, const Stream& stream);

// Conversion of points on the device from the caller's order and metres to Morton order and
// positions in leaves.

/// Sources or targets relative to the centre of their leaf, in units of the root box edge, as in
/// fmm::local_sources and fmm::local_targets: 3 x points.
template <class T>
DeviceBuffer<T> local_sources(const DeviceTree& tree, const DevicePoints& points,
                              const Stream& stream);
template <class T>
DeviceBuffer<T> local_targets(const DeviceTree& tree, const DevicePoints& points,
                              const Stream& stream);

/// Vectors in Morton order: 3 x points.
template <class T>
DeviceBuffer<T> reordered(std::span<const Vec3d> vectors, const DeviceBuffer<std::int32_t>& order,
                          const Stream& stream);

/// side / core radius in Morton order, bounded so that its square does not overflow T.
template <class T>
DeviceBuffer<T> inverse_cores(std::span<const double> core_radii,
                              const DeviceBuffer<std::int32_t>& order, double side,
                              const Stream& stream);

// P2P of the tree methods: sums over the sources of the near leaves.

/// sums = sums over the near ranges of every block (overwritten; all targets belong to a block). A
/// quick root has a relative error of at most 1.2e-12, 2e-13 on average, and needs ten instead of
/// twelve instructions.
template <class T>
void sum_near(const fmm::PairKernel& kernel, const DeviceBuffer<TargetBlock<T>>& blocks,
              const DeviceBuffer<SourceRange<T>>& ranges, const SourceView<T>& sources,
              const PointView<T>& targets, const SumView<T>& sums, int rhs, Root root,
              const Stream& stream);

}  // namespace rankine::gpu
