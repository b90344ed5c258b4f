// Points along a space-filling curve. Loops over panels in this order find the data of neighbours
// in the cache, however the mesh is numbered.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// The numbers of the points in Morton order.
AlignedVector<std::int32_t> spatial_order(std::span<const Vec3d> points);

}  // namespace rankine::bem
