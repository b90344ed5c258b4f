#include "rankine/bem/flow/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Distances of the interpolation's outer nodes from the surface, in panel sizes.
constexpr std::array stations{0.8, 1.2, 1.6, 2.0};
/// Nearer to any panel than this, in its sizes, the integrals over constant panels are not trusted:
/// further away they serve the interpolation better than to be left out (tests/bem/field_test.cpp).
constexpr double trusted = 0.3;
/// The surface lies less than this, in panel sizes, beside its flat panels.
constexpr double bulge = 0.15;

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

/// A point near the surface.
struct WallPoint {
  std::int32_t panel = -1;  ///< the closest; -1 where that is far enough
  Vec3d foot{};             ///< on the smooth surface
  Vec3d direction{};        ///< unit, from there into the fluid
  double distance = 0.0;    ///< m
  bool outside = true;
  std::int64_t first_station = -1;  ///< index into `stations_at`; -1: none
};

/// Points close to the surface and the stations along their normals.
struct WallPoints {
  std::vector<WallPoint> points;
  std::vector<Vec3d> stations_at;
};

/// From the closest point of flat panels to that of the surface that they stand for.
WallPoint onto_surface(const PanelNeighbourhood& neighbourhood, const ClosestPoint& closest,
                       const Vec3d& x, std::vector<std::int32_t>& beside) {
  const Panels& panels = neighbourhood.panels();
  const PanelShape<double>& shape = panels.shape[closest.panel];
  neighbourhood.collect_beside(closest.panel, beside);
  const bool smooth_around = static_cast<int>(beside.size()) == shape.corners;
  const SurfacePoint surface = closest_on_surface(shape, closest.foot, x, smooth_around);
  const Vec3d away = x - surface.point;
  const double distance = norm(away);
  const double tiny = 1e-9 * size_of(panels, closest.panel);
  const bool over_face = smooth_around || norm(cross(away, surface.normal)) <= 0.1 * distance;
  WallPoint wall{.panel = closest.panel, .foot = surface.point, .distance = distance};
  wall.outside =
      over_face || distance < tiny ? dot(away, surface.normal) >= -tiny : closest.outside;
  wall.direction = distance < tiny ? surface.normal : (wall.outside ? 1.0 : -1.0) * away / distance;
  return wall;
}

WallPoints find_wall_points(const PanelNeighbourhood& neighbourhood,
                            std::span<const Vec3d> points) {
  const Panels& panels = neighbourhood.panels();
  const std::vector<ClosestPoint> closest = closest_points(panels, points, stations.front());
  WallPoints wall;
  wall.points.resize(points.size());
  constexpr std::size_t chunk = 64;
  parallel_chunks(
      points.size(), chunk, [] { return std::vector<std::int32_t>{}; },
      [&](std::size_t i, std::vector<std::int32_t>& beside) {
        if (closest[i].panel >= 0)
          wall.points[i] = onto_surface(neighbourhood, closest[i], points[i], beside);
      });
  for (WallPoint& point : wall.points) {
    if (point.panel < 0 || !point.outside) continue;
    point.first_station = static_cast<std::int64_t>(wall.stations_at.size());
    for (const double station : stations) {
      wall.stations_at.push_back(point.foot +
                                 point.direction * (station * size_of(panels, point.panel)));
    }
  }
  return wall;
}

/// Points, and the side of the symmetry planes on which the panels lie: what holds there is reflected to
/// where the points are.
struct OnPanelsSide {
  std::vector<Vec3d> points;
  std::vector<int> image;

  OnPanelsSide(const Panels& panels, std::span<const Vec3d> given)
      : points(given.begin(), given.end()), image(given.size(), 0) {
    if (panels.symmetry.empty()) return;
    for (std::size_t i = 0; i < points.size(); ++i) {
      image[i] = panels.symmetry.image_towards(panels.centroid.front(), points[i]);
      points[i] = panels.symmetry.point(image[i], points[i]);
    }
  }
};

/// The state on the smooth surface at the foot of a point.
State surface_state(const FlowProblem& problem, const Solution& solution, const WallPoint& wall,
                    PanelPatch& patch) {
  patch.move_to(wall.panel);
  const Vec3d r = (wall.foot - problem.panels.centroid[wall.panel]) / patch.scale();
  const double xi = dot(r, patch.t1()), eta = dot(r, patch.t2());
  State state;
  const PanelNeighbourhood& around = patch.neighbourhood();
  state.phi = patch.fit([&](std::int32_t j) { return around.value(solution.phi, j); })(xi, eta);
  for (int axis = 0; axis < 3; ++axis) {
    state.velocity[axis] = patch.fit([&](std::int32_t j) {
      return around.value(solution.velocity, j)[axis];
    })(xi, eta) - solution.stream[axis];
  }
  return state;
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

/// What walls that move add to the pressure (bem/flow/unsteady.hpp).
void add_rate(const FlowProblem& problem, const Solution& solution, std::span<const Vec3d> points,
              const FieldOptions& options, Backend& backend, Field& field) {
  const auto frame = steady_frame(problem, solution.stream);
  if (!frame && !solution.rate) return;
  std::vector<double> rate;
  if (solution.rate) rate = evaluate_field(problem, *solution.rate, points, options, backend).phi;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (field.inside[i] != 0) continue;
    if (frame) {
      field.pressure[i] +=
          problem.density * dot(frame->at(points[i]), field.velocity[i] - solution.stream);
    } else {
      field.pressure[i] -= problem.density * rate[i];
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

  const PanelNeighbourhood neighbourhood(panels);
  const OnPanelsSide beside(panels, points);
  const WallPoints wall = find_wall_points(neighbourhood, beside.points);
  std::vector<Vec3d> all = beside.points;
  all.insert(all.end(), wall.stations_at.begin(), wall.stations_at.end());

  QuadratureOptions quadrature = options.quadrature;
  if (quadrature.tolerance == 0.0)
    quadrature.tolerance = field_quadrature_share * discretization_error_estimate(panels);
  OffSurfaceOperator sums(backend, panels, all, options.fmm, quadrature);
  const std::vector<double> winding = sums.winding();
  const OffSurfaceValues values = sums.evaluate({solution.charge, solution.doublet});
  const std::vector<ClosestPoint> station_closest =
      closest_points(panels, OnPanelsSide(panels, wall.stations_at).points, trusted);

  // -1 in a body and 0 in the fluid outside; 0 beside it and 1 inside.
  const double fluid = problem.domain == Domain::exterior ? 0.0 : 1.0;
  const auto in_fluid = [&](double wound) { return wound - fluid >= -0.5; };
  const auto state_at = [&](std::size_t i, PanelPatch& patch) {
    const State far{values.potential[i] + solution.constant, values.gradient[i]};
    const WallPoint& near = wall.points[i];
    if (near.first_station < 0) return far;
    std::array<double, 1 + stations.size()> nodes{};
    std::array<State, 1 + stations.size()> states{};
    std::size_t used = 1;
    for (std::size_t k = 0; k < stations.size(); ++k) {
      const std::size_t station = static_cast<std::size_t>(near.first_station) + k;
      if (station_closest[station].panel >= 0 || !in_fluid(winding[count + station])) continue;
      nodes[used] = stations[k] * size_of(panels, near.panel);
      states[used++] = {values.potential[count + station] + solution.constant,
                        values.gradient[count + station]};
    }
    if (used == 1) return far;
    states[0] = surface_state(problem, solution, near, patch);
    return interpolate({nodes.data(), used}, {states.data(), used}, near.distance);
  };
  // Next to the surface its own side counts: winding numbers know its height to second order only.
  const auto is_inside = [&](std::size_t i) {
    const WallPoint& near = wall.points[i];
    const bool beside_surface =
        near.panel >= 0 && near.distance < bulge * size_of(panels, near.panel);
    return beside_surface ? !near.outside : !in_fluid(winding[i]);
  };
  constexpr std::size_t chunk = 64;
  parallel_chunks(
      count, chunk, [&] { return PanelPatch(neighbourhood); },
      [&](std::size_t i, PanelPatch& patch) {
        field.inside[i] = is_inside(i) ? 1 : 0;
        if (field.inside[i] != 0) return;
        const State state = state_at(i, patch);
        const meshes::Symmetry& symmetry = panels.symmetry;
        const double sign = symmetry.sign(beside.image[i]);
        field.phi[i] = sign * state.phi;
        field.velocity[i] =
            sign * symmetry.vector(beside.image[i], solution.stream + state.velocity);
        field.pressure[i] = steady_pressure(problem.density, solution.stream, field.velocity[i]);
      });
  add_rate(problem, solution, points, options, backend, field);
  return field;
}

}  // namespace rankine::bem
