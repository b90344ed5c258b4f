#include "cases/lift/lift_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "cases/solve/probes.hpp"
#include "cases/solve/values_file.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

Vec3d middle_of(const bem::FlowProblem& problem, const bem::EdgeSegment& edge) {
  return 0.5 * (bem::corner_at(problem.panels, edge.upper, edge.first) +
                bem::corner_at(problem.panels, edge.upper, edge.second));
}

}  // namespace

std::string span_loading_csv(const bem::FlowProblem& problem, const bem::Solution& solution,
                             const LiftResults& lift) {
  const std::vector<bem::EdgeSegment>& segments = problem.lift->segments;
  std::vector<std::size_t> order(segments.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Vec3d> middle;
  for (const bem::EdgeSegment& edge : segments) middle.push_back(middle_of(problem, edge));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return middle[a].y < middle[b].y; });
  const double speed = norm(problem.stream);
  const bool has_drag = !lift.section_drag.empty();
  std::string text = "x,y,z,width,circulation,lift_per_span,cl_c_over_chord";
  text += has_drag ? ",cd\n" : "\n";
  for (const std::size_t s : order) {
    const Vec3d along = bem::corner_at(problem.panels, segments[s].upper, segments[s].second) -
                        bem::corner_at(problem.panels, segments[s].upper, segments[s].first);
    const double m = solution.sheets[s];
    text += fmt::format("{:.12g},{:.12g},{:.12g},{:.9g},{:.9g},{:.9g},{:.9g}", middle[s].x,
                        middle[s].y, middle[s].z, norm(along), m, problem.density * speed * m,
                        2.0 * m / (speed * lift.reference.chord));
    text += has_drag ? fmt::format(",{:.9g}\n", lift.section_drag[s]) : "\n";
  }
  return text;
}

std::string wake_lines_csv(const bem::LiftingEdges& lift) {
  std::vector<const bem::WakeLine*> lines;
  for (const auto& [node, line] : lift.wakes) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [](const auto* a, const auto* b) {
    return a->points.front().y < b->points.front().y;
  });
  std::string text = "line,x,y,z\n";
  for (std::size_t k = 0; k < lines.size(); ++k) {
    for (const Vec3d& x : lines[k]->points)
      text += fmt::format("{},{:.17g},{:.17g},{:.17g}\n", k + 1, x.x, x.y, x.z);
  }
  return text;
}

bem::WakeLines read_wake_lines(const std::filesystem::path& path, const bem::LiftingEdges& lift) {
  const std::vector<double> numbers = pick_column(path, "line").values;
  const std::vector<Vec3d> points = read_points(path);
  std::vector<std::vector<Vec3d>> given;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0 || numbers[i] != numbers[i - 1]) given.emplace_back();
    given.back().push_back(points[i]);
  }
  const auto refuse = [&](std::size_t line, const std::string& what) {
    throw InputError(fmt::format(
        "{}: line {} of the wake {}; give lines of equally many points, two at least, each "
        "farther downstream than the one before",
        path.string(), line + 1, what));
  };
  std::vector<double> stations;  // of the first line
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k].size() != given.front().size() || given[k].size() < 2)
      refuse(k,
             fmt::format("has {} points, and the first {}", given[k].size(), given.front().size()));
    for (std::size_t i = 0; i < given[k].size(); ++i) {
      const double at = dot(given[k][i] - given[k].front(), lift.direction);
      if (i > 0 && !(dot(given[k][i] - given[k][i - 1], lift.direction) > 0.0))
        refuse(k, fmt::format("goes upstream at its point {}", i + 1));
      if (k == 0) stations.push_back(at);
    }
  }
  bem::WakeLines lines = lift.wakes;
  for (auto& [node, line] : lines) {
    const Vec3d start = line.points.front();
    std::size_t before = 0, after = 0;
    double share = 0.0, least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < given.size(); ++k) {
      const std::size_t next = std::min(k + 1, given.size() - 1);
      const Vec3d from = start - given[k].front(), along = given[next].front() - given[k].front();
      const double length = dot(along, along),
                   t = length > 0.0 ? std::clamp(dot(from, along) / length, 0.0, 1.0) : 0.0,
                   distance = norm(from - t * along);
      if (distance >= least) continue;
      std::tie(before, after, share, least) = std::tuple(k, next, t, distance);
    }
    const auto place = [&](std::size_t i) {
      return given[before][i] + share * (given[after][i] - given[before][i]);
    };
    line = {{start}, stations, line.course};
    for (std::size_t i = 1; i < stations.size(); ++i)
      line.points.push_back(start + place(i) - place(0));
  }
  return lines;
}

meshes::SurfaceMesh wake_mesh(const bem::FlowProblem& problem, const bem::Solution& solution,
                              meshes::Fields& fields) {
  const bem::SourceSet& sources = problem.lift->sources;
  const double shown = 2.0 * problem.lift->extent;
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
