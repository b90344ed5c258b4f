#include "cases/lift/lift_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace rankine::cases {
namespace {

Vec3d middle_of(const bem::FlowProblem& problem, const bem::EdgeSegment& edge) {
  return 0.5 * (bem::corner_at(problem.panels, edge.upper, edge.first) +
                bem::corner_at(problem.panels, edge.upper, edge.second));
}

}  // namespace

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
