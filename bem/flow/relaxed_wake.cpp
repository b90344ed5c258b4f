#include "rankine/bem/flow/relaxed_wake.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rankine/bem/flow/wake_loads.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

/// Straight lines, with points at which they may bend in the part that follows the flow.
WakeLines free_lines(const FlowProblem& problem) {
  constexpr double length = 1.0, most = 1.0 / 12.0;  // extents
  const LiftingEdges& lift = *problem.lift;
  double width = 0.0;
  for (const EdgeSegment& edge : lift.segments) {
    width +=
        norm(lift.wakes.at(edge.second).points.front() - lift.wakes.at(edge.first).points.front()) /
        static_cast<double>(lift.segments.size());
  }
  WakeLines lines = lift.wakes;
  for (auto& [node, line] : lines) {
    for (const double s : wake_stations(0.25 * width, length * lift.extent, most * lift.extent)) {
      line.points.push_back(line.points.front() + s * lift.direction);
      line.stations.push_back(s);
    }
  }
  return lines;
}

struct Moved {
  WakeLines lines;
  double displacement;  ///< extents
};

Moved moved_lines(const FlowProblem& problem, const Solution& solution, const FieldOptions& options,
                  Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const SourceSet& sources = lift.sources;
  const WakeFlow flow = wake_flow(problem, solution, options, backend);
  std::vector<Vec3d> velocity(sources.of_sheet.size(), problem.stream);
  for (std::size_t k = 0; k < flow.panels.size(); ++k)
    velocity[flow.panels[k] - sources.boundary] = flow.velocity[k];
  // The strips on both sides of every line, in the order of their panels.
  struct Strip {
    std::size_t sheet, first;  ///< panel
    std::size_t side;
  };
  std::map<std::int32_t, std::vector<Strip>> beside;
  for (std::size_t j = 0; j < sources.of_sheet.size(); ++j) {
    if (j > 0 && sources.of_sheet[j] == sources.of_sheet[j - 1]) continue;
    const auto s = static_cast<std::size_t>(sources.of_sheet[j]);
    const auto nodes = lift.sides(s);
    for (std::size_t side = 0; side < 2; ++side) beside[nodes[side]].push_back({s, j, side});
  }
  const double slowest = 0.5 * norm(problem.stream);
  Moved moved{lift.wakes, 0.0};
  double weights = 0.0;
  for (auto& [node, line] : moved.lines) {
    const std::vector<Strip>& strips = beside.at(node);
    const Vec3d start = line.points.front();
    double vortex = 0.0;
    for (const Strip& strip : strips)
      vortex += (strip.side == 0 ? -1.0 : 1.0) * solution.sheets[strip.sheet];
    Vec3d carried = start;
    for (std::size_t k = 0; k + 1 < line.points.size(); ++k) {
      // Linear interpolation between the points of strips.
      Vec3d u{};
      double sum = 0.0;
      for (const Strip& strip : strips) {
        const WakeSides sides(sources.panels, sources.boundary + strip.first + k);
        const double share = lift.share(strip.sheet),
                     width = norm(sides.from[1] - sides.from[0] + sides.to[1] - sides.to[0]),
                     weight = 1.0 / ((strip.side == 0 ? share : 1.0 - share) * width);
        u += weight * velocity[strip.first + k];
        sum += weight;
      }
      u = u / sum;
      for (const meshes::SymmetryPlane& plane : problem.panels.symmetry.planes()) {
        if (plane.holds(start)) u[plane.axis] = 0.0;
      }
      const double step = line.stations[k + 1] - line.stations[k];
      const Vec3d across = u - dot(u, lift.direction) * lift.direction;
      carried += step * (lift.direction + across / std::max(dot(u, lift.direction), slowest));
      const double distance = norm(carried - line.points[k + 1]);
      moved.displacement += std::abs(vortex) * step * distance / lift.extent;
      weights += std::abs(vortex) * step;
      line.points[k + 1] = carried;
    }
  }
  if (weights > 0.0) moved.displacement /= weights;
  return moved;
}

}  // namespace

Solution solve_with_relaxed_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report) {
  if (!problem.lift->lines.empty()) {
    throw InputError(
        "a wake goes on along a body, and only wakes that leave bodies at their edges can follow "
        "the flow; leave out lift.wake = \"relaxed\"");
  }
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
    Moved moved = moved_lines(problem, solution, {.fmm = options.fmm, .quadrature = {}}, backend);
    report({sweep, moved.displacement, solution.gmres});
    if (moved.displacement < relaxed_wake_tolerance) break;
    move_to(std::move(moved.lines));
    mine.initial_guess = solution.unknown;
    solution = solve(problem, mine, backend);
  }
  return solution;
}

}  // namespace rankine::bem
