// Near pairs on meshes of any grading: for every target, the sources whose own radius reaches it.
//
// Sources are sorted into classes of radii within a factor of two. Each class has a uniform grid of
// cells as wide as its largest radius; a target looks into the 27 cells around its own. Cells are
// sorted keys, never a dense array, so memory and time are O(N + pairs) however thin the mesh. The
// result is the same for any number of threads.
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
