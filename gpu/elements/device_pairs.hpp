// Near pairs on the device: for every point, the panels that have a ball containing it. The
// counterpart of bem/panels/near_pairs.hpp.
//
// Balls are sorted by size class (radii within a factor of two) and, within a class, by the cell
// of a grid as wide as the class's largest radius. For a target the 27 cells around its own are
// searched in every class: nine runs of consecutive keys, each found by one binary search.
// Time and memory are O(N + pairs) for N balls.
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
  std::size_t panels, count;
};

/// The kind of points. Collocation points of panels are visited in the spatial order of the balls.
enum class NearTargets { anything, points_of_panels };

/// The pairs of points `rows` and panels that have a ball containing them, each pair once. Points
/// and balls are on the device; every panel has at least one ball. `bytes_per_pair`: the bytes that
/// the caller will store per pair in addition to the column. Throws DeviceError, before the pairs
/// are listed, if the memory for all of this is not available. The order within a row depends only
/// on the balls.
DevicePattern find_near_pairs(std::span<const Vec3d> points, NearTargets targets,
                              const DeviceBalls& balls, const bem::RowRange& rows,
                              std::size_t bytes_per_pair, const Stream& stream);

}  // namespace rankine::gpu
