#include "cases/solve/case_lift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

#include "rankine/bem/lift/lift_loads.hpp"

namespace rankine::cases {
namespace {

/// Axes of the wind, unit vectors.
struct WindAxes {
  Vec3d drag, side, lift;

  explicit WindAxes(const Vec3d& stream) : drag(stream / norm(stream)) {
    const Vec3d z{0, 0, 1}, y{0, 1, 0};
    const Vec3d up = z - dot(z, drag) * drag;
    // A stream along z has its lift along x.
    lift = norm(up) > 1e-6 ? up / norm(up) : cross(drag, y) / norm(cross(drag, y));
    side = cross(lift, drag);
  }
};

/// Whether a symmetry plane halves the wing.
bool halves(const meshes::SymmetryPlane& plane) { return plane.axis == 1 && plane.sign > 0.0; }

bool is_half(const bem::FlowProblem& problem) {
  const auto planes = problem.panels.symmetry.planes();
  return std::any_of(planes.begin(), planes.end(), halves);
}

/// From the force on the modelled part, or a moment about a point on the plane, to that of the
/// whole.
Vec3d of_whole(const bem::FlowProblem& problem, Vec3d force, bool is_moment) {
  if (!is_half(problem)) return force;
  for (int axis = 0; axis < 3; ++axis) force[axis] *= (axis == 1) == is_moment ? 2.0 : 0.0;
  return force;
}

Vec3d middle_of(const bem::FlowProblem& problem, const bem::EdgeSegment& edge) {
  return 0.5 * (bem::corner_at(problem.panels, edge.upper, edge.first) +
                bem::corner_at(problem.panels, edge.upper, edge.second));
}

LiftReference reference_of(const Case& flow_case, const bem::FlowProblem& problem) {
  const ReferenceInput& given = flow_case.lift.reference;
  const bem::Panels& panels = problem.panels;
  const double parts = is_half(problem) ? 2.0 : 1.0;
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

/// Edges that share no node with each other.
int count_edges(const std::vector<bem::EdgeSegment>& segments) {
  std::map<std::int32_t, std::int32_t> parent;
  const auto root = [&](std::int32_t node) {
    parent.try_emplace(node, node);
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  int count = 0;
  for (const bem::EdgeSegment& edge : segments) parent[root(edge.first)] = root(edge.second);
  for (const auto& [node, above] : parent) count += node == above ? 1 : 0;
  return count;
}

/// Mean of the differences of the circulation from a line through its neighbours on the edge,
/// relative to its mean: what is rough is error.
double roughness(const std::vector<bem::EdgeSegment>& segments, std::span<const double> m) {
  std::map<std::int32_t, std::vector<std::size_t>> at_node;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    at_node[segments[s].first].push_back(s);
    at_node[segments[s].second].push_back(s);
  }
  double sum = 0.0, total = 0.0;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    total += std::abs(m[s]);
    double beside = 0.0;
    int count = 0;
    for (const std::int32_t node : {segments[s].first, segments[s].second}) {
      for (const std::size_t other : at_node[node]) {
        if (other == s) continue;
        beside += m[other];
        ++count;
      }
    }
    if (count == 2) sum += std::abs(m[s] - 0.5 * beside);
  }
  return total > 0.0 ? sum / total : 0.0;
}

/// A place where the edge turns and its panels are long, and how long they are against their depth.
struct LongPanels {
  double ratio = 0.0;
  Vec3d place{};
};

LongPanels longest_at_bends(const bem::Panels& panels,
                            const std::vector<bem::EdgeSegment>& segments) {
  constexpr double straight = 0.98;  // cosine of 11 degrees
  std::map<std::int32_t, std::vector<Vec3d>> directions;
  const auto along = [&](const bem::EdgeSegment& edge) {
    return bem::corner_at(panels, edge.upper, edge.second) -
           bem::corner_at(panels, edge.upper, edge.first);
  };
  for (const bem::EdgeSegment& edge : segments) {
    const Vec3d direction = along(edge) / norm(along(edge));
    for (const std::int32_t node : {edge.first, edge.second}) {
      const Vec3d x = bem::corner_at(panels, edge.upper, node);
      for (int image = 0; image < panels.symmetry.images(); ++image) {
        if (panels.symmetry.point(image, x) == x)
          directions[node].push_back(panels.symmetry.vector(image, direction));
      }
    }
  }
  LongPanels longest;
  for (const bem::EdgeSegment& edge : segments) {
    const Vec3d direction = along(edge) / norm(along(edge));
    for (const std::int32_t node : {edge.first, edge.second}) {
      const Vec3d x = bem::corner_at(panels, edge.upper, node);
      const std::vector<Vec3d>& all = directions.at(node);
      const bool bends = std::any_of(all.begin(), all.end(), [&](const Vec3d& each) {
        return std::abs(dot(each, direction)) < straight;
      });
      const Vec3d r = panels.centroid[static_cast<std::size_t>(edge.upper)] - x;
      const double depth = 2.0 * norm(r - dot(r, direction) * direction),
                   ratio = norm(along(edge)) / depth;
      if (bends && ratio > longest.ratio) longest = {ratio, x};
    }
  }
  return longest;
}

}  // namespace

std::shared_ptr<const bem::LiftingEdges> find_wakes(const Case& flow_case,
                                                    const bem::FlowProblem& problem, Log& log) {
  if (!flow_case.lift.has_wakes()) return nullptr;
  const bool along_body = flow_case.lift.direction == WakeDirection::body;
  auto edges = std::make_shared<bem::LiftingEdges>(bem::lifting_edges(
      problem.panels, problem.stream, along_body ? Vec3d{1, 0, 0} : problem.stream));
  double length = 0.0, sharpest = edges->segments.front().angle, bluntest = sharpest;
  for (const bem::EdgeSegment& edge : edges->segments) {
    length += norm(bem::corner_at(problem.panels, edge.upper, edge.second) -
                   bem::corner_at(problem.panels, edge.upper, edge.first));
    sharpest = std::min(sharpest, edge.angle);
    bluntest = std::max(bluntest, edge.angle);
  }
  constexpr double degrees = 180.0 / std::numbers::pi;
  log.fact("wakes",
           fmt::format("from {} trailing edge{}, {} segments, {:.4g} m, {:.1f} to {:.1f} "
                       "degrees sharp",
                       count_edges(edges->segments), count_edges(edges->segments) == 1 ? "" : "s",
                       edges->segments.size(), length, degrees * sharpest, degrees * bluntest));
  constexpr double too_long = 50.0;
  const LongPanels longest = longest_at_bends(problem.panels, edges->segments);
  if (edges->sources.linear && longest.ratio > too_long) {
    log.warning(fmt::format(
        "panels where the trailing edge turns, near ({:.4g}, {:.4g}, {:.4g}) m, are {:.0f} times "
        "longer than deep, and unequal on its two sides: the lift may err by tens of per cent, "
        "which its estimate does not contain; use panels that are equally deep, or at most {:.0f} "
        "times longer than deep there",
        longest.place.x, longest.place.y, longest.place.z, longest.ratio, too_long));
  }
  return edges;
}

LiftResults find_lift(const Case& flow_case, const bem::FlowProblem& problem,
                      const bem::Solution& solution, const Vec3d& force, const Vec3d& moment) {
  const Vec3d& stream = problem.stream;
  const WindAxes wind(stream);
  LiftResults results{};
  results.reference = reference_of(flow_case, problem);
  const auto& [area, span, chord, centre] = results.reference;
  const double per_force = 1.0 / (0.5 * problem.density * dot(stream, stream) * area);
  const Vec3d whole = of_whole(problem, force, false);
  const Vec3d arm = flow_case.problem.moment_centre - centre;
  const Vec3d turning = of_whole(problem, moment + cross(arm, force), true);
  const bem::TrefftzLoads far =
      bem::trefftz_loads(problem.panels, *problem.lift, solution.sheets, stream, problem.density);
  const double parts = is_half(problem) ? 2.0 : 1.0;
  results.lift = per_force * dot(whole, wind.lift);
  results.side = per_force * dot(whole, wind.side);
  results.drag = per_force * dot(whole, wind.drag);
  results.roll = -per_force * turning.x / span;
  results.pitch = per_force * turning.y / chord;
  results.yaw = -per_force * turning.z / span;
  results.lift_far = per_force * dot(of_whole(problem, far.force, false), wind.lift);
  results.induced_drag = per_force * parts * far.induced_drag;
  const double rough = roughness(problem.lift->segments, solution.sheets);
  results.lift_error =
      std::abs(results.lift - results.lift_far) + rough * std::abs(results.lift_far);
  const double scale = std::max(std::abs(results.lift), std::abs(results.lift_far));
  results.induced_drag_error =
      scale > 0.0 ? 2.0 * std::abs(results.induced_drag) * results.lift_error / scale : 0.0;
  results.edges = count_edges(problem.lift->segments);
  results.stations = problem.lift->segments.size();
  return results;
}

std::vector<Result> describe(const LiftResults& lift) {
  const LiftReference& by = lift.reference;
  return {
      {.key = "lift",
       .value = {{"CL", lift.lift},
                 {"CL_trefftz", lift.lift_far},
                 {"CD_induced", lift.induced_drag},
                 {"CD_pressure", lift.drag},
                 {"CY", lift.side},
                 {"Cl", lift.roll},
                 {"Cm", lift.pitch},
                 {"Cn", lift.yaw},
                 {"edges", lift.edges},
                 {"stations", lift.stations},
                 {"reference",
                  {{"area", by.area},
                   {"span", by.span},
                   {"chord", by.chord},
                   {"centre", to_array(by.centre)}}}},
       .name = "lift",
       .text = fmt::format("CL {:.4f} (Trefftz plane {:.4f}), induced CD {:.5f}, CY {:.4f}",
                           lift.lift, lift.lift_far, lift.induced_drag, lift.side)},
      {.text = fmt::format("Cl {:.4f}, Cm {:.4f}, Cn {:.4f} about ({:.4g}, {:.4g}, {:.4g}) m",
                           lift.roll, lift.pitch, lift.yaw, by.centre.x, by.centre.y, by.centre.z)},
      {.text = fmt::format("area {:.5g} m^2, span {:.5g} m, chord {:.5g} m", by.area, by.span,
                           by.chord)}};
}

std::string span_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution,
                             const LiftReference& reference) {
  const std::vector<bem::EdgeSegment>& segments = problem.lift->segments;
  std::vector<std::size_t> order(segments.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Vec3d> middle;
  for (const bem::EdgeSegment& edge : segments) middle.push_back(middle_of(problem, edge));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return middle[a].y < middle[b].y; });
  const double speed = norm(problem.stream);
  std::string text = "x,y,z,width,circulation,lift_per_span,cl_c_over_chord\n";
  for (const std::size_t s : order) {
    const Vec3d along = bem::corner_at(problem.panels, segments[s].upper, segments[s].second) -
                        bem::corner_at(problem.panels, segments[s].upper, segments[s].first);
    const double m = solution.sheets[s];
    text += fmt::format("{:.12g},{:.12g},{:.12g},{:.9g},{:.9g},{:.9g},{:.9g}\n", middle[s].x,
                        middle[s].y, middle[s].z, norm(along), m, problem.density * speed * m,
                        2.0 * m / (speed * reference.chord));
  }
  return text;
}

meshes::SurfaceMesh wake_mesh(const bem::FlowProblem& problem, const bem::Solution& solution,
                              meshes::Fields& fields) {
  const bem::SourceSet& sources = problem.lift->sources;
  const double shown = problem.lift->length / 15.0;  // two extents of the body
  meshes::SurfaceMesh mesh;
  mesh.patch_names = {"wake"};
  meshes::Field circulation{"circulation", 1, {}};
  for (std::size_t j = sources.boundary; j < sources.panels.size(); ++j) {
    const auto s = static_cast<std::size_t>(sources.of_sheet[j - sources.boundary]);
    const Vec3d from_edge = sources.panels.centroid[j] - sources.point[s];
    if (dot(from_edge, problem.lift->direction) > shown) continue;
    const bem::PanelShape<double>& shape = sources.panels.shape[j];
    meshes::Element element{-1, -1, -1, -1};
    for (int k = 0; k < shape.corners; ++k) {
      element[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(mesh.nodes.size());
      mesh.nodes.push_back(shape.corner[k]);
    }
    mesh.elements.push_back(element);
    circulation.values.push_back(solution.sheets[s]);
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  fields.cell.push_back(std::move(circulation));
  return mesh;
}

}  // namespace rankine::cases
