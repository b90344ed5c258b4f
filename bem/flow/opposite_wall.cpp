#include "rankine/bem/flow/opposite_wall.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/panels/panel_balls.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// How far along the way it meets a flat triangle; below zero: it does not.
double meets(const WayOut& way, const TrianglePatch<double>& triangle) {
  const Vec3d u = triangle.corner[1] - triangle.corner[0],
              v = triangle.corner[2] - triangle.corner[0], normal = cross(u, v);
  const double along = dot(way.direction, normal);
  if (!(along < 0.0)) return -1.0;
  const double t = -dot(way.from - triangle.corner[0], normal) / along;
  const Vec3d r = way.from + t * way.direction - triangle.corner[0];
  const double n2 = dot(normal, normal), b = dot(cross(r, v), normal) / n2,
               c = dot(cross(u, r), normal) / n2;
  constexpr double hair = 1e-9;  // so that no way slips through between two panels
  return std::min({b, c, 1.0 - b - c}) >= -hair ? t : -1.0;
}

}  // namespace

OppositeWalls::OppositeWalls(const Panels& panels, std::vector<double> reach)
    : panels_(panels),
      reach_(std::move(reach)),
      balls_(balls_around(panels, reach_)),
      search_(balls_) {}

std::vector<OppositeWall> OppositeWalls::of(std::span<const WayOut> ways) const {
  std::vector<Vec3d> from;
  for (const WayOut& way : ways) from.push_back(way.from);
  const SparsityPattern near = search_.pairs(from);
  std::vector<OppositeWall> walls(ways.size());
  constexpr std::size_t chunk = 64;
  parallel_chunks(ways.size(), chunk, [&](std::size_t i) {
    const WayOut& way = ways[i];
    OppositeWall& wall = walls[i];
    for (std::int64_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k) {
      const std::int32_t j = near.columns[k];
      const PanelShape<double>& shape = panels_.shape[j];
      const double size = panel_size(panels_.radius[j]);
      for (int half = 0; half + 2 < shape.corners; ++half) {
        const double t = meets(way, surface_triangle(shape, half));
        const bool first = wall.panel < 0 || t < wall.distance;
        if (t > 1e-6 * size && t < reach_[static_cast<std::size_t>(j)] && first) wall = {j, {}, t};
      }
    }
    if (wall.panel < 0) return;
    wall.surface =
        surface_over(panels_.shape[wall.panel], way.from + wall.distance * way.direction);
    wall.distance = dot(wall.surface.point - way.from, way.direction);
    if (!(wall.distance > 0.0)) wall = {};
  });
  return walls;
}

}  // namespace rankine::bem
