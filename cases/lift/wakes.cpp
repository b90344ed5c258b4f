#include "cases/lift/wakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "cases/lift/coefficients.hpp"
#include "cases/lift/lift_files.hpp"
#include "cases/lift/named_edges.hpp"
#include "cases/lift/viscous_drag.hpp"
#include "cases/output/show.hpp"
#include "cases/solve/set_up.hpp"
#include "rankine/bem/flow/equal_pressures.hpp"
#include "rankine/bem/flow/rotor.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/lift/strip_at_edges.hpp"

namespace rankine::cases {
namespace {

/// The panel at a bend of the edge with the largest ratio of length to depth, and its position.
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

/// Of the wakes.
bem::RelativeStream course_of(const Case& flow_case, const bem::RelativeStream& stream) {
  if (flow_case.lift.direction == WakeDirection::body) return bem::RelativeStream({1, 0, 0});
  bem::RelativeStream course = stream;
  if (flow_case.rotor.pitch) {
    const double period = 2.0 * std::numbers::pi / norm(stream.frame.angular_velocity);
    course.velocity = *flow_case.rotor.pitch / period / norm(stream.velocity) * stream.velocity;
  }
  return course;
}

/// `depth`: where pressures are equal, m in front of trailing edges; none: the linear condition.
bem::Solution solve_and_move(const Case& flow_case, bem::FlowProblem& problem,
                             std::optional<double> depth, const bem::FlowOptions& options,
                             bem::Backend& backend, Log& log) {
  const WakeForm form = flow_case.lift.wake;
  const bool helical = form == WakeForm::helical;
  if ((form != WakeForm::relaxed && !helical) || flow_case.rotor.pitch)
    return depth ? bem::solve_with_equal_pressures(problem, *depth, options, backend)
                 : bem::solve(problem, options, backend);
  double displacement = 0.0;
  const auto report = [&](const bem::WakeSweep& sweep) {
    displacement = sweep.displacement;
    log.fact("wake",
             fmt::format("sweep {}: off by {:.2e} {}, {} iterations", sweep.number, displacement,
                         helical ? "of the pitch" : "extents", sweep.gmres.iterations));
  };
  bem::Solution solution =
      helical ? bem::solve_with_helical_wakes(problem, options, backend, report)
              : bem::solve_with_relaxed_wakes(problem, options, backend, report, depth);
  if (displacement < bem::relaxed_wake_tolerance) return solution;
  if (helical) {
    log.warning(fmt::format(
        "the pitch of the wakes has not come to rest: the last sweep would change it by {:.2g} %, "
        "as "
        "where a rotor slows the stream down by half or more, and its wake does not leave it as "
        "helices do",
        100.0 * displacement));
  } else {
    log.warning(fmt::format(
        "wakes have not come to rest: the last sweep found them {:.2e} extents of the body from "
        "where the flow takes them (mean over vortices), as where sheets roll up between panels "
        "that "
        "are longer than strips are wide; lift settles before",
        displacement));
  }
  return solution;
}

}  // namespace

bem::Solution solve_with_wakes(const Case& flow_case, bem::FlowProblem& problem,
                               const bem::FlowOptions& options, bem::Backend& backend, Log& log) {
  const LiftInput& lift = flow_case.lift;
  const bool pressure = lift.kutta == KuttaCondition::pressure;
  log.fact("kutta", pressure ? "equal pressures 1 % of the chord in front of trailing edges"
                             : "finite velocities at trailing edges (linear)");
  constexpr double share = 0.01;  // of the chord, as that of kutta_dCp
  std::optional<double> depth;
  if (pressure) depth = share * reference_of(flow_case, problem).chord;
  return solve_and_move(flow_case, problem, depth, options, backend, log);
}

void cut_edge_strip(const Case& flow_case, LoadedMesh& loaded, Log& log) {
  if (!flow_case.lift.has_wakes() || !flow_case.lift.edge_strip) return;
  meshes::SurfaceMesh& mesh = loaded.mesh;
  const bem::FlowProblem problem = make_problem(flow_case, mesh);
  const meshes::EdgeStrip strip =
      bem::cut_edge_strip(mesh, problem.panels,
                          bem::find_trailing_edges(problem.panels, bem::relative_stream(problem),
                                                   edge_names(flow_case, mesh, problem.panels)));
  loaded.strip = strip;
  count_again(loaded);
  if (strip.cut > 0 || strip.equal) {
    log.fact("edge strip",
             strip.equal ? "panels at trailing edges are equally deep, none is cut"
                         : fmt::format("{} panels cut {:.4g} m from trailing edges, 0.9 of the "
                                       "shallowest",
                                       show_count(strip.cut), strip.depth));
  } else if (strip.shallowest > 0.0) {
    log.warning(fmt::format(
        "no panels are cut for lift.edge_strip: the shallowest at the trailing edges has {:.3g} m, "
        "less than a tenth of the median, {:.3g} m; use panels of one size along the edges",
        strip.shallowest, strip.median));
  }
}

void follow_wakes(const bem::EquivalentFlow& equivalent, bem::FlowProblem& problem) {
  bem::WakeLines lines =
      equivalent.rule.restored(equivalent.problem.lift->wakes, problem.lift->wakes);
  problem.lift = std::make_shared<bem::LiftingEdges>(
      bem::with_wakes(problem.panels, *problem.lift, std::move(lines)));
}

std::vector<std::size_t> edge_numbers(const std::vector<bem::EdgeSegment>& segments) {
  std::map<std::int32_t, std::int32_t> parent;
  const auto root = [&](std::int32_t node) {
    parent.try_emplace(node, node);
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const bem::EdgeSegment& edge : segments) parent[root(edge.first)] = root(edge.second);
  std::map<std::int32_t, std::size_t> number;
  std::vector<std::size_t> numbers;
  for (const bem::EdgeSegment& edge : segments)
    numbers.push_back(number.try_emplace(root(edge.first), number.size()).first->second);
  return numbers;
}

int count_edges(const std::vector<bem::EdgeSegment>& segments) {
  const std::vector<std::size_t> numbers = edge_numbers(segments);
  return numbers.empty() ? 0
                         : static_cast<int>(*std::max_element(numbers.begin(), numbers.end())) + 1;
}

std::shared_ptr<const bem::LiftingEdges> find_wakes(const Case& flow_case,
                                                    const meshes::SurfaceMesh& mesh,
                                                    bem::FlowProblem& problem, Log& log) {
  if (!flow_case.lift.has_wakes()) return nullptr;
  if (!flow_case.lift.polars.empty()) check_polars(flow_case.lift.polars);
  const bem::EdgeNames names = edge_names(flow_case, mesh, problem.panels);
  const bem::RelativeStream stream = bem::relative_stream(problem);
  if (names) warn_of_named(bem::find_trailing_edges(problem.panels, stream, names).edges, log);
  auto edges = std::make_shared<bem::LiftingEdges>(
      bem::lifting_edges(problem.panels, stream, course_of(flow_case, stream), names));
  if (flow_case.lift.wake == WakeForm::file) {
    if (!edges->lines.empty())
      throw InputError(
          "a wake goes on along a body, and only wakes that leave bodies at their edges can have "
          "the lines of a file; leave out lift.wake");
    *edges =
        bem::with_wakes(problem.panels, *edges, read_wake_lines(flow_case.lift.wake_file, *edges));
  }
  const int count = count_edges(edges->segments), images = problem.panels.symmetry.images();
  if (const auto blades = flow_case.rotor.blades;
      blades && *blades != count * images && (flow_case.rotor.given)) {
    throw InputError(fmt::format(
        "rotor.blades is {}, but the mesh has {} connected trailing edges{}; rankine check "
        "--output DIR shows its edges",
        *blades, count,
        images > 1 ? ", and with rotor.images it is one blade" : "; all blades must be in it"));
  }
  double length = 0.0, sharpest = edges->segments.front().angle, bluntest = sharpest, base = 0.0;
  for (const bem::EdgeSegment& edge : edges->segments) {
    length += norm(bem::corner_at(problem.panels, edge.upper, edge.second) -
                   bem::corner_at(problem.panels, edge.upper, edge.first));
    sharpest = std::min(sharpest, edge.angle);
    bluntest = std::max(bluntest, edge.angle);
    base = std::max(base, norm(edge.base));
  }
  constexpr double degrees = 180.0 / std::numbers::pi;
  log.fact("wakes", fmt::format("from {} trailing edge{}, {} segments, {:.4g} m, {:.1f} to {:.1f} "
                                "degrees sharp{}",
                                count, count == 1 ? "" : "s", edges->segments.size(), length,
                                degrees * sharpest, degrees * bluntest,
                                base > 0.0 ? fmt::format(", up to {:.3g} m blunt", base) : ""));
  for (const auto& [node, line] : edges->lines) {
    log.fact("", fmt::format("along a body from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, "
                             "{:.4g}) m",
                             line.front().x, line.front().y, line.front().z, line.back().x,
                             line.back().y, line.back().z));
  }
  if (const auto end = bem::end_apart(edges->lines, problem.panels.symmetry)) {
    log.warning(
        fmt::format("wakes along a body end apart, one of them at ({:.4g}, {:.4g}, {:.4g}) m, as "
                    "at a flat end: "
                    "the vortices of both roots leave the body there, and lift and induced drag "
                    "are wrong; give "
                    "lift.direction = \"stream\", or close the body to a point or an edge",
                    end->x, end->y, end->z));
  }
  constexpr double too_long = 50.0, equal = 1.05;
  const bool unequal = std::any_of(
      edges->segments.begin(), edges->segments.end(),
      [&](const bem::EdgeSegment& edge) { return bem::depth_ratio(problem.panels, edge) > equal; });
  const LongPanels longest = longest_at_bends(problem.panels, edges->segments);
  if (unequal && longest.ratio > too_long) {
    log.warning(fmt::format(
        "panels where the trailing edge turns, near ({:.4g}, {:.4g}, {:.4g}) m, are {:.0f} times "
        "longer than deep, and unequal on its two sides: the error of the lift may be tens of "
        "percent, which its estimate does not contain; use panels that are equally deep, or at "
        "most {:.0f} "
        "times longer than deep there",
        longest.place.x, longest.place.y, longest.place.z, longest.ratio, too_long));
  }
  return edges;
}

}  // namespace rankine::cases
