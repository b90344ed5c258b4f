// Points from the caller's order and metres to Morton order and leaves, on the device.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

enum class PointSet { sources, targets };

/// Points relative to the centre of their leaf in edges of the root box, as fmm::local_sources and
/// fmm::local_targets give them: 3 x points.
template <class T>
DeviceBuffer<T> local_points(const fmm::Plan& plan, const DeviceBuffer<fmm::Box>& boxes,
                             const DeviceBuffer<std::int32_t>& leaves, PointSet set,
                             const DeviceBuffer<Vec3d>& points,
                             const DeviceBuffer<std::int32_t>& order, const Stream& stream);

/// Vectors in Morton order: 3 x points.
template <class T>
DeviceBuffer<T> reordered(const DeviceBuffer<Vec3d>& vectors,
                          const DeviceBuffer<std::int32_t>& order, const Stream& stream);

}  // namespace rankine::gpu
