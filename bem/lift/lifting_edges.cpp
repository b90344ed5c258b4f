#include "rankine/bem/lift/lifting_edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "rankine/bem/lift/kutta.hpp"
#include "rankine/bem/lift/wing_strips.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::bem {
namespace {

/// Distance to the nearest symmetry plane that does not contain the point.
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
  const WakeLine& line = wakes.at(edge.first);
  const Vec3d along = wakes.at(edge.second).points.front() - line.points.front(),
              course = line.course.at(sources.point[segment]);
  const bool turned = dot(cross(course, along), sources.normal[segment]) < 0.0;
  return turned ? std::array{edge.second, edge.first} : std::array{edge.first, edge.second};
}

double LiftingEdges::share(std::size_t segment) const {
  const auto [left, right] = sides(segment);
  const Vec3d &from = wakes.at(left).points.front(), &to = wakes.at(right).points.front();
  return norm(sources.point[segment] - from) / norm(to - from);
}

LiftingEdges lifting_edges(Panels& body, const RelativeStream& stream, const RelativeStream& course,
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
  return lifting_edges(body, std::move(segments), course);
}

LiftingEdges lifting_edges(Panels& body, std::vector<EdgeSegment> segments,
                           const RelativeStream& along) {
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
  const double speed = norm(along.velocity);
  RigidMotion turning = along.frame;  // per metre downstream
  turning.angular_velocity = turning.angular_velocity / speed;
  const RelativeStream course(along.velocity / speed, turning);
  LiftingEdges edges{.segments = std::move(segments),
                     .sources = {},
                     .kutta = {},
                     .lines = {},
                     .wakes = {},
                     .direction = course.velocity,
                     .extent = norm(most - least)};
  edges.lines = cut_along_wakes(body, edges.segments, course);
  edges.sources.strip = collocate_strips(body, edges.segments);
  edges.kutta = kutta_rows(body, edges.segments, half_way_points(body, edges.segments));
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
      line.stations = {0.0};
      line.course = course;
      for (std::size_t k = 1; k < line.points.size(); ++k) {
        const Vec3d velocity = course.at(line.points[k - 1]);
        line.stations.push_back(line.stations.back() +
                                dot(line.points[k] - line.points[k - 1], velocity) /
                                    dot(velocity, velocity));
      }
    }
  }
  return with_wakes(body, std::move(edges), std::move(lines));
}

LiftingEdges with_wakes(const Panels& body, LiftingEdges edges, WakeLines lines) {
  double first = 0.0, radius = 0.0, planes = std::numeric_limits<double>::infinity();
  const RelativeStream& course = lines.begin()->second.course;
  for (const EdgeSegment& edge : edges.segments) {
    const Vec3d a = corner_at(body, edge.upper, edge.first),
                b = corner_at(body, edge.upper, edge.second);
    first += 0.25 * norm(b - a) / norm(course.at(0.5 * (a + b))) /
             static_cast<double>(edges.segments.size());
    for (const Vec3d& x : {a, b})
      radius = std::max(radius, norm(cross(edges.direction, x - course.frame.centre)));
    planes = std::min({planes, distance_from_planes(body, a), distance_from_planes(body, b)});
  }
  // Panels continue to grow beyond the points of lines.
  for (const auto& [node, line] : lines) {
    if (edges.lines.contains(node) || line.stations.size() < 2) continue;
    first = line.stations.back() - line.stations[line.stations.size() - 2];
  }
  constexpr double extents = 30.0, radii = 10.0;
  const double length = course.turns() ? radii * radius : extents * edges.extent;
  // Much longer panels would be treated as lying in the plane.
  constexpr double distances_of_plane = 40.0;
  double most = distances_of_plane * planes;
  // With this number of chords per turn, their midpoints are 0.4 % too close to the axis.
  if (course.turns())
    most =
        std::min(most, 2.0 * std::numbers::pi /
                           (meshes::limits::panels_per_turn * norm(course.frame.angular_velocity)));
  std::vector<std::int8_t> strip = std::move(edges.sources.strip);
  edges.wakes = std::move(lines);
  edges.sources = with_wakes(body, edges.segments, edges.wakes, wake_stations(first, length, most));
  edges.sources.strip = std::move(strip);
  return edges;
}

}  // namespace rankine::bem
