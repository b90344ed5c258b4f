#include "rankine/bem/lift/trailing_edge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::bem {
namespace {

constexpr double least_leaving =
    0.5;  // cosine between the stream and the direction out of the edge

}  // namespace

std::vector<EdgeSegment> trailing_edges(const Panels& panels, const Vec3d& stream) {
  const PanelNeighbourhood neighbourhood(panels);
  std::vector<EdgeSegment> segments;
  const auto visit = [&](std::int32_t one, std::int32_t other, std::int32_t a, std::int32_t b) {
    const auto i = static_cast<std::size_t>(one), j = static_cast<std::size_t>(other);
    if (j <= i || j >= panels.size()) return;
    const Vec3d &n = panels.normal[i], &m = panels.normal[j], sum = n + m;
    const bool convex = dot(panels.centroid[j] - panels.centroid[i], n - m) < 0.0;
    if (!convex || dot(n, m) > meshes::fitted::opposed_cosine || !(norm(sum) > 0.0)) return;
    if (dot(sum, stream) < least_leaving * norm(sum) * norm(stream)) return;
    const Vec3d along = corner_at(panels, one, b) - corner_at(panels, one, a);
    const bool upright = std::abs(along.z) > std::max(std::abs(along.x), std::abs(along.y));
    const bool one_is_upper = upright ? n.y > m.y : n.z > m.z;
    segments.push_back({a, b, one_is_upper ? one : other, one_is_upper ? other : one,
                        std::numbers::pi - std::acos(std::clamp(dot(n, m), -1.0, 1.0))});
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
