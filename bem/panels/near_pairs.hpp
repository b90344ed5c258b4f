// Near pairs on meshes of any grading: for every target, the sources whose own radius reaches it.
//
// The search looks into the 27 cells around a target in each of the grids of near_grid.hpp. Time and
// memory are O(N + pairs). The result is the same for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Compressed rows: the sources near target i are columns[offsets[i] .. offsets[i + 1]), by radius
/// class and cell, ascending within a cell: sorting whole rows would take longer than finding them.
struct NearPairs {
  std::vector<std::int64_t> offsets;  ///< targets + 1
  std::vector<std::int32_t> columns;

  std::size_t targets() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

/// All pairs with |target - source| < radius of the source (and <= when both coincide).
/// At most 2^31 sources.
NearPairs find_near_pairs(std::span<const Vec3d> targets, std::span<const Vec3d> sources,
                          std::span<const double> radii);

}  // namespace rankine::bem
