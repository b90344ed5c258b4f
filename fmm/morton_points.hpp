// Points in the order of a tree, so that those of a box are contiguous.
#pragma once

#include <span>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// The caller's points, m.
struct MortonPoints {
  AlignedVector<Vec3d> sources;
  AlignedVector<Vec3d> other_targets;  ///< empty if the targets are the sources
  AlignedVector<double> core_radii;    ///< of sources; empty without
  bool shared = false;

  std::span<const Vec3d> targets() const { return shared ? sources : other_targets; }
};

MortonPoints morton_points(const Octree& tree, const Points& points);

/// values[order[i]]
AlignedVector<double> in_order(std::span<const double> values, std::span<const std::int32_t> order);

}  // namespace rankine::fmm
