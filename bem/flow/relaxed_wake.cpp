#include "rankine/bem/flow/relaxed_wake.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/flow/equal_pressures.hpp"
#include "rankine/bem/flow/wake_lines.hpp"
#include "rankine/bem/flow/wake_loads.hpp"
#include "rankine/bem/panels/closest_point.hpp"

namespace rankine::bem {
namespace {

/// The surface at the points of a line on a body.
struct SurfaceAtLine {
  double size = 0.0;  ///< mean of the panels, m
  /// Unit vectors; at the ends, where other faces meet the line, those of the points beside.
  std::vector<Vec3d> normals;
};

SurfaceAtLine surface_at(const Panels& body, const std::vector<Vec3d>& line) {
  std::map<std::array<double, 3>, std::size_t> number;
  for (std::size_t k = 0; k < line.size(); ++k) number[{line[k].x, line[k].y, line[k].z}] = k;
  SurfaceAtLine surface;
  surface.normals.resize(line.size());
  double area = 0.0, count = 0.0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const PanelShape<double>& shape = body.shape[i];
    for (int k = 0; k < shape.corners; ++k) {
      const Vec3d& x = shape.corner[k];
      const auto at = number.find({x.x, x.y, x.z});
      if (at == number.end()) continue;
      area += body.area[i];
      count += 1.0;
      surface.normals[at->second] += body.vector_area[i];
    }
  }
  if (count > 0.0) surface.size = std::sqrt(area / count);
  if (line.size() > 2) {
    surface.normals.front() = surface.normals[1];
    surface.normals.back() = surface.normals[line.size() - 2];
  }
  for (Vec3d& each : surface.normals) each = each / norm(each);
  return surface;
}

/// The nodes along an edge, from one at which it ends at a body: those closer than `size`, and one
/// more.
std::vector<std::int32_t> nodes_beside(const LiftingEdges& lift, std::int32_t node, double size) {
  std::map<std::int32_t, std::vector<std::int32_t>> next_to;
  for (const EdgeSegment& edge : lift.segments) {
    next_to[edge.first].push_back(edge.second);
    next_to[edge.second].push_back(edge.first);
  }
  const auto start = [&](std::int32_t each) { return lift.wakes.at(each).points.front(); };
  std::vector<std::int32_t> nodes{node, next_to.at(node).front()};
  while (norm(start(nodes.back()) - start(node)) < size && next_to.at(nodes.back()).size() == 2) {
    const auto& both = next_to.at(nodes.back());
    nodes.push_back(both[0] == nodes[nodes.size() - 2] ? both[1] : both[0]);
  }
  return nodes;
}

/// Straight lines, with points at which they may bend in the part that follows the flow. The parts
/// of lines along bodies do not move; behind the bodies lines may bend. A line that starts within a
/// panel size of a line on a body has points beside each point of that line.
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
  for (const auto& [inner, on_body] : lift.lines) {
    const std::vector<std::int32_t> beside =
        nodes_beside(lift, inner, surface_at(problem.panels, on_body).size);
    for (std::size_t i = 1; i + 1 < beside.size(); ++i) {
      WakeLine& line = lines.at(beside[i]);
      const Vec3d start = line.points.front();
      line.stations = lift.wakes.at(inner).stations;
      line.points.clear();
      for (const double s : line.stations) line.points.push_back(start + s * lift.direction);
    }
  }
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

/// Keeps wakes off the bodies along which they continue: velocities of panels are not accurate
/// closer than a panel is large.
class Clearance {
 public:
  Clearance(const Panels& body, const LiftingEdges& lift) : body_(body), lift_(lift) {
    if (lift.lines.empty()) return;
    // The same reach for all panels, so that the closest one is found, whose normal distinguishes
    // inside from outside.
    const double reach =
        2.0 * panel_size(*std::max_element(body.radius.begin(), body.radius.end()));
    search_.emplace(body, std::vector<double>(body.size(), reach));
  }

  /// Moves points of lines, given by the nodes of the lines, away from the closest point of a body:
  /// to the distance of a panel size, or to the distance at which a line starts from a line on a
  /// body, if that is smaller.
  void keep_off(std::span<const std::int32_t> nodes, std::vector<Vec3d>& points) const {
    if (!search_) return;
    const std::vector<ClosestPoint> closest = search_->of(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ClosestPoint& wall = closest[i];
      if (wall.panel < 0) continue;
      const Vec3d& start = lift_.wakes.at(nodes[i]).points.front();
      // Near its start a line may be closer, by the distance from the edge: a quarter of it, for
      // edges swept by up to 75 degrees.
      double least = std::min(std::sqrt(body_.area[static_cast<std::size_t>(wall.panel)]),
                              0.25 * dot(points[i] - start, lift_.direction));
      for (const auto& [node, on_body] : lift_.lines)
        least = std::min(least, norm(start - on_body.front()));
      if (!wall.outside || wall.distance < least)
        points[i] = wall.nearest + std::max(least, 0.0) * wall.direction;
    }
  }

 private:
  const Panels& body_;
  const LiftingEdges& lift_;
  std::optional<ClosestPoints> search_;  ///< none: no wake continues along a body
};

/// Places the lines that start within a panel size of a line on a body, where velocities of panels
/// are not accurate. At its start such a line is above the line on the body, at the distance of its
/// start. Along the body its position changes to an interpolation, by distance, between the line on
/// the body and the next free line; behind the body this interpolation continues.
void place_beside_bodies(const Panels& body, const LiftingEdges& lift, const Clearance& clearance,
                         WakeLines& lines) {
  for (const auto& [first, on_body] : lift.lines) {
    const SurfaceAtLine surface = surface_at(body, on_body);
    const std::vector<std::int32_t> beside = nodes_beside(lift, first, surface.size);
    const WakeLine &inner = lines.at(first), &outer = lines.at(beside.back());
    const double end = inner.stations[on_body.size() - 1],
                 width = norm(outer.points.front() - on_body.front());
    for (std::size_t i = 1; i + 1 < beside.size(); ++i) {
      WakeLine& line = lines.at(beside[i]);
      const Vec3d offset = line.points.front() - on_body.front();
      const double height = dot(offset, surface.normals.front());
      const Vec3d aside = offset - height * surface.normals.front();
      std::vector<Vec3d> points(line.points.begin() + 1, line.points.end());
      for (std::size_t k = 0; k < points.size(); ++k) {
        const double s = line.stations[k + 1], along = std::min(1.0, s / end);
        const Vec3d& normal = surface.normals[std::min(k + 1, on_body.size() - 1)];
        points[k] = inner.at(s) + (1.0 - along) * (height * normal + aside) +
                    along * norm(offset) / width * (outer.at(s) - inner.at(s));
      }
      clearance.keep_off(std::vector<std::int32_t>(points.size(), beside[i]), points);
      std::copy(points.begin(), points.end(), line.points.begin() + 1);
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
  const std::vector<LinePiece> pieces = line_pieces(lift);
  std::vector<std::vector<const LinePiece*>> rows;
  for (const LinePiece& piece : pieces) {
    if (piece.row + 1 >= lift.wakes.at(piece.node).points.size()) continue;
    rows.resize(std::max(rows.size(), piece.row + 1));
    rows[piece.row].push_back(&piece);
  }
  const Clearance clearance(problem.panels, lift);
  WakeLines moved = lift.wakes;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::vector<std::int32_t> nodes;
    std::vector<Vec3d> points;
    for (const LinePiece* const piece : rows[row]) {
      const WakeLine& line = moved.at(piece->node);
      const Vec3d from = line.points[row];
      Vec3d u{};
      for (const PanelBeside& each : piece->beside)
        u += each.weight * velocity[each.panel - sources.boundary];
      for (const meshes::SymmetryPlane& plane : problem.panels.symmetry.planes()) {
        if (plane.holds(from)) u[plane.axis] = 0.0;
      }
      const double step = line.stations[row + 1] - line.stations[row];
      const Vec3d across = u - dot(u, lift.direction) * lift.direction;
      nodes.push_back(piece->node);
      points.push_back(
          from + step * (lift.direction + across / std::max(dot(u, lift.direction), slowest)));
    }
    clearance.keep_off(nodes, points);
    for (std::size_t i = 0; i < nodes.size(); ++i) moved.at(nodes[i]).points[row + 1] = points[i];
  }
  place_beside_bodies(problem.panels, lift, clearance, moved);
  return moved;
}

}  // namespace

Solution solve_with_relaxed_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report,
                                  std::optional<double> pressure_depth) {
  constexpr int most_sweeps = 10;
  const auto move_to = [&](WakeLines lines) {
    problem.lift =
        std::make_shared<LiftingEdges>(with_wakes(problem.panels, *problem.lift, std::move(lines)));
  };
  move_to(free_lines(problem));
  FlowOptions mine = options;
  const auto solve_now = [&] {
    return pressure_depth ? solve_with_equal_pressures(problem, *pressure_depth, mine, backend)
                          : solve(problem, mine, backend);
  };
  Solution solution = solve_now();
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
    solution = solve_now();
  }
  return solution;
}

}  // namespace rankine::bem
