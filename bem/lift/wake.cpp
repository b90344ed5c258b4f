#include "rankine/bem/lift/wake.hpp"

#include <algorithm>
#include <iterator>
#include <numbers>
#include <utility>

#include "rankine/bem/lift/wing_strips.hpp"

namespace rankine::bem {

Vec3d WakeLine::at(double station) const {
  const auto after = std::upper_bound(stations.begin(), stations.end(), station);
  const auto k = static_cast<std::size_t>(after - stations.begin()) - 1;
  if (after == stations.end()) return course.carried(points[k], station - stations[k]);
  const double share = (station - stations[k]) / (stations[k + 1] - stations[k]);
  return points[k] + share * (points[k + 1] - points[k]);
}

WakeSides::WakeSides(const Panels& panels, std::size_t panel) {
  const meshes::Element& nodes = panels.nodes[panel];
  const auto& corner = panels.shape[panel].corner;
  const auto first = std::min_element(nodes.begin(), nodes.end()) - nodes.begin();
  from = {corner[first], corner[(first + 3) % 4]};
  to = {corner[(first + 1) % 4], corner[(first + 2) % 4]};
}

std::vector<double> wake_stations(double first, double length, double most) {
  constexpr double growth = 1.2;
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

SourceSet with_wakes(const Panels& body, std::span<const EdgeSegment> edges, const WakeLines& lines,
                     std::span<const double> at_stations) {
  meshes::SurfaceMesh mesh;
  mesh.source = "wake";
  SourceSet sources;
  sources.boundary = body.size();
  sources.point = half_way_points(body, edges);
  for (const EdgeSegment& edge : edges) {
    const Vec3d begin = corner_at(body, edge.upper, edge.first),
                end = corner_at(body, edge.upper, edge.second);
    const double exponent = 2.0 * std::numbers::pi / (2.0 * std::numbers::pi - edge.angle);
    sources.edges.push_back({edge.upper, {begin, end, exponent}});
    sources.edges.push_back({edge.lower, {begin + edge.base, end + edge.base, exponent}});
    const WakeLine *a = &lines.at(edge.first), *b = &lines.at(edge.second);
    const Vec3d middle = 0.5 * (a->points.front() + b->points.front()),
                up = body.normal[static_cast<std::size_t>(edge.upper)] -
                     body.normal[static_cast<std::size_t>(edge.lower)];
    Vec3d normal = cross(a->course.direction_at(middle), b->points.front() - a->points.front());
    if (dot(normal, up) < 0.0) {
      std::swap(a, b);
      normal = -normal;
    }
    std::vector<double> ends;
    std::set_union(a->stations.begin(), a->stations.end(), b->stations.begin(), b->stations.end(),
                   std::back_inserter(ends));
    const double last = ends.back();
    for (const double each : at_stations) ends.push_back(last + each);
    const auto first = static_cast<std::int32_t>(mesh.nodes.size());
    for (const double each : ends) {
      mesh.nodes.push_back(a->at(each));
      mesh.nodes.push_back(b->at(each));
    }
    // The first of the four nodes of a panel is the one on the left, upstream.
    for (auto k = first; k + 2 < static_cast<std::int32_t>(mesh.nodes.size()); k += 2) {
      mesh.elements.push_back({k, k + 2, k + 3, k + 1});
      sources.of_sheet.push_back(static_cast<std::int32_t>(sources.normal.size()));
    }
    sources.normal.push_back(normal / norm(normal));
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  sources.panels = joined(body, make_panels(mesh, PanelGeometry::flat, body.symmetry));
  return sources;
}

}  // namespace rankine::bem
