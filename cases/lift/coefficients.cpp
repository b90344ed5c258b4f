#include "cases/lift/coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cases/lift/viscous_drag.hpp"
#include "cases/lift/wakes.hpp"
#include "rankine/bem/flow/wake_loads.hpp"
#include "rankine/bem/lift/lift_loads.hpp"

namespace rankine::cases {
namespace {

/// Wind axes, unit vectors.
struct WindAxes {
  Vec3d drag, side, lift;

  explicit WindAxes(const Vec3d& stream) : drag(stream / norm(stream)) {
    const Vec3d z{0, 0, 1}, y{0, 1, 0};
    const Vec3d up = z - dot(z, drag) * drag;
    // In a stream along z the lift is along x.
    lift = norm(up) > 1e-6 ? up / norm(up) : cross(drag, y) / norm(cross(drag, y));
    side = cross(lift, drag);
  }
};

/// The induced drag comes from the circulation alone, and is quadratic in it.
void estimate_errors(LiftResults& lift, double wake_load) {
  const double of_circulation =
      std::abs(lift.edge_error) + lift.span_error * std::abs(lift.lift_far);
  lift.lift_error = std::max(std::abs(lift.lift + wake_load - lift.lift_far), of_circulation);
  const double scale = std::max(std::abs(lift.lift), std::abs(lift.lift_far));
  lift.induced_drag_error = std::abs(lift.rough_drag);
  if (scale > 0.0)
    lift.induced_drag_error += 2.0 * std::abs(lift.induced_drag) * of_circulation / scale;
}

std::map<std::int32_t, std::vector<std::size_t>> segments_at_nodes(const bem::LiftingEdges& lift) {
  std::map<std::int32_t, std::vector<std::size_t>> at_node;
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    for (const std::int32_t node : {lift.segments[s].first, lift.segments[s].second})
      at_node[node].push_back(s);
  }
  return at_node;
}

/// Differences of values on segments from a line through those of their neighbours, as for
/// `roughness`. Beside a symmetry plane the image is a neighbour.
std::vector<double> deviations(const bem::LiftingEdges& lift, std::span<const double> m,
                               bool to_tips) {
  auto at_node = segments_at_nodes(lift);
  const meshes::Symmetry& symmetry = lift.sources.panels.symmetry;
  std::vector<double> found(m.size(), 0.0);
  for (std::size_t s = 0; s < lift.segments.size(); ++s) {
    double beside = 0.0;
    int count = 0;
    for (const std::int32_t node : {lift.segments[s].first, lift.segments[s].second}) {
      for (const std::size_t other : at_node[node]) {
        if (other == s) continue;
        beside += m[other];
        ++count;
      }
      if (at_node[node].size() > 1 || lift.lines.contains(node)) continue;
      const int planes = symmetry.planes_at(lift.wakes.at(node).points.front());
      if (planes == 0 && !to_tips) continue;
      beside += planes == 0 ? -m[s] : symmetry.sign(planes) * m[s];
      ++count;
    }
    if (count == 2) found[s] = m[s] - 0.5 * beside;
  }
  return found;
}

/// The deviations of the circulation from a smooth one, which at tips is proportional to the square
/// root of the distance.
std::vector<double> rough_part(const bem::LiftingEdges& lift, std::span<const double> m) {
  std::vector<double> found = deviations(lift, m, false);
  const auto at_node = segments_at_nodes(lift);
  for (const auto& [node, segments] : at_node) {
    const Vec3d tip = lift.wakes.at(node).points.front();
    const bool in_fluid = segments.size() == 1 && !lift.lines.contains(node) &&
                          lift.sources.panels.symmetry.planes_at(tip) == 0;
    if (!in_fluid) continue;
    const std::size_t s = segments.front();
    const bem::EdgeSegment& edge = lift.segments[s];
    for (const std::size_t next : at_node.at(edge.first == node ? edge.second : edge.first)) {
      if (next == s) continue;
      const auto& points = lift.sources.point;
      found[s] = m[s] - m[next] * std::sqrt(norm(points[s] - tip) / norm(points[next] - tip));
    }
  }
  return found;
}

double sum_of_sizes(std::span<const double> values) {
  double sum = 0.0;
  for (const double each : values) sum += std::abs(each);
  return sum;
}

/// Relative error of the sum over strips, weighted by their widths: that of a midpoint rule, h^2
/// m''/24, and the deviation from a cubic through two neighbours on either side, h^4 m''''/6.
/// deviations() gives h^2 m''/2; applied twice it gives h^4 m''''/4.
double span_error(const bem::LiftingEdges& lift, std::span<const double> m) {
  const std::vector<double> first = deviations(lift, m, false),
                            second = deviations(lift, first, false);
  double sum = 0.0, total = 0.0;
  for (std::size_t s = 0; s < m.size(); ++s) {
    const auto [left, right] = lift.sides(s);
    const double width =
        norm(lift.wakes.at(right).points.front() - lift.wakes.at(left).points.front());
    sum += width * (std::abs(first[s]) / 12.0 + std::abs(second[s]) / 1.5);
    total += width * std::abs(m[s]);
  }
  return total > 0.0 ? sum / total : 0.0;
}

/// The coefficients of a circulation.
LiftCoefficients far_coefficients(const LiftReference& reference, const bem::FlowProblem& problem,
                                  std::span<const double> circulation) {
  const bem::TrefftzLoads far = bem::trefftz_loads(problem.panels, *problem.lift, circulation,
                                                   problem.stream, problem.density);
  LiftLoads loads{};
  loads.far_force = of_whole(problem, far.force, false);
  loads.induced_drag = parts_of(problem) * far.induced_drag;
  return coefficients(reference, problem.stream, problem.density, loads);
}

}  // namespace

double roughness(const bem::LiftingEdges& lift, std::span<const double> m, bool to_tips) {
  const double total = sum_of_sizes(m);
  return total > 0.0 ? sum_of_sizes(deviations(lift, m, to_tips)) / total : 0.0;
}

double parts_of(const bem::FlowProblem& problem) {
  const auto planes = problem.panels.symmetry.planes();
  const bool halved = std::any_of(
      planes.begin(), planes.end(),
      [](const meshes::SymmetryPlane& plane) { return plane.axis == 1 && plane.sign > 0.0; });
  return halved ? 2.0 : 1.0;
}

LiftReference reference_of(const Case& flow_case, const bem::FlowProblem& problem) {
  const ReferenceInput& given = flow_case.lift.reference;
  const bem::Panels& panels = problem.panels;
  const double parts = parts_of(problem);
  double area = 0.0, least = 0.0, most = 0.0;
  for (std::size_t e = 0; e < panels.size(); ++e)
    area += 0.5 * parts * std::abs(panels.vector_area[e].z);
  bool first = true;
  for (const bem::EdgeSegment& edge : problem.lift->segments) {
    for (const std::int32_t node : {edge.first, edge.second}) {
      const double y = bem::corner_at(panels, edge.upper, node).y;
      least = first ? y : std::min(least, y);
      most = first ? y : std::max(most, y);
      first = false;
    }
  }
  LiftReference reference{};
  reference.area = given.area.value_or(area);
  reference.span = given.span.value_or(parts * (most - least));
  reference.chord = given.chord.value_or(reference.area / reference.span);
  reference.centre = given.centre.value_or(flow_case.problem.moment_centre);
  return reference;
}

Vec3d of_whole(const bem::FlowProblem& problem, Vec3d force, bool is_moment) {
  if (parts_of(problem) == 1.0) return force;
  for (int axis = 0; axis < 3; ++axis) force[axis] *= (axis == 1) == is_moment ? 2.0 : 0.0;
  return force;
}

LiftCoefficients coefficients(const LiftReference& reference, const Vec3d& stream, double density,
                              const LiftLoads& loads) {
  const WindAxes wind(stream);
  const auto& [area, span, chord, centre] = reference;
  const double per_force = 1.0 / (0.5 * density * dot(stream, stream) * area);
  LiftCoefficients found{};
  found.lift = per_force * dot(loads.force, wind.lift);
  found.side = per_force * dot(loads.force, wind.side);
  found.drag = per_force * dot(loads.force, wind.drag);
  found.roll = -per_force * loads.moment.x / span;
  found.pitch = per_force * loads.moment.y / chord;
  found.yaw = -per_force * loads.moment.z / span;
  found.lift_far = per_force * dot(loads.far_force, wind.lift);
  found.induced_drag = per_force * loads.induced_drag;
  return found;
}

LiftResults find_lift(const Case& flow_case, const bem::FlowProblem& problem,
                      const bem::Solution& solution, const Vec3d& force, const Vec3d& moment) {
  LiftResults results{};
  results.reference = reference_of(flow_case, problem);
  const Vec3d arm = flow_case.problem.moment_centre - results.reference.centre;
  const bem::TrefftzLoads far = bem::trefftz_loads(problem.panels, *problem.lift, solution.sheets,
                                                   problem.stream, problem.density);
  static_cast<LiftCoefficients&>(results) = coefficients(
      results.reference, problem.stream, problem.density,
      {of_whole(problem, force, false), of_whole(problem, moment + cross(arm, force), true),
       of_whole(problem, far.force, false), parts_of(problem) * far.induced_drag});
  results.span_error = span_error(*problem.lift, solution.sheets);
  if (!solution.circulation_error.empty()) {  // empty: the solve was stopped
    results.edge_error =
        far_coefficients(results.reference, problem, solution.circulation_error).lift_far;
  }
  results.rough_drag =
      far_coefficients(results.reference, problem, rough_part(*problem.lift, solution.sheets))
          .induced_drag;
  estimate_errors(results, 0.0);
  if (!flow_case.lift.polars.empty()) {
    ViscousDrag drag = find_viscous_drag(flow_case.lift.polars, problem, solution);
    results.viscous_drag = parts_of(problem) * drag.area / results.reference.area;
    results.section_drag = std::move(drag.section);
    results.outside_polars = drag.outside;
  }
  results.edges = count_edges(problem.lift->segments);
  results.stations = problem.lift->segments.size();
  return results;
}

std::optional<std::string> warning_of_wakes(const LiftResults& lift) {
  if (lift.wake_in_body) {
    const Vec3d& x = *lift.wake_in_body;
    return fmt::format(
        "a wake passes through a body near ({:.4g}, {:.4g}, {:.4g}) m: lift and induced drag are "
        "wrong; turn the wakes (lift.direction), or leave the body out",
        x.x, x.y, x.z);
  }
  constexpr double most = 0.05;
  if (!(std::abs(lift.wake_load) > most * std::max(std::abs(lift.lift), std::abs(lift.lift_far))))
    return std::nullopt;
  return fmt::format(
      "wakes are found to carry {:.4f} of CL, which is not small: they are far from where the flow "
      "would take them, or so close to a body that velocities there are wrong; CL may err by as "
      "much",
      lift.wake_load);
}

std::optional<std::string> warning_of_polars(const LiftResults& lift) {
  if (lift.outside_polars == 0) return std::nullopt;
  return fmt::format(
      "{} of {} strips have lift coefficients beyond those of lift.polars, and have the drag at "
      "the "
      "end of the table; CD_viscous may be too small",
      lift.outside_polars, lift.stations);
}

WakeForces find_wake_forces(const bem::FlowProblem& problem, const bem::Solution& solution,
                            const bem::FieldOptions& options, bem::Backend& backend,
                            const bem::GoethertRule* rule) {
  const bem::WakeLoad found = bem::wake_load(problem, solution, options, backend);
  WakeForces forces{
      .on_wake = found.force, .of_images = {}, .on_lines = {}, .in_body = found.in_body};
  for (const meshes::SymmetryPlane& plane : bem::planes_beside(problem.panels.symmetry)) {
    const bem::ImageLoad load = bem::image_load(problem, solution, plane, options, backend);
    forces.on_wake -= load.on_straight;
    forces.of_images += load.on_body;
    forces.on_lines += load.on_lines;
  }
  if (!rule) return forces;
  for (Vec3d* const force : {&forces.on_wake, &forces.of_images, &forces.on_lines})
    *force = rule->force(*force);
  if (forces.in_body) forces.in_body = rule->restored(*forces.in_body);
  return forces;
}

void add_wake_loads(const bem::FlowProblem& problem, const bem::Solution& solution,
                    const WakeForces& forces, LiftResults& lift) {
  const double head = 0.5 * problem.density * dot(problem.stream, problem.stream);
  const auto lift_of = [&](const Vec3d& force) {
    return dot(of_whole(problem, force, false), WindAxes(problem.stream).lift) /
           (head * lift.reference.area);
  };
  lift.wake_in_body = forces.in_body;
  // An image above or below exerts forces on body and wake that do not appear in the Trefftz plane.
  // The force on a straight wake grows with its length. A relaxed wake carries no force: its
  // vortices move apart, so that in the Trefftz plane the lift is larger by this force.
  lift.wake_load = lift_of(forces.on_wake);
  lift.lift_far += lift_of(forces.on_lines);
  estimate_errors(lift, lift.wake_load - lift_of(forces.of_images));
  constexpr double depth = 0.01, inner = 0.95;  // fractions of the chord and of the half span
  const std::vector<double> jumps =
      bem::pressure_jumps(problem, solution, depth * lift.reference.chord);
  const std::vector<Vec3d>& places = problem.lift->sources.point;
  double least = places.front().y, most = least;
  for (const Vec3d& x : places) {
    least = std::min(least, x.y);
    most = std::max(most, x.y);
  }
  double middle = 0.5 * (least + most);
  if (parts_of(problem) == 2.0) {  // the span includes the image
    for (const meshes::SymmetryPlane& plane : problem.panels.symmetry.planes()) {
      if (plane.axis == 1) middle = plane.place;
    }
  }
  const double half_span = std::max(most - middle, middle - least);
  for (std::size_t s = 0; s < jumps.size(); ++s) {
    if (std::abs(places[s].y - middle) > inner * half_span) continue;
    lift.kutta_pressure = std::max(lift.kutta_pressure, std::abs(jumps[s]) / head);
  }
}

Json to_json(const LiftReference& reference) {
  return {{"area", reference.area},
          {"span", reference.span},
          {"chord", reference.chord},
          {"centre", to_array(reference.centre)}};
}

LiftReference reference_from(const Json& json) {
  const Json& centre = json.at("centre");
  return {json.at("area"),
          json.at("span"),
          json.at("chord"),
          {centre.at(0), centre.at(1), centre.at(2)}};
}

std::vector<Result> describe(const LiftResults& lift) {
  const LiftReference& by = lift.reference;
  Json json = Json::object();
  for (const auto& [name, value] : coefficient_names) json[name] = lift.*value;
  json["wake_load"] = lift.wake_load;
  json["kutta_dCp"] = lift.kutta_pressure;
  if (lift.viscous_drag) json["CD_viscous"] = *lift.viscous_drag;
  json["edges"] = lift.edges;
  json["stations"] = lift.stations;
  if (lift.strip) json["strip"] = {{"panels", lift.strip->cut}, {"depth", lift.strip->depth}};
  json["reference"] = to_json(by);
  return {
      {.key = "lift",
       .value = json,
       .name = "lift",
       .text = fmt::format(
           "CL {:.4f} (Trefftz plane {:.4f}), induced CD {:.5f}, CY {:.4f}{}", lift.lift,
           lift.lift_far, lift.induced_drag, lift.side,
           lift.viscous_drag ? fmt::format(", viscous CD {:.5f}", *lift.viscous_drag) : "")},
      {.text =
           fmt::format("the wake carries {:.4f} of CL; Cp of the two sides differs by up to {:.3f} "
                       "at 1 % of the chord from the edge",
                       lift.wake_load, lift.kutta_pressure)},
      {.text = fmt::format("Cl {:.4f}, Cm {:.4f}, Cn {:.4f} about ({:.4g}, {:.4g}, {:.4g}) m",
                           lift.roll, lift.pitch, lift.yaw, by.centre.x, by.centre.y, by.centre.z)},
      {.text = fmt::format("area {:.5g} m^2, span {:.5g} m, chord {:.5g} m", by.area, by.span,
                           by.chord)}};
}

}  // namespace rankine::cases
