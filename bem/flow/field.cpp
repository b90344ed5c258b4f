#include "rankine/bem/flow/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rankine/bem/flow/opposite_wall.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Distances of the interpolation's outer nodes from the surface, in sizes of the panels there.
constexpr std::array stations{0.8, 1.2, 1.6, 2.0};
/// Points so far from a panel, in its own size, may be within the first station.
constexpr double looked_at = 1.5 * stations.front();
/// Nearer to any panel than this, in its sizes, the integrals are not trusted: further away they serve
/// the interpolation better than to be left out. Before an opposite wall, whose own value takes part, they are
/// left out sooner (tests/bem/field_test.cpp).
constexpr double trusted = 0.3, trusted_in_gaps = 0.55;
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

/// Between the length of a panel and the edge of the equilateral triangle of its area: steps between long
/// panels are felt less far than these are long.
double spacing_of(const Panels& panels, std::int32_t panel) {
  return std::sqrt(size_of(panels, panel) * std::sqrt(panels.area[panel] / 0.433));
}

/// The greatest curvature of the surface towards the fluid along an edge of a panel, 1/m; 0 where it is
/// nowhere convex. `into_fluid`: unit.
double convexity_of(const Panels& panels, std::int32_t panel, const Vec3d& into_fluid) {
  const PanelShape<double>& shape = panels.shape[panel];
  double most = 0.0;
  for (int k = 0; k < shape.corners; ++k) {
    const Vec3d chord = shape.corner[(k + 1) % shape.corners] - shape.corner[k];
    most = std::max(most, 8.0 * dot(shape.bulge[k], into_fluid) / dot(chord, chord));
  }
  return most;
}

/// A point near the surface.
struct WallPoint {
  std::int32_t panel = -1;  ///< the closest; -1 where that is far enough
  Vec3d foot{};             ///< on the smooth surface
  Vec3d direction{};        ///< unit, from there into the fluid
  double distance = 0.0;    ///< m
  bool outside = true;
  bool behind = false;   ///< of a thin panel, on the side that its normal points away from
  double spacing = 0.0;  ///< of the stations' unit, m
  std::int64_t first_station = -1;  ///< index into `stations_at`; -1: none
  OppositeWall opposite{};
};

/// Points close to the surface and the stations along their normals.
struct WallPoints {
  std::vector<WallPoint> points;
  std::vector<Vec3d> stations_at;
};

bool is_thin(const FlowProblem& problem, std::int32_t panel) {
  return !problem.thin.empty() && problem.thin[static_cast<std::size_t>(panel)] != 0;
}

/// From the closest point of flat panels to that of the surface that they stand for.
WallPoint onto_surface(const FlowProblem& problem, const PanelNeighbourhood& neighbourhood,
                       const ClosestPoint& closest, const Vec3d& x,
                       std::vector<std::int32_t>& beside) {
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
  wall.behind = is_thin(problem, closest.panel) && !wall.outside;
  wall.outside = wall.outside || wall.behind;
  wall.direction = distance < tiny ? surface.normal : (wall.outside ? 1.0 : -1.0) * away / distance;
  return wall;
}

/// The largest spacing of the panels around the point: their steps are what the stations must keep clear of.
double spacing_around(const PanelNeighbourhood& neighbourhood, std::int32_t panel,
                      PanelNeighbourhood::Ring& ring) {
  const Panels& panels = neighbourhood.panels();
  neighbourhood.collect(panel, 1, ring);
  double spacing = spacing_of(panels, panel);
  for (const std::int32_t j : ring.panels) spacing = std::max(spacing, spacing_of(panels, j));
  return std::min(spacing, 1.5 * size_of(panels, panel));
}

WallPoints find_wall_points(const FlowProblem& problem, const PanelNeighbourhood& neighbourhood,
                            std::span<const Vec3d> points) {
  const Panels& panels = neighbourhood.panels();
  const std::vector<ClosestPoint> closest = closest_points(panels, points, looked_at);
  WallPoints wall;
  wall.points.resize(points.size());
  struct Workspace {
    std::vector<std::int32_t> beside;
    PanelNeighbourhood::Ring ring;
  };
  constexpr std::size_t chunk = 64;
  parallel_chunks(
      points.size(), chunk, [] { return Workspace{}; },
      [&](std::size_t i, Workspace& workspace) {
        if (closest[i].panel < 0) return;
        WallPoint point =
            onto_surface(problem, neighbourhood, closest[i], points[i], workspace.beside);
        point.spacing = spacing_around(neighbourhood, point.panel, workspace.ring);
        if (point.distance < stations.front() * point.spacing) wall.points[i] = point;
      });
  std::vector<WayOut> ways;
  std::vector<std::size_t> of_way;
  for (std::size_t i = 0; i < points.size(); ++i) {
    WallPoint& point = wall.points[i];
    if (point.panel < 0 || !point.outside) continue;
    point.first_station = static_cast<std::int64_t>(wall.stations_at.size());
    for (const double station : stations)
      wall.stations_at.push_back(point.foot + point.direction * (station * point.spacing));
    // Behind a thin panel a way in would meet the panel's own chords.
    if (point.behind) continue;
    ways.push_back({point.foot, point.direction});
    of_way.push_back(i);
  }
  const std::vector<OppositeWall> opposite = opposite_walls(panels, ways, stations.back());
  for (std::size_t k = 0; k < ways.size(); ++k) wall.points[of_way[k]].opposite = opposite[k];
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

/// The state at a point of the smooth surface over a panel, from phi and its gradient at the points.
State surface_state(const Panels& panels, std::span<const double> potential,
                    std::span<const Vec3d> gradient, std::int32_t panel, const Vec3d& point,
                    PanelPatch& patch) {
  patch.move_to(panel);
  const Vec3d r = (point - panels.centroid[panel]) / patch.scale();
  const double xi = dot(r, patch.t1()), eta = dot(r, patch.t2());
  State state;
  const PanelNeighbourhood& around = patch.neighbourhood();
  state.phi = patch.fit([&](std::int32_t j) { return around.value(potential, j); })(xi, eta);
  for (int axis = 0; axis < 3; ++axis) {
    state.velocity[axis] =
        patch.fit([&](std::int32_t j) { return around.value(gradient, j)[axis]; })(xi, eta);
  }
  return state;
}

/// Between two walls a distance `gap` apart: velocities linear, the potential cubic by Hermite's
/// interpolation, since the velocity holds its slope.
State between(const State& near, const State& far, const Vec3d& direction, double gap, double t) {
  const double x = t / gap, y = 1.0 - x;
  State result;
  result.add(y, near).add(x, far);
  result.phi = y * y * (1.0 + 2.0 * x) * near.phi + x * x * (1.0 + 2.0 * y) * far.phi +
               gap * x * y * (y * dot(near.velocity, direction) - x * dot(far.velocity, direction));
  return result;
}

/// Lagrange interpolation at `t` through the nodes given, of which the first is 0; the potential also has
/// there the slope that is the velocity's part along `direction`.
State interpolate(std::span<const double> nodes, std::span<const State> states,
                  const Vec3d& direction, double t) {
  State result;
  double slope = dot(states[0].velocity, direction), without_value = t;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double factor = 1.0, at_first = 1.0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (j == i) continue;
      factor *= (t - nodes[j]) / (nodes[i] - nodes[j]);
      if (j > 0) at_first *= nodes[j] / (nodes[j] - nodes[i]);
    }
    result.add(factor, states[i]);
    if (i == 0) continue;
    slope -= at_first / nodes[i] * (states[i].phi - states[0].phi);
    without_value *= 1.0 - t / nodes[i];
  }
  result.phi += slope * without_value;
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

FieldEvaluator::FieldEvaluator(const FlowProblem& problem, const Solution& solution,
                               const FieldOptions& options, Backend& backend)
    : problem_(problem),
      solution_(solution),
      options_(options),
      backend_(backend),
      neighbourhood_([&] {
        const ThreadScope threads(backend.threads());
        return PanelNeighbourhood(problem.panels);
      }()),
      onset_(problem.onset, problem.panels.symmetry),
      perturbation_(solution.velocity),
      perturbation_behind_(solution.velocity_behind) {
  const ThreadScope all_threads(backend.threads());
  const std::vector<Vec3d> arriving = onset_velocity(problem, solution.stream);
  for (std::vector<Vec3d>* each : {&perturbation_, &perturbation_behind_}) {
    for (std::size_t i = 0; i < each->size(); ++i) (*each)[i] -= arriving[i];
  }
  if (options_.quadrature.tolerance == 0.0) {
    const ThreadScope threads(backend.threads());
    options_.quadrature.tolerance =
        field_quadrature_share * discretization_error_estimate(problem.panels);
  }
}

void FieldEvaluator::add_rate(std::span<const Vec3d> points, Field& field) {
  const auto frame = steady_frame(problem_, solution_.stream);
  if (!frame && !solution_.rate) return;
  std::vector<double> rate;
  if (solution_.rate) {
    if (!rate_)
      rate_ = std::make_unique<FieldEvaluator>(problem_, *solution_.rate, options_, backend_);
    rate = rate_->at(points).phi;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (field.inside[i] != 0) continue;
    if (frame) {
      field.pressure[i] +=
          problem_.density * dot(frame->at(points[i]), field.velocity[i] - solution_.stream);
    } else {
      field.pressure[i] -= problem_.density * rate[i];
    }
  }
}

Field FieldEvaluator::at(std::span<const Vec3d> points) {
  check(points);
  const ThreadScope threads(backend_.threads());
  const FlowProblem& problem = problem_;
  const Solution& solution = solution_;
  const PanelNeighbourhood& neighbourhood = neighbourhood_;
  const Panels& panels = problem.panels;
  const std::size_t count = points.size();
  Field field{std::vector<double>(count), std::vector<Vec3d>(count), std::vector<double>(count),
              std::vector<std::uint8_t>(count)};
  if (count == 0) return field;

  const OnPanelsSide beside(panels, points);
  const WallPoints wall = find_wall_points(problem, neighbourhood, beside.points);
  std::vector<Vec3d> all = beside.points;
  all.insert(all.end(), wall.stations_at.begin(), wall.stations_at.end());

  if (sums_) {
    sums_->move_to(all);
  } else {
    sums_ = std::make_unique<OffSurfaceOperator>(backend_, panels, all, options_.fmm,
                                                 options_.quadrature);
    sums_->hold({solution.charge, solution.doublet});
  }
  const std::vector<double> winding = sums_->winding(problem.thin);
  const OffSurfaceValues values = sums_->evaluate();
  const std::vector<ClosestPoint> station_closest =
      closest_points(panels, OnPanelsSide(panels, wall.stations_at).points, trusted);

  // -1 in a body and 0 in the fluid outside; 0 beside it and 1 inside.
  const double fluid = problem.domain == Domain::exterior ? 0.0 : 1.0;
  const auto in_fluid = [&](double wound) { return wound - fluid >= -0.5; };
  const auto at_surface = [&](std::int32_t panel, const Vec3d& x, PanelPatch& patch, bool behind) {
    return surface_state(panels, solution.phi, behind ? perturbation_behind_ : perturbation_, panel,
                         x, patch);
  };
  const auto state_at = [&](std::size_t i, PanelPatch& patch) {
    const State far{values.potential[i] + solution.constant, values.gradient[i]};
    const WallPoint& near = wall.points[i];
    if (near.first_station < 0) return far;
    // In t/(1 + k t), k the curvature of the wall: multipoles outside a sphere are polynomials of it, and next
    // to a thin rim there is nothing smooth in t.
    const double curvature = convexity_of(panels, near.panel, near.direction);
    const auto stretch = [&](double t) { return t / (1.0 + curvature * t); };
    const OppositeWall& opposite = near.opposite;
    const bool in_gap = opposite.panel >= 0 && opposite.distance < stations.back() * near.spacing;
    std::array<double, 2 + stations.size()> nodes{};
    std::array<State, 2 + stations.size()> states{};
    std::size_t used = 1;
    for (std::size_t k = 0; k < stations.size(); ++k) {
      const std::size_t station = static_cast<std::size_t>(near.first_station) + k;
      const double distance = stations[k] * near.spacing;
      if (station_closest[station].panel >= 0 || !in_fluid(winding[count + station])) continue;
      if (in_gap &&
          distance > opposite.distance - trusted_in_gaps * size_of(panels, opposite.panel))
        continue;
      nodes[used] = stretch(distance);
      states[used++] = {values.potential[count + station] + solution.constant,
                        values.gradient[count + station]};
    }
    if (used == 1 && !in_gap && near.distance > trusted * near.spacing) return far;
    states[0] = at_surface(near.panel, near.foot, patch, near.behind);
    if (in_gap) {
      const State other = at_surface(opposite.panel, opposite.point, patch, false);
      if (used == 1)
        return between(states[0], other, near.direction, opposite.distance, near.distance);
      nodes[used] = stretch(opposite.distance);
      states[used++] = other;
    }
    return interpolate({nodes.data(), used}, {states.data(), used}, near.direction,
                       stretch(near.distance));
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
        field.phi[i] = sign * state.phi + onset_.potential(points[i]);
        field.velocity[i] =
            sign * symmetry.vector(beside.image[i], solution.stream + state.velocity) +
            onset_.velocity(points[i]);
        field.pressure[i] = steady_pressure(problem.density, solution.stream, field.velocity[i]);
      });
  add_rate(points, field);
  return field;
}

Field evaluate_field(const FlowProblem& problem, const Solution& solution,
                     std::span<const Vec3d> points, const FieldOptions& options, Backend& backend) {
  return FieldEvaluator(problem, solution, options, backend).at(points);
}

}  // namespace rankine::bem
