#include "rankine/bem/flow/relaxed_wake.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/flow/wake_lines.hpp"
#include "rankine/bem/flow/wake_loads.hpp"

namespace rankine::bem {
namespace {

/// Straight lines, with points at which they may bend in the part that follows the flow. Lines
/// along bodies stay there, and may bend behind them.
WakeLines free_lines(const FlowProblem& problem) {
  constexpr double length = 1.0, most = 1.0 / 12.0;  // extents
  const LiftingEdges& lift = *problem.lift;
  double width = 0.0;
  for (const EdgeSegment& edge : lift.segments) {
    width +=
        norm(lift.wakes.at(edge.second).points.front() - lift.wakes.at(edge.first).points.front()) /
        static_cast<double>(lift.segments.size());
  }
  const double first = 0.25 * width;
  WakeLines lines = lift.wakes;
  for (auto& [node, line] : lines) {
    const Vec3d end = line.points.back();
    const double passed = line.stations.back();
    for (const double s : wake_stations(first, length * lift.extent, most * lift.extent)) {
      if (passed > 0.0 && s < passed + first) continue;
      line.points.push_back(end + (s - passed) * lift.direction);
      line.stations.push_back(s);
    }
  }
  return lines;
}

/// The mean size of the panels at a line on a body.
double panel_size_at(const Panels& body, const std::vector<Vec3d>& line) {
  std::set<std::array<double, 3>> points;
  for (const Vec3d& x : line) points.insert({x.x, x.y, x.z});
  double area = 0.0, count = 0.0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const PanelShape<double>& shape = body.shape[i];
    for (int k = 0; k < shape.corners; ++k) {
      const Vec3d& x = shape.corner[k];
      if (!points.contains({x.x, x.y, x.z})) continue;
      area += body.area[i];
      count += 1.0;
    }
  }
  return count > 0.0 ? std::sqrt(area / count) : 0.0;
}

/// Interpolates lines that start closer to one on a body than panels there are large, between that
/// line and the next one farther away: velocities of panels are not accurate so close to them.
void interpolate_beside_bodies(const Panels& body, const LiftingEdges& lift, WakeLines& lines) {
  std::map<std::int32_t, std::vector<std::int32_t>> beside;  // nodes along the edges
  for (const EdgeSegment& edge : lift.segments) {
    beside[edge.first].push_back(edge.second);
    beside[edge.second].push_back(edge.first);
  }
  for (const auto& [node, on_body] : lift.lines) {
    const WakeLine& inner = lines.at(node);
    const Vec3d from = inner.points.front();
    const auto distance = [&](std::int32_t other) {
      return norm(lines.at(other).points.front() - from);
    };
    const double size = panel_size_at(body, on_body);
    std::vector<std::int32_t> close{node};
    std::int32_t next = beside.at(node).front();
    while (distance(next) < size && beside.at(next).size() == 2) {
      const auto& nodes = beside.at(next);
      const std::int32_t farther = nodes[0] == close.back() ? nodes[1] : nodes[0];
      close.push_back(next);
      next = farther;
    }
    const WakeLine& outer = lines.at(next);
    for (const std::int32_t each : std::span(close).subspan(1)) {
      WakeLine& line = lines.at(each);
      const double share = distance(each) / distance(next);
      const auto between = [&](double station) {
        return inner.at(station) + share * (outer.at(station) - inner.at(station));
      };
      const Vec3d offset = line.points.front() - between(0.0);
      for (std::size_t k = 1; k < line.points.size(); ++k)
        line.points[k] = between(line.stations[k]) + offset;
    }
  }
}

/// The mean distance between the points of lines, weighted by vortices and lengths.
double displacement_of(const LiftingEdges& lift, const WakeLines& lines,
                       std::span<const double> sheets) {
  const std::map<std::int32_t, double> circulation = line_circulations(lift, sheets);
  double sum = 0.0, weights = 0.0;
  for (const auto& [node, line] : lines) {
    double vortex = 0.0;
    for (const std::int32_t each : lines_together(lift, node)) vortex += circulation.at(each);
    for (std::size_t k = points_on_body(lift, node); k < line.points.size(); ++k) {
      const double weight = std::abs(vortex) * (line.stations[k] - line.stations[k - 1]);
      sum += weight * norm(line.points[k] - lift.wakes.at(node).points[k]);
      weights += weight;
    }
  }
  return weights > 0.0 ? sum / weights : 0.0;
}

WakeLines moved_lines(const FlowProblem& problem, const Solution& solution,
                      const FieldOptions& options, Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const SourceSet& sources = lift.sources;
  const WakeFlow flow = wake_flow(problem, solution, options, backend);
  std::vector<Vec3d> velocity(sources.of_sheet.size(), problem.stream);
  for (std::size_t k = 0; k < flow.panels.size(); ++k)
    velocity[flow.panels[k] - sources.boundary] = flow.velocity[k];
  const double slowest = 0.5 * norm(problem.stream);
  WakeLines moved = lift.wakes;
  for (const LinePiece& piece : line_pieces(lift)) {
    WakeLine& line = moved.at(piece.node);
    if (piece.row + 1 >= line.points.size()) continue;
    const Vec3d from = line.points[piece.row];
    Vec3d u{};
    for (const PanelBeside& each : piece.beside)
      u += each.weight * velocity[each.panel - sources.boundary];
    for (const meshes::SymmetryPlane& plane : problem.panels.symmetry.planes()) {
      if (plane.holds(from)) u[plane.axis] = 0.0;
    }
    const double step = line.stations[piece.row + 1] - line.stations[piece.row];
    const Vec3d across = u - dot(u, lift.direction) * lift.direction;
    line.points[piece.row + 1] =
        from + step * (lift.direction + across / std::max(dot(u, lift.direction), slowest));
  }
  interpolate_beside_bodies(problem.panels, lift, moved);
  return moved;
}

}  // namespace

Solution solve_with_relaxed_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report) {
  constexpr int most_sweeps = 10;
  const auto move_to = [&](WakeLines lines) {
    problem.lift =
        std::make_shared<LiftingEdges>(with_wakes(problem.panels, *problem.lift, std::move(lines)));
  };
  move_to(free_lines(problem));
  FlowOptions mine = options;
  Solution solution = solve(problem, mine, backend);
  for (int sweep = 1; sweep <= most_sweeps && solution.complete() && solution.converged();
       ++sweep) {
    WakeLines moved =
        moved_lines(problem, solution, {.fmm = options.fmm, .quadrature = {}}, backend);
    const double displacement =
        displacement_of(*problem.lift, moved, solution.sheets) / problem.lift->extent;
    report({sweep, displacement, solution.gmres});
    if (displacement < relaxed_wake_tolerance) break;
    move_to(std::move(moved));
    mine.initial_guess = solution.unknown;
    solution = solve(problem, mine, backend);
  }
  return solution;
}

}  // namespace rankine::bem
