#include "rankine/bem/fields/wall_points.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "rankine/bem/panels/line_triangle.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Relative tolerance, so that no ray passes between two panels.
constexpr double edge_tolerance = 1e-9;

/// Distance along the ray at which it hits a flat triangle from the front; negative: it does not.
double hit_distance(const Ray& ray, const TrianglePatch<double>& triangle) {
  const auto hit = meet(ray.from, ray.direction, triangle);
  return hit && hit->from_front && hit->inside >= -edge_tolerance ? hit->t : -1.0;
}

/// Largest ratio of the distances to the flat panels and to the smooth surface.
constexpr double surface_nearer = 1.25;
/// Range of the search for opposite walls, in spacings. Walls beyond it are not too near any
/// station.
constexpr double gap_reach = 1.5 * (node_distances.back() + reliable_in_gaps);

double size_of(const Panels& panels, std::size_t panel) { return panel_size(panels.radius[panel]); }

/// Spacing of a panel: the geometric mean of its length and the edge of an equilateral triangle of
/// its area, since the jumps between long panels act over less than their length.
double spacing_of(const Panels& panels, std::size_t panel) {
  return std::sqrt(size_of(panels, panel) * std::sqrt(panels.area[panel] / 0.433));
}

/// The largest spacing of each panel and its neighbours. Stations must be far enough from the jumps
/// between them.
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

/// The derivative J d of grad phi from its derivatives g_1, g_2 along the tangents a_1, a_2 of
/// a wall.
Vec3d along(const Vec3d& direction, const Vec3d& n, const std::array<Vec3d, 2>& a,
            const std::array<Vec3d, 2>& g) {
  const double aa = dot(a[0], a[0]), ab = dot(a[0], a[1]), bb = dot(a[1], a[1]),
               determinant = aa * bb - ab * ab;
  const std::array<Vec3d, 2> dual{(bb * a[0] - ab * a[1]) / determinant,
                                  (aa * a[1] - ab * a[0]) / determinant};
  const Vec3d normal_part = dot(g[0], n) * dual[0] + dot(g[1], n) * dual[1] -
                            (dot(g[0], dual[0]) + dot(g[1], dual[1])) * n;
  return dot(direction, n) * normal_part + dot(direction, dual[0]) * g[0] +
         dot(direction, dual[1]) * g[1];
}

}  // namespace

OppositeWalls::OppositeWalls(const Panels& panels, std::vector<double> reach)
    : reach_(panels, std::move(reach)) {}

std::vector<OppositeWall> OppositeWalls::of(std::span<const Ray> rays) const {
  std::vector<Vec3d> from;
  for (const Ray& ray : rays) from.push_back(ray.from);
  const SparsityPattern near = reach_.candidates(from);
  const Panels& panels = reach_.panels();
  std::vector<OppositeWall> walls(rays.size());
  constexpr std::size_t chunk = 64;
  parallel_chunks(rays.size(), chunk, [&](std::size_t i) {
    const Ray& ray = rays[i];
    OppositeWall& wall = walls[i];
    for (std::int64_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k) {
      const std::int32_t j = near.columns[k];
      const PanelShape<double>& shape = panels.shape[j];
      const double size = panel_size(panels.radius[j]);
      for (int half = 0; half + 2 < shape.corners; ++half) {
        const double t = hit_distance(ray, surface_triangle(shape, half));
        const bool first = wall.panel < 0 || t < wall.distance;
        if (t > 1e-6 * size && t < reach_.of(j) && first) wall = {j, {}, t};
      }
    }
    if (wall.panel < 0) return;
    wall.surface = surface_over(panels.shape[wall.panel], ray.from + wall.distance * ray.direction);
    wall.distance = dot(wall.surface.point - ray.from, ray.direction);
    if (!(wall.distance > 0.0)) wall = {};
  });
  return walls;
}

WallFinder::WallFinder(const Region& region, const PanelNeighbourhood& neighbourhood)
    : region_(region),
      neighbourhood_(neighbourhood),
      spacing_(spacings_around(neighbourhood)),
      close_(neighbourhood.panels(), times(surface_nearer * node_distances.front(), spacing_)),
      too_close_(neighbourhood.panels(), times(reliable, own_spacings(neighbourhood.panels()))),
      opposite_(neighbourhood.panels(), times(gap_reach, spacing_)) {}

/// Moves the closest point from the flat panels to the smooth surface that they represent.
WallPoint WallFinder::onto_surface(const ClosestPoint& closest, const Vec3d& x,
                                   std::vector<std::int32_t>& beside) const {
  const Panels& panels = neighbourhood_.panels();
  const PanelShape<double>& shape = panels.shape[closest.panel];
  neighbourhood_.collect_beside(closest.panel, beside);
  const bool smooth_around = static_cast<int>(beside.size()) == shape.corners;
  const SurfacePoint surface = closest_on_surface(shape, closest.nearest, x, smooth_around);
  const Vec3d away = x - surface.point;
  const double distance = norm(away);
  const double tiny = 1e-9 * size_of(panels, static_cast<std::size_t>(closest.panel));
  const bool over_face = smooth_around || norm(cross(away, surface.normal)) <= 0.1 * distance;
  WallPoint wall{.panel = closest.panel, .nearest = surface, .distance = distance};
  wall.outside =
      over_face || distance < tiny ? dot(away, surface.normal) >= -tiny : closest.outside;
  wall.behind = region_.is_thin(static_cast<std::size_t>(closest.panel)) && !wall.outside;
  wall.outside = wall.outside || wall.behind;
  wall.direction = distance < tiny ? surface.normal : (wall.outside ? 1.0 : -1.0) * away / distance;
  wall.spacing = spacing_[static_cast<std::size_t>(closest.panel)];
  return wall;
}

void WallFinder::find_opposite(WallPoints& wall) const {
  std::vector<Ray> rays;
  std::vector<std::size_t> of_ray;
  for (std::size_t i = 0; i < wall.points.size(); ++i) {
    const WallPoint& point = wall.points[i];
    // A ray from the back of a thin panel would hit the panel's own flat triangles.
    if (point.first_node < 0 || point.behind) continue;
    rays.push_back({point.nearest.point, point.direction});
    of_ray.push_back(i);
  }
  if (rays.empty()) return;
  const std::vector<OppositeWall> opposite = opposite_.of(rays);
  for (std::size_t k = 0; k < rays.size(); ++k) {
    if (opposite[k].panel < 0) continue;
    WallPoint& point = wall.points[of_ray[k]];
    const double spacing = spacing_[static_cast<std::size_t>(opposite[k].panel)];
    if (opposite[k].distance > node_distances.back() * point.spacing + reliable_in_gaps * spacing)
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
        if (point.distance < node_distances.front() * point.spacing) wall.points[i] = point;
      });
  for (WallPoint& point : wall.points) {
    if (point.panel < 0 || !point.outside) continue;
    point.first_node = static_cast<std::int64_t>(wall.nodes.size());
    for (const double node : node_distances)
      wall.nodes.push_back(point.nearest.point + point.direction * (node * point.spacing));
  }
  find_opposite(wall);
  return wall;
}

std::vector<std::uint8_t> WallFinder::reliable_at(std::span<const Vec3d> nodes) const {
  std::vector<std::uint8_t> is_reliable;
  for (const ClosestPoint& closest : too_close_.of(nodes))
    is_reliable.push_back(closest.panel < 0 ? 1 : 0);
  return is_reliable;
}

WallState wall_state(const Panels& panels, std::span<const double> potential,
                     std::span<const Vec3d> perturbation, std::int32_t panel,
                     const SurfacePoint& surface, const Vec3d& direction, PanelPatch& patch) {
  patch.move_to(panel);
  const Vec3d r = (surface.point - panels.centroid[panel]) / patch.scale();
  const double xi = dot(r, patch.t1()), eta = dot(r, patch.t2());
  const PanelNeighbourhood& around = patch.neighbourhood();
  WallState wall;
  const auto fits = patch.fits<4>([&](std::int32_t j) {
    const Vec3d u = around.value(perturbation, j);
    return std::array{u.x, u.y, u.z, around.value(potential, j)};
  });
  wall.state.phi = fits[3](xi, eta);
  std::array<Vec3d, 2> g;
  for (int axis = 0; axis < 3; ++axis) {
    const PlanePolynomial& fit = fits[static_cast<std::size_t>(axis)];
    wall.state.gradient[axis] = fit(xi, eta);
    const PlanePolynomial::Slopes slopes = fit.slopes(xi, eta);
    g[0][axis] = slopes.x / patch.scale();
    g[1][axis] = slopes.y / patch.scale();
  }
  // Steps in the plane of the fit, projected along its normal onto the surface.
  const double upright = dot(patch.normal(), surface.normal);
  constexpr double least_upright = 0.5;  // a steeper wall is not a graph over the plane
  wall.has_slope = upright > least_upright;
  if (!wall.has_slope) return wall;
  const auto lifted = [&](const Vec3d& t) {
    return t - (dot(t, surface.normal) / upright) * patch.normal();
  };
  wall.slope = along(direction, surface.normal, {lifted(patch.t1()), lifted(patch.t2())}, g);
  return wall;
}

template <class Value, std::size_t Most>
void RayPolynomial::Newton<Value, Most>::add(double node, int known,
                                             const std::array<Value, 3>& derivatives) {
  for (int k = 0; k < known; ++k) {
    assert(count_ < Most);
    node_[count_] = node;
    Value difference = derivatives[0];
    double factorial = 1.0;
    for (std::size_t length = 1; length <= count_; ++length) {
      const Value without_newest = std::exchange(last_[length - 1], difference);
      factorial *= static_cast<double>(length);
      difference = length <= static_cast<std::size_t>(k)
                       ? derivatives[length] / factorial
                       : (difference - without_newest) / (node - node_[count_ - length]);
    }
    last_[count_] = first_[count_] = difference;
    ++count_;
  }
}

template <class Value, std::size_t Most>
Value RayPolynomial::Newton<Value, Most>::operator()(double s) const {
  Value value{};
  for (std::size_t k = count_; k-- > 0;) value = first_[k] + (s - node_[k]) * value;
  return value;
}

void RayPolynomial::add_wall(double distance, const WallState& wall) {
  add_wall(distance, wall, wall.has_slope ? 2 : 1);
}

void RayPolynomial::add_wall(double distance, const PotentialState& wall) {
  add_wall(distance, {wall, {}}, 1);
}

void RayPolynomial::add_wall(double distance, const WallState& wall, int gradients) {
  // d/ds and d^2/ds^2 of f(t) at s = t/(1 + k t).
  const double scale = 1.0 + curvature_ * distance, first = scale * scale;
  const double slope = dot(wall.state.gradient, direction_), bend = dot(wall.slope, direction_);
  const double second = first * scale * (2.0 * curvature_ * slope + scale * bend);
  phi_.add(stretched(distance), gradients + 1, {wall.state.phi, first * slope, second});
  gradient_.add(stretched(distance), gradients, {wall.state.gradient, first * wall.slope, Vec3d{}});
}

void RayPolynomial::add(double distance, const PotentialState& state) {
  phi_.add(stretched(distance), 1, {state.phi, 0.0, 0.0});
  gradient_.add(stretched(distance), 1, {state.gradient, Vec3d{}, Vec3d{}});
}

PotentialState RayPolynomial::at(double distance) const {
  const double s = stretched(distance);
  return {phi_(s), gradient_(s)};
}

}  // namespace rankine::bem
