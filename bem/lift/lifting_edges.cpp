#include "rankine/bem/lift/lifting_edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rankine/bem/lift/kutta.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::bem {
namespace {

/// From a symmetry plane on which the point does not lie.
double distance_from_planes(const Panels& body, const Vec3d& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const meshes::SymmetryPlane& plane : body.symmetry.planes()) {
    if (!plane.holds(x)) least = std::min(least, std::abs(x[plane.axis] - plane.place));
  }
  return least;
}

}  // namespace

std::array<std::int32_t, 2> LiftingEdges::sides(std::size_t segment) const {
  const EdgeSegment& edge = segments[segment];
  const Vec3d along = wakes.at(edge.second).points.front() - wakes.at(edge.first).points.front();
  const bool turned = dot(cross(direction, along), sources.normal[segment]) < 0.0;
  return turned ? std::array{edge.second, edge.first} : std::array{edge.first, edge.second};
}

LiftingEdges lifting_edges(Panels& body, const Vec3d& stream, const Vec3d& along,
                           const EdgeNames& names) {
  std::vector<EdgeSegment> segments = find_trailing_edges(body, stream, names).segments;
  if (segments.empty() && names) {
    throw InputError(
        "the stream leaves none of the edges that are named, or they are blunter than 120 degrees; "
        "rankine check lists them, and --output DIR shows them");
  }
  if (segments.empty()) {
    throw InputError(
        "the stream leaves no sharp edge (sharper than 60 degrees) and no thin blunt one, so that "
        "no wake can start; check the direction of the stream, or solve without wakes");
  }
  return lifting_edges(body, std::move(segments), along);
}

LiftingEdges lifting_edges(Panels& body, std::vector<EdgeSegment> segments, const Vec3d& along) {
  Vec3d least = body.centroid.front(), most = least;  // of the body and its images
  for (int image = 0; image < body.symmetry.images(); ++image) {
    for (const Vec3d& centroid : body.centroid) {
      const Vec3d x = body.symmetry.point(image, centroid);
      for (int axis = 0; axis < 3; ++axis) {
        least[axis] = std::min(least[axis], x[axis]);
        most[axis] = std::max(most[axis], x[axis]);
      }
    }
  }
  LiftingEdges edges{.segments = std::move(segments),
                     .sources = {},
                     .kutta = {},
                     .lines = {},
                     .wakes = {},
                     .direction = along / norm(along),
                     .extent = norm(most - least)};
  edges.lines = cut_along_wakes(body, edges.segments, edges.direction);
  edges.kutta = kutta_rows(body, edges.segments);
  // With constant strengths, panels of equal depth on both sides of the edge have equal errors,
  // which cancel. Linear strengths have no such errors, but at the bend of a swept edge their slopes
  // are wrong: the fit crosses the bend.
  constexpr double equal = 1.05;
  edges.sources.linear =
      std::any_of(edges.segments.begin(), edges.segments.end(),
                  [&](const EdgeSegment& edge) { return depth_ratio(body, edge) > equal; });
  WakeLines lines;
  for (const EdgeSegment& edge : edges.segments) {
    if (edges.lines.contains(edge.first) && edges.lines.contains(edge.second)) {
      throw InputError(
          "a wake of one strip lies between two bodies; use more panels along the trailing edge");
    }
    for (const std::int32_t node : {edge.first, edge.second}) {
      const auto on_body = edges.lines.find(node);
      WakeLine& line = lines[node];
      line.points = on_body == edges.lines.end() ? std::vector{corner_at(body, edge.upper, node)}
                                                 : on_body->second;
      line.stations.clear();
      for (const Vec3d& x : line.points)
        line.stations.push_back(dot(x - line.points.front(), edges.direction));
    }
  }
  return with_wakes(body, std::move(edges), std::move(lines));
}

LiftingEdges with_wakes(const Panels& body, LiftingEdges edges, WakeLines lines) {
  double first = 0.0, planes = std::numeric_limits<double>::infinity();
  for (const EdgeSegment& edge : edges.segments) {
    const Vec3d a = corner_at(body, edge.upper, edge.first),
                b = corner_at(body, edge.upper, edge.second);
    first += 0.25 * norm(b - a) / static_cast<double>(edges.segments.size());
    planes = std::min({planes, distance_from_planes(body, a), distance_from_planes(body, b)});
  }
  // Panels go on growing behind the points of lines.
  for (const auto& [node, line] : lines) {
    if (edges.lines.contains(node) || line.stations.size() < 2) continue;
    first = line.stations.back() - line.stations[line.stations.size() - 2];
  }
  constexpr double length = 30.0;  // extents
  // Panels that are much longer would be taken as lying on the plane.
  constexpr double distances_of_plane = 40.0;
  const bool linear = edges.sources.linear;
  edges.wakes = std::move(lines);
  edges.sources = with_wakes(
      body, edges.segments, edges.wakes,
      wake_stations(first, length * edges.extent, distances_of_plane * planes), edges.direction);
  edges.sources.linear = linear;
  return edges;
}

}  // namespace rankine::bem
