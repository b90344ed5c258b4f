#include "rankine/bem/panels/closest_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d ab = b - a;
  const double length2 = dot(ab, ab);
  const double t = length2 > 0.0 ? std::clamp(dot(p - a, ab) / length2, 0.0, 1.0) : 0.0;
  return a + t * ab;
}

Vec3d closest_on_panel(const PanelShape<double>& panel, const Vec3d& p) {
  const Vec3d* c = panel.corner;
  const Vec3d first = closest_on_triangle(c[0], c[1], c[2], p);
  if (panel.corners == 3) return first;
  const Vec3d second = closest_on_triangle(c[0], c[2], c[3], p);
  return norm(p - first) <= norm(p - second) ? first : second;
}

constexpr double tie = 1e-9;  // equal distances, relative to the size of a panel

/// Takes `panel` if it is closer. Panels with a common closest edge are equally close; then the
/// panel whose normal points most directly to the point is chosen, since its side of the surface is
/// reliable.
void offer(const Panels& panels, std::int32_t panel, const Vec3d& p, double reach,
           ClosestPoint& best) {
  const double size = panel_size(panels.radius[panel]);
  const Vec3d nearest = closest_on_panel(panels.shape[panel], p);
  const double distance = norm(p - nearest);
  if (!(distance < reach)) return;
  const bool touching = distance < tie * size;
  const Vec3d away = touching ? panels.normal[panel] : (p - nearest) / distance;
  const double facing = dot(away, panels.normal[panel]);
  if (best.panel >= 0) {
    if (distance > best.distance + tie * size) return;
    const double best_facing = std::abs(dot(best.direction, panels.normal[best.panel]));
    if (distance > best.distance - tie * size && std::abs(facing) <= best_facing) return;
  }
  best = {panel, nearest, distance, facing < 0.0 ? -away : away, facing >= 0.0};
}

}  // namespace

Vec3d closest_on_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
  const Vec3d normal = cross(b - a, c - a);
  const double n2 = dot(normal, normal);
  // If all barycentric coordinates of the projection are non-negative, it lies inside. Otherwise an
  // edge is closest.
  const double u = dot(cross(c - b, p - b), normal), v = dot(cross(a - c, p - c), normal);
  const double w = n2 - u - v;
  if (n2 > 0.0 && u >= 0.0 && v >= 0.0 && w >= 0.0) return (u * a + v * b + w * c) / n2;
  Vec3d best = closest_on_segment(a, b, p);
  for (const Vec3d& candidate : {closest_on_segment(b, c, p), closest_on_segment(c, a, p)}) {
    if (dot(p - candidate, p - candidate) < dot(p - best, p - best)) best = candidate;
  }
  return best;
}

ClosestPoints::ClosestPoints(const Panels& panels, std::vector<double> reach)
    : reach_(panels, std::move(reach)) {}

std::vector<ClosestPoint> ClosestPoints::of(std::span<const Vec3d> points) const {
  const SparsityPattern pairs = reach_.candidates(points);
  std::vector<ClosestPoint> closest(points.size());
  constexpr std::size_t chunk = 256;
  parallel_chunks(points.size(), chunk, [&](std::size_t i) {
    const Panels& panels = reach_.panels();
    const Vec3d& p = points[i];
    const std::span<const std::int32_t> near(pairs.columns.data() + pairs.offsets[i],
                                             pairs.columns.data() + pairs.offsets[i + 1]);
    double most = std::numeric_limits<double>::infinity();  // the closest point is not farther
    for (const std::int32_t j : near) most = std::min(most, norm(p - panels.shape[j].corner[0]));
    for (const std::int32_t j : near) {
      if (norm(p - panels.centroid[j]) > most + (1.0 + tie) * panels.radius[j]) continue;
      offer(panels, j, p, reach_.of(j), closest[i]);
    }
  });
  return closest;
}

std::vector<ClosestPoint> closest_points(const Panels& panels, std::span<const Vec3d> points,
                                         double reach) {
  std::vector<double> reaches(panels.size());
  for (std::size_t j = 0; j < reaches.size(); ++j)
    reaches[j] = reach * panel_size(panels.radius[j]);
  return ClosestPoints(panels, std::move(reaches)).of(points);
}

}  // namespace rankine::bem
