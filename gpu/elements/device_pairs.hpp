// Near pairs on the device: for every panel's point, the panels of whose balls one reaches it; the
// counterpart of bem/panels/near_pairs.hpp for panels, each a source and a target.
//
// Balls are sorted by size class (radii within a factor of two) and, within a class, by the cell
// of a grid as wide as the class's largest radius. A target looks into the 27 cells around its own
// in every class: nine runs of consecutive keys, each found by one search.
// Time and memory are O(N + pairs), N that of balls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"

namespace rankine::gpu {

/// bem::NearBalls on the device.
struct DeviceBalls {
  const std::int32_t* first;  ///< panels + 1
  const Vec3d* centre;
  const double* radius;
  std::size_t count;
};

/// All pairs of a point and a panel of whose balls one reaches it, each once. Points and balls on the
/// device; every panel has a ball. `bytes_per_pair` is what the caller will store per pair besides the
/// column; the memory for all of it is asked for before the pairs are listed. Throws DeviceError
/// where it does not suffice. The order of a row depends on the balls alone.
DevicePattern find_near_pairs(std::span<const Vec3d> points, const DeviceBalls& balls,
                              std::size_t bytes_per_pair, const Stream& stream);

}  // namespace rankine::gpu
