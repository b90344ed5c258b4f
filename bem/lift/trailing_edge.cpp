#include "rankine/bem/lift/trailing_edge.hpp"

#include <algorithm>
#include <cmath>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::bem {
namespace {

constexpr double least_leaving =
    0.5;  // cosine between the stream and the direction out of the edge

}  // namespace

double depth_ratio(const Panels& panels, const EdgeSegment& edge) {
  const Vec3d from = corner_at(panels, edge.upper, edge.first),
              along = corner_at(panels, edge.upper, edge.second) - from;
  const auto depth = [&](std::int32_t panel) {
    const Vec3d r = panels.centroid[static_cast<std::size_t>(panel)] - from;
    return norm(r - dot(r, along) / dot(along, along) * along);
  };
  const double upper = depth(edge.upper), lower = depth(edge.lower);
  return std::max(upper, lower) / std::min(upper, lower);
}

std::vector<EdgeSegment> trailing_edges(const Panels& panels, const Vec3d& stream) {
  const PanelNeighbourhood neighbourhood(panels);
  std::vector<EdgeSegment> segments;
  const auto visit = [&](std::int32_t one, std::int32_t other, std::int32_t a, std::int32_t b) {
    const auto i = static_cast<std::size_t>(one), j = static_cast<std::size_t>(other);
    if (j <= i || j >= panels.size()) return;
    const Vec3d from = corner_at(panels, one, a), along = corner_at(panels, one, b) - from;
    // Unit vectors from the edge into the panels, normal to it, as the corners have them: at thin
    // edges they are better determined than the sum of the normals.
    const auto into = [&](std::size_t panel) {
      const PanelShape<double>& shape = panels.shape[panel];
      Vec3d r{};
      for (int k = 0; k < shape.corners; ++k) r += (shape.corner[k] - from) / shape.corners;
      const Vec3d across = r - dot(r, along) / dot(along, along) * along;
      return across / norm(across);
    };
    const Vec3d u = into(i), v = into(j), out = -1.0 * (u + v);
    const Vec3d &n = panels.vector_area[i], &m = panels.vector_area[j];
    const bool convex = dot(u, m) / norm(m) + dot(v, n) / norm(n) < 0.0;
    if (!convex || dot(u, v) < -meshes::fitted::opposed_cosine) return;
    if (dot(out, stream) < least_leaving * norm(out) * norm(stream)) return;
    const bool upright = std::abs(along.z) > std::max(std::abs(along.x), std::abs(along.y));
    const bool one_is_upper =
        upright ? n.y / norm(n) > m.y / norm(m) : n.z / norm(n) > m.z / norm(m);
    segments.push_back({a, b, one_is_upper ? one : other, one_is_upper ? other : one,
                        std::acos(std::clamp(dot(u, v), -1.0, 1.0)), out / norm(out)});
  };
  for (std::size_t e = 0; e < panels.size(); ++e) {
    const meshes::Element& element = panels.nodes[e];
    const auto own = static_cast<std::int32_t>(e);
    const int corners = meshes::corner_count(element);
    for (int k = 0; k < corners; ++k) {
      const std::int32_t a = element[k], b = element[(k + 1) % corners];
      neighbourhood.for_each_at_edge(a, b, [&](std::int32_t other) { visit(own, other, a, b); });
    }
  }
  return segments;
}

}  // namespace rankine::bem
