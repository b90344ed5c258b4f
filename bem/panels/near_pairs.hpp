// Near pairs on meshes of any grading: for every target, the sources whose own radius reaches it.
//
// The search looks into the 27 cells around a target in each of the grids of near_grid.hpp. Time and
// memory are O(N + pairs). The result is the same for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// All pairs with |target - source| < radius of the source (and <= when both coincide).
/// At most 2^31 sources.
SparsityPattern find_near_pairs(std::span<const Vec3d> targets, std::span<const Vec3d> sources,
                                std::span<const double> radii);

}  // namespace rankine::bem
