// Points in the order of a tree, so that those of a box are contiguous.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Positions, m, by number in Morton order: on the host, or read from a device.
struct OrderedPoints {
  using Read = std::function<AlignedVector<Vec3d>(std::span<const std::int32_t> numbers)>;

  std::span<const Vec3d> at{};            ///< on the host
  std::span<const std::int32_t> order{};  ///< of `at`; empty: Morton order
  Read read{};                            ///< if they are not on the host

  bool on_host() const { return !read; }
  const Vec3d& operator[](std::int32_t number) const {
    return at[static_cast<std::size_t>(order.empty() ? number
                                                     : order[static_cast<std::size_t>(number)])];
  }
};

/// The caller's points.
struct MortonPoints {
  OrderedPoints sources, targets;
  AlignedVector<double> core_radii{};                         ///< of all sources; empty without
  AlignedVector<Vec3d> fetched_sources{}, fetched_targets{};  ///< if a device fetched all of them
};

/// `tree` and `points` must outlive the result.
MortonPoints morton_points(const Octree& tree, const Points& points);

/// values[order[i]]
AlignedVector<double> in_order(std::span<const double> values, std::span<const std::int32_t> order);

}  // namespace rankine::fmm
