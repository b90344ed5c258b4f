#include "rankine/bem/particles/particle_cells.hpp"

#include <cmath>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

namespace rankine::bem {

std::array<std::int64_t, 3> ParticleCells::cell_of(const Vec3d& point) const {
  std::array<std::int64_t, 3> cell{};
  for (int axis = 0; axis < 3; ++axis) {
    const double at = std::floor((point[axis] - corner_[axis]) / radius_);
    cell[static_cast<std::size_t>(axis)] =
        static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(most - 1))) + 1;
  }
  return cell;
}

ParticleCells::ParticleCells(std::span<const Vec3d> points, double radius)
    : radius_(radius), keys_(points.size()), order_(points.size()), points_(points.size()) {
  if (points.empty()) return;
  corner_ = points.front();
  for (const Vec3d& each : points) {
    for (int axis = 0; axis < 3; ++axis) corner_[axis] = std::min(corner_[axis], each[axis]);
  }
  parallel_for(points.size(), [&](std::size_t i) {
    const auto cell = cell_of(points[i]);
    keys_[i] = key(cell[0], cell[1], cell[2]);
    order_[i] = static_cast<std::int32_t>(i);
  });
  radix_sort(keys_, order_, 60);
  parallel_for(points.size(),
               [&](std::size_t k) { points_[k] = points[static_cast<std::size_t>(order_[k])]; });
}

}  // namespace rankine::bem
