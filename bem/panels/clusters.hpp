// Clusters of neighbouring points, by bisection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Cluster c holds order[first[c]] to order[first[c + 1] - 1].
struct Clusters {
  std::vector<std::int32_t> order;
  std::vector<std::size_t> first{0};

  std::size_t size() const { return first.size() - 1; }
  std::span<const std::int32_t> operator[](std::size_t c) const {
    return std::span(order).subspan(first[c], first[c + 1] - first[c]);
  }
};

/// Clusters of at most `most` points; larger ones are halved along the longest side of their boxes.
Clusters make_clusters(std::span<const Vec3d> points, std::size_t most);

}  // namespace rankine::bem
