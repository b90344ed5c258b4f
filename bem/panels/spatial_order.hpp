// The order of points along a space-filling curve. In loops over panels in this order, data of
// neighbours are in the cache for any numbering of the mesh.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// The numbers of the points in Morton order.
AlignedVector<std::int32_t> spatial_order(std::span<const Vec3d> points);

}  // namespace rankine::bem
