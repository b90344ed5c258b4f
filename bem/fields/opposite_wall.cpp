#include "rankine/bem/fields/opposite_wall.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/panels/line_triangle.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Tolerance, so that no ray passes between two panels.
constexpr double hair = 1e-9;

/// Distance along the ray at which it meets a flat triangle from the front; below zero: it does
/// not.
double meets(const WayOut& way, const TrianglePatch<double>& triangle) {
  const auto hit = meet(way.from, way.direction, triangle);
  return hit && hit->from_front && hit->inside >= -hair ? hit->t : -1.0;
}

}  // namespace

OppositeWalls::OppositeWalls(const Panels& panels, std::vector<double> reach)
    : reach_(panels, std::move(reach)) {}

std::vector<OppositeWall> OppositeWalls::of(std::span<const WayOut> ways) const {
  std::vector<Vec3d> from;
  for (const WayOut& way : ways) from.push_back(way.from);
  const SparsityPattern near = reach_.candidates(from);
  const Panels& panels = reach_.panels();
  std::vector<OppositeWall> walls(ways.size());
  constexpr std::size_t chunk = 64;
  parallel_chunks(ways.size(), chunk, [&](std::size_t i) {
    const WayOut& way = ways[i];
    OppositeWall& wall = walls[i];
    for (std::int64_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k) {
      const std::int32_t j = near.columns[k];
      const PanelShape<double>& shape = panels.shape[j];
      const double size = panel_size(panels.radius[j]);
      for (int half = 0; half + 2 < shape.corners; ++half) {
        const double t = meets(way, surface_triangle(shape, half));
        const bool first = wall.panel < 0 || t < wall.distance;
        if (t > 1e-6 * size && t < reach_.of(j) && first) wall = {j, {}, t};
      }
    }
    if (wall.panel < 0) return;
    wall.surface = surface_over(panels.shape[wall.panel], way.from + wall.distance * way.direction);
    wall.distance = dot(wall.surface.point - way.from, way.direction);
    if (!(wall.distance > 0.0)) wall = {};
  });
  return walls;
}

}  // namespace rankine::bem
