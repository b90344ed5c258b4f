#include "rankine/gpu/elements/corrected_targets.hpp"

#include <vector>

namespace rankine::gpu {
namespace {

/// The elements of corrected rows.
std::vector<Vec3d> corrected(const CorrectedRows& rows, std::span<const Vec3d> all) {
  std::vector<Vec3d> kept;
  for (std::size_t first = 0; first < all.size(); first += static_cast<std::size_t>(rows.points)) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    kept.insert(kept.end(), begin, begin + rows.boundary);
  }
  return kept;
}

}  // namespace

CorrectedTargets::CorrectedTargets(const bem::PanelDiscretization& discretization,
                                   const Stream& stream)
    : rows_{static_cast<std::int64_t>(discretization.points().size()),
            static_cast<std::int64_t>(discretization.boundary())},
      of_panels_(discretization.symmetry().empty() && discretization.of_sheet().empty()),
      first_ball_(discretization.panel_nodes().balls.first, stream),
      ball_centre_(discretization.panel_nodes().balls.centre, stream),
      ball_radius_(discretization.panel_nodes().balls.radius, stream) {
  if (of_panels_) {
    points_ = {discretization.panels().centroid, stream};
    normals_ = {discretization.panels().normal, stream};
  } else {
    points_ = {corrected(rows_, discretization.targets()), stream};
    normals_ = {corrected(rows_, discretization.target_normals()), stream};
  }
}

DevicePattern CorrectedTargets::near_panels(const bem::RowRange& rows, std::size_t bytes_per_pair,
                                            const Stream& stream) const {
  const auto before = [&](std::size_t row) {
    return static_cast<std::size_t>(rows_.before(static_cast<std::int64_t>(row)));
  };
  return find_near_pairs(points_.span(),
                         of_panels_ ? NearTargets::points_of_panels : NearTargets::anything,
                         {first_ball_.data(), ball_centre_.data(), ball_radius_.data(),
                          first_ball_.size() - 1, ball_radius_.size()},
                         {before(rows.begin), before(rows.end)}, bytes_per_pair, stream);
}

}  // namespace rankine::gpu
