#include "rankine/bem/flow/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Distances of the interpolation's outer nodes from the surface, in panel sizes.
constexpr std::array<double, 3> stations{1.25, 1.75, 2.25};
/// Nearer to any panel than this, in its sizes, the integrals over constant panels are not trusted:
/// further away they serve the interpolation better than to be left out (tests/bem/field_test.cpp).
constexpr double trusted = 0.3;

/// phi and the perturbation velocity.
struct State {
  double phi = 0.0;
  Vec3d velocity{};

  State& add(double factor, const State& other) {
    phi += factor * other.phi;
    velocity += factor * other.velocity;
    return *this;
  }
};

double size_of(const Panels& panels, std::int32_t panel) {
  return panel_size(panels.radius[panel]);
}

/// Points close to the surface and the stations along their normals.
struct WallPoints {
  std::vector<ClosestPoint> closest;        ///< of the points asked for; panel -1 where far enough
  std::vector<std::int64_t> first_station;  ///< per point, index into `stations_at`, or -1
  std::vector<Vec3d> stations_at;
};

WallPoints find_wall_points(const Panels& panels, std::span<const Vec3d> points) {
  WallPoints wall;
  wall.closest = closest_points(panels, points, stations.front());
  wall.first_station.assign(points.size(), -1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ClosestPoint& c = wall.closest[i];
    if (c.panel < 0 || !c.outside) continue;
    wall.first_station[i] = static_cast<std::int64_t>(wall.stations_at.size());
    for (const double station : stations) {
      wall.stations_at.push_back(c.foot + c.direction * (station * size_of(panels, c.panel)));
    }
  }
  return wall;
}

/// The state on the smooth surface at the foot of a point, and the height of that surface there.
struct SurfacePoint {
  State state;
  double height;  ///< m, along the panel's normal
};

SurfacePoint surface_point(const FlowProblem& problem, const Solution& solution,
                           const ClosestPoint& closest, PanelPatch& patch) {
  patch.move_to(closest.panel);
  const Vec3d r = (closest.foot - problem.panels.centroid[closest.panel]) / patch.scale();
  const double xi = dot(r, patch.t1()), eta = dot(r, patch.t2());
  SurfacePoint point;
  point.height = patch.scale() * patch.height()(xi, eta);
  point.state.phi = patch.fit([&](std::int32_t j) { return solution.phi[j]; })(xi, eta);
  for (int axis = 0; axis < 3; ++axis) {
    point.state.velocity[axis] = patch.fit([&](std::int32_t j) {
      return solution.velocity[j][axis];
    })(xi, eta) - solution.stream[axis];
  }
  return point;
}

/// Lagrange interpolation at `t` through the nodes given.
State interpolate(std::span<const double> nodes, std::span<const State> states, double t) {
  State result;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double factor = 1.0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (j != i) factor *= (t - nodes[j]) / (nodes[i] - nodes[j]);
    }
    result.add(factor, states[i]);
  }
  return result;
}

void check(std::span<const Vec3d> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d& p = points[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      throw InputError("field point " + std::to_string(i) +
                       " is not finite; give coordinates in metres");
    }
  }
}

}  // namespace

Field evaluate_field(const FlowProblem& problem, const Solution& solution,
                     std::span<const Vec3d> points, const FieldOptions& options, Backend& backend) {
  check(points);
  const ThreadScope threads(backend.threads());
  const Panels& panels = problem.panels;
  const std::size_t count = points.size();
  Field field{std::vector<double>(count), std::vector<Vec3d>(count), std::vector<double>(count),
              std::vector<std::uint8_t>(count)};
  if (count == 0) return field;

  const WallPoints wall = find_wall_points(panels, points);
  std::vector<Vec3d> all(points.begin(), points.end());
  all.insert(all.end(), wall.stations_at.begin(), wall.stations_at.end());

  QuadratureOptions quadrature = options.quadrature;
  if (quadrature.tolerance == 0.0)
    quadrature.tolerance = field_quadrature_share * discretization_error_estimate(panels);
  OffSurfaceOperator sums(backend, panels, all, options.fmm, quadrature);
  const std::vector<double> winding = sums.winding();
  const OffSurfaceValues values = sums.evaluate({solution.charge, solution.doublet});
  const std::vector<ClosestPoint> station_closest =
      closest_points(panels, wall.stations_at, trusted);
  const PanelNeighbourhood neighbourhood(panels);

  const auto state_at = [&](std::size_t i, PanelPatch& patch) {
    const State far{values.potential[i], values.gradient[i]};
    if (wall.first_station[i] < 0) return far;
    const ClosestPoint& closest = wall.closest[i];
    std::array<double, 1 + stations.size()> nodes{};
    std::array<State, 1 + stations.size()> states{};
    std::size_t used = 1;
    for (std::size_t k = 0; k < stations.size(); ++k) {
      const std::size_t station = static_cast<std::size_t>(wall.first_station[i]) + k;
      if (station_closest[station].panel >= 0 || winding[count + station] < -0.5) continue;
      nodes[used] = stations[k] * size_of(panels, closest.panel);
      states[used++] = {values.potential[count + station], values.gradient[count + station]};
    }
    if (used == 1) return far;
    const SurfacePoint surface = surface_point(problem, solution, closest, patch);
    nodes[0] = surface.height;
    states[0] = surface.state;
    return interpolate({nodes.data(), used}, {states.data(), used}, closest.distance);
  };
  constexpr std::size_t chunk = 64;
  parallel_chunks(
      count, chunk, [&] { return PanelPatch(neighbourhood); },
      [&](std::size_t i, PanelPatch& patch) {
        field.inside[i] = winding[i] < -0.5 ? 1 : 0;
        if (field.inside[i] != 0) return;
        const State state = state_at(i, patch);
        field.phi[i] = state.phi;
        field.velocity[i] = solution.stream + state.velocity;
        field.pressure[i] = steady_pressure(problem.density, solution.stream, field.velocity[i]);
      });
  return field;
}

}  // namespace rankine::bem
