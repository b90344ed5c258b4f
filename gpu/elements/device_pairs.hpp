// Near pairs on the device: for every point, the points whose own radius reaches it; the
// counterpart of bem/panels/near_pairs.hpp for panels, whose sources and targets are the same.
//
// Points are sorted by size class (radii within a factor of two) and, within a class, by the cell
// of a grid as wide as the class's largest radius. A target looks into the 27 cells around its own
// in every class: nine runs of consecutive keys, each found by one search.
// Time and memory are O(N + pairs).
#pragma once

#include <cstddef>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"

namespace rankine::gpu {

/// All pairs with |target - source| < radius of the source, or both in the same place. `points` and
/// `radii` on the device. `bytes_per_pair` is what the caller will store per pair besides the
/// column; the memory for all of it is asked for before the pairs are listed. Throws DeviceError
/// where it does not suffice. The order of a row depends on the points alone.
DevicePattern find_near_pairs(const Vec3d* points, const double* radii, std::size_t count,
                              std::size_t bytes_per_pair, const Stream& stream);

}  // namespace rankine::gpu
