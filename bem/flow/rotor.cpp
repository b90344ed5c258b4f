#include "rankine/bem/flow/rotor.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/flow/wake_loads.hpp"

namespace rankine::bem {
namespace {

/// Cylindrical coordinates about the axis of a rotor, and their unit vectors at a point.
struct Cylinder {
  Vec3d downstream, axis, tangent;  ///< the axis is that of the rotation; the tangent points in the
                                    ///< direction of rotation
  double radius;

  Cylinder(const RelativeStream& stream, const Vec3d& x)
      : downstream(stream.velocity / norm(stream.velocity)),
        axis(stream.frame.angular_velocity / norm(stream.frame.angular_velocity)),
        tangent(cross(axis, x - stream.frame.centre)),
        radius(norm(tangent)) {
    tangent = tangent / radius;
  }
};

/// The velocity at the segments of the edge: the stream plus half of the velocity that the wake
/// induces far downstream.
std::vector<Vec3d> velocity_at_blades(const FlowProblem& problem, const Solution& solution,
                                      const FieldOptions& options, Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const RelativeStream stream = relative_stream(problem);
  const std::size_t first = lift.sources.boundary, end = lift.sources.panels.size();
  const auto downstream = [&](std::size_t panel) {
    const auto s = static_cast<std::size_t>(lift.sources.of_sheet[panel - first]);
    return dot(lift.sources.panels.centroid[panel] - lift.sources.point[s], lift.direction);
  };
  const double half = 0.5 * downstream(end - 1);
  std::vector<std::size_t> middle(lift.segments.size(), end);
  for (std::size_t j = first; j < end; ++j) {
    std::size_t& of = middle[static_cast<std::size_t>(lift.sources.of_sheet[j - first])];
    if (of == end || std::abs(downstream(j) - half) < std::abs(downstream(of) - half)) of = j;
  }
  const WakeFlow flow = wake_flow(problem, solution, std::move(middle), options, backend);
  std::vector<Vec3d> velocity;
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    const Vec3d &x = lift.sources.point[s], &far = flow.points[s],
                w = flow.velocity[s] - stream.at(far);
    const Cylinder here(stream, x), there(stream, far);
    velocity.push_back(stream.at(x) + 0.5 * (dot(w, there.downstream) * here.downstream +
                                             dot(w, there.tangent) * here.tangent));
  }
  return velocity;
}

/// The mean pitch of these velocities, weighted by circulation, relative to that of the stream.
double pitch_of_flow(const FlowProblem& problem, const Solution& solution,
                     const FlowOptions& options, Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const RelativeStream stream = relative_stream(problem);
  const std::vector<Vec3d> velocity =
      velocity_at_blades(problem, solution, {.fmm = options.fmm, .quadrature = {}}, backend);
  double sum = 0.0, weights = 0.0;
  for (std::size_t s = 0; s < velocity.size(); ++s) {
    const auto [left, right] = lift.sides(s);
    const double weight = std::abs(solution.sheets[s]) * norm(lift.wakes.at(right).points.front() -
                                                              lift.wakes.at(left).points.front());
    const Cylinder at(stream, lift.sources.point[s]);
    sum += weight * dot(velocity[s], at.downstream) * norm(stream.frame.angular_velocity) *
           at.radius / (-dot(velocity[s], at.tangent) * norm(stream.velocity));
    weights += weight;
  }
  return weights > 0.0 ? sum / weights : 1.0;
}

}  // namespace

RotorLoads rotor_loads(const FlowProblem& problem, const Vec3d& force, const Vec3d& moment) {
  const RelativeStream stream = relative_stream(problem);
  const int blades = problem.panels.symmetry.images();  // components along the axis are equal
  return {
      -blades * dot(force, stream.velocity) / norm(stream.velocity),
      -blades * dot(moment, stream.frame.angular_velocity) / norm(stream.frame.angular_velocity)};
}

RotorLoads far_rotor_loads(const FlowProblem& problem, const Solution& solution,
                           const FieldOptions& options, Backend& backend) {
  const LiftingEdges& lift = *problem.lift;
  const std::vector<Vec3d> velocity = velocity_at_blades(problem, solution, options, backend);
  const Vec3d centre = relative_stream(problem).frame.centre;
  Vec3d force{}, moment{};
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    const auto [left, right] = lift.sides(s);
    const Vec3d along = lift.wakes.at(right).points.front() - lift.wakes.at(left).points.front(),
                part = problem.density * solution.sheets[s] * cross(velocity[s], along);
    force += part;
    moment += cross(lift.sources.point[s] - centre, part);
  }
  return rotor_loads(problem, force, moment);
}

Solution solve_with_helical_wakes(FlowProblem& problem, const FlowOptions& options,
                                  Backend& backend,
                                  const std::function<void(const WakeSweep&)>& report) {
  constexpr int most_sweeps = 10;
  FlowOptions mine = options;
  Solution solution = solve(problem, mine, backend);
  for (int sweep = 1; sweep <= most_sweeps && solution.complete() && solution.converged();
       ++sweep) {
    WakeLines lines = problem.lift->wakes;
    const double before = norm(lines.begin()->second.course.velocity),
                 pitch = std::clamp(pitch_of_flow(problem, solution, options, backend),
                                    0.5 * before, 2.0 * before),
                 change = std::abs(pitch - before) / before;
    report({sweep, change, solution.gmres});
    if (change < relaxed_wake_tolerance) break;
    for (auto& [node, line] : lines) line.course.velocity = pitch * problem.lift->direction;
    problem.lift =
        std::make_shared<LiftingEdges>(with_wakes(problem.panels, *problem.lift, std::move(lines)));
    mine.initial_guess = solution.unknown;
    solution = solve(problem, mine, backend);
  }
  return solution;
}

}  // namespace rankine::bem
