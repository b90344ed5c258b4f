// Points from the caller's order and metres to Morton order and leaves, on the device.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/gpu/sums/device_tree.hpp"

namespace rankine::gpu {

/// Sources or targets relative to the centre of their leaf, in edges of the root box, as in
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

}  // namespace rankine::gpu
