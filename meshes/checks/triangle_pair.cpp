#include "rankine/meshes/checks/triangle_pair.hpp"

#include <algorithm>
#include <limits>

namespace rankine::meshes {
namespace {

Vec3d nearest_on_edge(const Vec3d& from, const Vec3d& to, const Vec3d& point) {
  const Vec3d along = to - from;
  const double square = dot(along, along);
  const double part = square > 0.0 ? std::clamp(dot(point - from, along) / square, 0.0, 1.0) : 0.0;
  return from + part * along;
}

/// Whether a point of the plane is inside the triangle, at least `depth` from its boundary.
/// `normal`: cross product of two edges.
bool is_inside(const Triangle& triangle, const Vec3d& normal, const Vec3d& point,
               double depth = 0.0) {
  for (int k = 0; k < 3; ++k) {
    const Vec3d &from = triangle[k], &to = triangle[(k + 1) % 3];
    const double least = depth > 0.0 ? depth * norm(to - from) * norm(normal) : 0.0;
    if (dot(cross(to - from, point - from), normal) < least) return false;
  }
  return true;
}

/// Does an edge of `edges` pass through `triangle`?
bool pierces(const Triangle& edges, const Triangle& triangle, double depth, double from_rim) {
  const Vec3d normal = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
  const double length = norm(normal);
  if (length == 0.0) return false;
  std::array<double, 3> height{};
  for (int k = 0; k < 3; ++k) height[k] = dot(edges[k] - triangle[0], normal) / length;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double low = std::min(height[k], height[next]), high = std::max(height[k], height[next]);
    if (low >= -depth || high <= depth) continue;
    const double part = height[k] / (height[k] - height[next]);
    if (is_inside(triangle, normal, edges[k] + part * (edges[next] - edges[k]), from_rim))
      return true;
  }
  return false;
}

/// Distance between two edges [Ericson, Real-Time Collision Detection, 5.1.9].
double edge_distance(const Vec3d& p1, const Vec3d& q1, const Vec3d& p2, const Vec3d& q2) {
  const Vec3d d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), b = dot(d1, d2), c = dot(d1, r);
  const double parallel = a * e - b * b;
  const double s = parallel > 0.0 ? std::clamp((b * f - c * e) / parallel, 0.0, 1.0) : 0.0;
  const Vec3d on_first = nearest_on_edge(p1, q1, nearest_on_edge(p2, q2, p1 + s * d1));
  return norm(on_first - nearest_on_edge(p2, q2, on_first));
}

}  // namespace

Vec3d nearest_point(const Triangle& triangle, const Vec3d& point) {
  const Vec3d normal = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
  const double square = dot(normal, normal);
  if (square > 0.0) {
    const Vec3d projection = point - (dot(point - triangle[0], normal) / square) * normal;
    if (is_inside(triangle, normal, projection)) return projection;
  }
  Vec3d best = triangle[0];
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec3d near = nearest_on_edge(triangle[k], triangle[(k + 1) % 3], point);
    const double away = norm(near - point);
    if (away < least) {
      least = away;
      best = near;
    }
  }
  return best;
}

double distance(const Triangle& a, const Triangle& b) {
  if (cross_deeply(a, b, 0.0, 0.0)) return 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    least =
        std::min({least, norm(nearest_point(b, a[k]) - a[k]), norm(nearest_point(a, b[k]) - b[k])});
    for (int l = 0; l < 3; ++l)
      least = std::min(least, edge_distance(a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]));
  }
  return least;
}

bool cross_deeply(const Triangle& a, const Triangle& b, double depth, double from_rim) {
  return pierces(a, b, depth, from_rim) || pierces(b, a, depth, from_rim);
}

}  // namespace rankine::meshes
