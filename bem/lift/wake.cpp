#include "rankine/bem/lift/wake.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

/// Distances from the edge at which panels end: the first is `first`, the last `length`, and each
/// panel is longer than the one before by the factor `growth` at most, and no longer than `most`.
std::vector<double> ends(double first, double length, double most) {
  constexpr double growth = 1.5;
  std::vector<double> lengths{std::min(first, most)};
  double end = lengths.front();
  while (end < length) {
    lengths.push_back(std::min(growth * lengths.back(), most));
    end += lengths.back();
  }
  std::vector<double> at;
  double sum = 0.0;
  for (const double each : lengths) at.push_back((sum += each) * length / end);
  return at;
}

/// The smallest distance of the edges from a symmetry plane on which they do not lie.
double distance_from_planes(const Panels& body, std::span<const EdgeSegment> edges) {
  double least = std::numeric_limits<double>::infinity();
  for (const EdgeSegment& edge : edges) {
    for (const std::int32_t node : {edge.first, edge.second}) {
      const Vec3d x = corner_at(body, edge.upper, node);
      for (const meshes::SymmetryPlane& plane : body.symmetry.planes()) {
        if (!plane.holds(x)) least = std::min(least, std::abs(x[plane.axis] - plane.place));
      }
    }
  }
  return least;
}

}  // namespace

SourceSet with_straight_wakes(const Panels& body, std::span<const EdgeSegment> edges,
                              const BodyLines& lines, const Vec3d& direction, double length) {
  meshes::SurfaceMesh mesh;
  mesh.source = "wake";
  double width = 0.0;
  for (const EdgeSegment& edge : edges) {
    width +=
        norm(corner_at(body, edge.upper, edge.second) - corner_at(body, edge.upper, edge.first)) /
        static_cast<double>(edges.size());
  }
  // Panels that are much longer would be taken as lying on the plane.
  constexpr double distances_of_plane = 40.0;
  std::vector<double> distances =
      ends(width, length, distances_of_plane * distance_from_planes(body, edges));
  distances.insert(distances.begin(), 0.0);
  std::map<std::int32_t, std::int32_t> first_of;  // node of the body: first node of the wake
  const auto line_from = [&](std::int32_t node, std::int32_t panel) {
    const auto [found, is_new] =
        first_of.try_emplace(node, static_cast<std::int32_t>(mesh.nodes.size()));
    if (is_new) {
      const Vec3d start = corner_at(body, panel, node);
      for (const double each : distances) mesh.nodes.push_back(start + each * direction);
    }
    return found->second;
  };
  // The line on a body, and on from its end; and beside it, from another node, a straight line.
  const auto lines_beside_body = [&](const std::vector<Vec3d>& on_body, const Vec3d& other) {
    std::vector<Vec3d> line = on_body;
    for (std::size_t k = 1; k < distances.size(); ++k)
      line.push_back(on_body.back() + distances[k] * direction);
    std::vector<Vec3d> straight;
    for (const Vec3d& x : line)
      straight.push_back(other + dot(x - line.front(), direction) * direction);
    const auto first = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.insert(mesh.nodes.end(), line.begin(), line.end());
    mesh.nodes.insert(mesh.nodes.end(), straight.begin(), straight.end());
    return std::pair(first, first + static_cast<std::int32_t>(line.size()));
  };
  SourceSet sources;
  sources.boundary = body.size();
  for (const EdgeSegment& edge : edges) {
    const auto at_first = lines.find(edge.first), at_second = lines.find(edge.second);
    std::int32_t a, b;
    std::size_t count = distances.size();
    if (at_first != lines.end() && at_second != lines.end()) {
      throw InputError(
          "a wake of one strip lies between two bodies; use more panels along the trailing edge");
    } else if (at_first != lines.end()) {
      std::tie(a, b) =
          lines_beside_body(at_first->second, corner_at(body, edge.upper, edge.second));
      count += at_first->second.size() - 1;
    } else if (at_second != lines.end()) {
      std::tie(b, a) =
          lines_beside_body(at_second->second, corner_at(body, edge.upper, edge.first));
      count += at_second->second.size() - 1;
    } else {
      a = line_from(edge.first, edge.upper);
      b = line_from(edge.second, edge.upper);
    }
    const Vec3d at_a = mesh.nodes[static_cast<std::size_t>(a)],
                at_b = mesh.nodes[static_cast<std::size_t>(b)];
    const Vec3d up = body.normal[static_cast<std::size_t>(edge.upper)] -
                     body.normal[static_cast<std::size_t>(edge.lower)];
    Vec3d normal = cross(direction, at_b - at_a);
    const bool turned = dot(normal, up) < 0.0;
    normal = (turned ? -1.0 : 1.0) / norm(normal) * normal;
    for (std::int32_t k = 0; k + 1 < static_cast<std::int32_t>(count); ++k) {
      const meshes::Element element{a + k, a + k + 1, b + k + 1, b + k};
      mesh.elements.push_back(turned ? meshes::reversed(element) : element);
      sources.of_sheet.push_back(static_cast<std::int32_t>(sources.point.size()));
    }
    sources.point.push_back(0.5 * (at_a + at_b));
    sources.normal.push_back(normal);
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  sources.panels = joined(body, make_panels(mesh, PanelGeometry::flat, body.symmetry));
  return sources;
}

}  // namespace rankine::bem
