#include "rankine/bem/fields/wall_points.hpp"

#include <algorithm>
#include <cmath>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Largest distance by which the smooth surface is nearer than the flat panels.
constexpr double surface_nearer = 1.25;
/// Range of the search for opposite walls, in spacings. No station is too near a wall beyond it.
constexpr double gap_reach = 1.5 * (stations.back() + trusted_in_gaps);

double size_of(const Panels& panels, std::size_t panel) { return panel_size(panels.radius[panel]); }

/// Spacing of a panel: between its length and the edge of an equilateral triangle of its area,
/// since the effect of steps between long panels does not reach as far as they are long.
double spacing_of(const Panels& panels, std::size_t panel) {
  return std::sqrt(size_of(panels, panel) * std::sqrt(panels.area[panel] / 0.433));
}

/// The largest spacing of each panel and the panels around it. Stations must be far enough from
/// their steps.
std::vector<double> spacings_around(const PanelNeighbourhood& neighbourhood) {
  const Panels& panels = neighbourhood.panels();
  std::vector<double> spacings(panels.size());
  constexpr std::size_t chunk = 256;
  parallel_chunks(
      panels.size(), chunk, [] { return PanelNeighbourhood::Ring{}; },
      [&](std::size_t i, PanelNeighbourhood::Ring& ring) {
        neighbourhood.collect(static_cast<std::int32_t>(i), 1, ring);
        double spacing = spacing_of(panels, i);
        for (const std::int32_t j : ring.panels)
          spacing = std::max(spacing,
                             spacing_of(panels, static_cast<std::size_t>(neighbourhood.origin(j))));
        spacings[i] = std::min(spacing, 1.5 * size_of(panels, i));
      });
  return spacings;
}

std::vector<double> times(double factor, std::vector<double> values) {
  for (double& value : values) value *= factor;
  return values;
}

std::vector<double> own_spacings(const Panels& panels) {
  std::vector<double> spacings(panels.size());
  for (std::size_t j = 0; j < spacings.size(); ++j) spacings[j] = spacing_of(panels, j);
  return spacings;
}

}  // namespace

WallFinder::WallFinder(const Region& region, const PanelNeighbourhood& neighbourhood)
    : region_(region),
      neighbourhood_(neighbourhood),
      spacing_(spacings_around(neighbourhood)),
      close_(neighbourhood.panels(), times(surface_nearer * stations.front(), spacing_)),
      too_close_(neighbourhood.panels(), times(trusted, own_spacings(neighbourhood.panels()))),
      opposite_(neighbourhood.panels(), times(gap_reach, spacing_)) {}

/// Moves the closest point of the flat panels to that of the surface that they represent.
WallPoint WallFinder::onto_surface(const ClosestPoint& closest, const Vec3d& x,
                                   std::vector<std::int32_t>& beside) const {
  const Panels& panels = neighbourhood_.panels();
  const PanelShape<double>& shape = panels.shape[closest.panel];
  neighbourhood_.collect_beside(closest.panel, beside);
  const bool smooth_around = static_cast<int>(beside.size()) == shape.corners;
  const SurfacePoint surface = closest_on_surface(shape, closest.foot, x, smooth_around);
  const Vec3d away = x - surface.point;
  const double distance = norm(away);
  const double tiny = 1e-9 * size_of(panels, static_cast<std::size_t>(closest.panel));
  const bool over_face = smooth_around || norm(cross(away, surface.normal)) <= 0.1 * distance;
  WallPoint wall{.panel = closest.panel, .foot = surface, .distance = distance};
  wall.outside =
      over_face || distance < tiny ? dot(away, surface.normal) >= -tiny : closest.outside;
  wall.behind = region_.is_thin(static_cast<std::size_t>(closest.panel)) && !wall.outside;
  wall.outside = wall.outside || wall.behind;
  wall.direction = distance < tiny ? surface.normal : (wall.outside ? 1.0 : -1.0) * away / distance;
  wall.spacing = spacing_[static_cast<std::size_t>(closest.panel)];
  return wall;
}

void WallFinder::find_opposite(WallPoints& wall) const {
  std::vector<WayOut> ways;
  std::vector<std::size_t> of_way;
  for (std::size_t i = 0; i < wall.points.size(); ++i) {
    const WallPoint& point = wall.points[i];
    // A ray from the back of a thin panel would meet the panel's own flat triangles.
    if (point.first_station < 0 || point.behind) continue;
    ways.push_back({point.foot.point, point.direction});
    of_way.push_back(i);
  }
  if (ways.empty()) return;
  const std::vector<OppositeWall> opposite = opposite_.of(ways);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    if (opposite[k].panel < 0) continue;
    WallPoint& point = wall.points[of_way[k]];
    const double spacing = spacing_[static_cast<std::size_t>(opposite[k].panel)];
    if (opposite[k].distance > stations.back() * point.spacing + trusted_in_gaps * spacing)
      continue;
    point.opposite = opposite[k];
    point.opposite_spacing = spacing;
  }
}

WallPoints WallFinder::find(std::span<const Vec3d> points) const {
  const std::vector<ClosestPoint> closest = close_.of(points);
  WallPoints wall;
  wall.points.resize(points.size());
  constexpr std::size_t chunk = 64;
  parallel_chunks(
      points.size(), chunk, [] { return std::vector<std::int32_t>{}; },
      [&](std::size_t i, std::vector<std::int32_t>& beside) {
        if (closest[i].panel < 0) return;
        const WallPoint point = onto_surface(closest[i], points[i], beside);
        if (point.distance < stations.front() * point.spacing) wall.points[i] = point;
      });
  for (WallPoint& point : wall.points) {
    if (point.panel < 0 || !point.outside) continue;
    point.first_station = static_cast<std::int64_t>(wall.stations_at.size());
    for (const double station : stations)
      wall.stations_at.push_back(point.foot.point + point.direction * (station * point.spacing));
  }
  find_opposite(wall);
  return wall;
}

std::vector<std::uint8_t> WallFinder::trusts(std::span<const Vec3d> stations_at) const {
  std::vector<std::uint8_t> trusted_there;
  for (const ClosestPoint& closest : too_close_.of(stations_at))
    trusted_there.push_back(closest.panel < 0 ? 1 : 0);
  return trusted_there;
}

}  // namespace rankine::bem
