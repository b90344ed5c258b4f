#include "rankine/bem/lift/wing_strips.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {
namespace {

Vec3d edge_middle(const PanelShape<double>& shape, int edge) {
  return 0.5 * (shape.corner[edge % 4] + shape.corner[(edge + 1) % 4]);
}

/// Positions of the points between the first and the second nodes of segments, from 0 to 1, by a
/// cubic y(k) through four ends. At tips, widths are extrapolated linearly.
std::vector<double> half_way(const Panels& body, std::span<const EdgeSegment> edges) {
  std::map<std::int32_t, std::vector<std::size_t>> at_node;
  for (std::size_t s = 0; s < edges.size(); ++s) {
    for (const std::int32_t node : {edges[s].first, edges[s].second}) at_node[node].push_back(s);
  }
  const auto width = [&](const EdgeSegment& edge) {
    return norm(corner_at(body, edge.upper, edge.second) - corner_at(body, edge.upper, edge.first));
  };
  std::vector<double> shares;
  for (std::size_t s = 0; s < edges.size(); ++s) {
    const double own = width(edges[s]);
    const auto beyond = [&](std::int32_t node) -> std::optional<double> {
      if (body.symmetry.planes_at(corner_at(body, edges[s].upper, node)) != 0) return own;
      for (const std::size_t other : at_node.at(node)) {
        if (other != s) return width(edges[other]);
      }
      return std::nullopt;
    };
    std::optional<double> before = beyond(edges[s].first), behind = beyond(edges[s].second);
    if (!before) before = 2.0 * own - behind.value_or(own);
    if (!behind) behind = 2.0 * own - *before;
    constexpr double most = 0.25;  // the value for cosine spacing at a tip
    shares.push_back(0.5 + std::clamp((*before - *behind) / (16.0 * own), -most, most));
  }
  return shares;
}

/// Moves the point of a quadrilateral along its surface.
void move_point(Panels& body, std::size_t j, const Vec3d& move) {
  const PanelShape<double>& shape = body.shape[j];
  Vec3d &centroid = body.centroid.changed()[j], &normal = body.normal.changed()[j];
  double& radius = body.radius.changed()[j];
  PanelPlace place = place_over(shape, centroid + move - dot(move, normal) * normal);
  // Away from the diagonal, where quadrilaterals of two flat triangles have a kink.
  constexpr double inwards = 1e-4;
  place.b += inwards * (1.0 / 3.0 - place.b);
  place.c += inwards * (1.0 / 3.0 - place.c);
  if (shape.curved) {
    const SurfacePoint at = place.point();
    centroid = at.point;
    normal = at.normal;
  } else {
    const auto& corner = place.triangle.corner;
    centroid = (1.0 - place.b - place.c) * corner[0] + place.b * corner[1] + place.c * corner[2];
  }
  radius = 0.0;
  for (const Vec3d& corner : shape.corner) radius = std::max(radius, norm(corner - centroid));
}

}  // namespace

std::vector<Vec3d> half_way_points(const Panels& body, std::span<const EdgeSegment> edges) {
  const std::vector<double> shares = half_way(body, edges);
  std::vector<Vec3d> points;
  for (std::size_t s = 0; s < edges.size(); ++s) {
    const Vec3d a = corner_at(body, edges[s].upper, edges[s].first),
                b = corner_at(body, edges[s].upper, edges[s].second);
    points.push_back(a + shares[s] * (b - a));
  }
  return points;
}

std::vector<std::int8_t> collocate_strips(Panels& body, std::span<const EdgeSegment> edges) {
  const std::vector<double> shares = half_way(body, edges);
  const PanelNeighbourhood around(body);
  std::vector<std::int8_t> along(body.size(), -1);
  for (std::size_t s = 0; s < edges.size(); ++s) {
    const EdgeSegment& edge = edges[s];
    for (const std::int32_t start : {edge.upper, edge.lower}) {
      const Vec3d base = start == edge.upper ? Vec3d{} : edge.base,
                  first = corner_at(body, edge.upper, edge.first) + base,
                  second = corner_at(body, edge.upper, edge.second) + base;
      std::int32_t panel = start;
      const auto corner_near = [&](const Vec3d& x) {
        const auto& corner = body.shape[static_cast<std::size_t>(panel)].corner;
        return static_cast<int>(std::min_element(corner, corner + 4,
                                                 [&](const Vec3d& a, const Vec3d& b) {
                                                   return norm(a - x) < norm(b - x);
                                                 }) -
                                corner);
      };
      std::int32_t a = -1, b = -1;  // the edge through which the strip enters the panel
      while (panel >= 0) {
        const auto j = static_cast<std::size_t>(panel);
        const meshes::Element& nodes = body.nodes[j];
        if (meshes::corner_count(nodes) != 4 || along[j] >= 0) break;
        if (a < 0) {
          a = nodes[static_cast<std::size_t>(corner_near(first))];
          b = nodes[static_cast<std::size_t>(corner_near(second))];
        }
        int k = 0;
        while (nodes[k] != a) ++k;
        const bool ahead = nodes[(k + 1) % 4] == b;  // whether a, b are in the order of the corners
        const int entry = ahead ? k : (k + 3) % 4;
        along[j] = static_cast<std::int8_t>(entry % 2);
        // From the side of a to that of b.
        const int side = ahead ? entry + 3 : entry + 1;
        const PanelShape<double>& shape = body.shape[j];
        move_point(body, j,
                   (shares[s] - 0.5) * (edge_middle(shape, side + 2) - edge_middle(shape, side)));
        a = nodes[(k + (ahead ? 3 : 1)) % 4];
        b = nodes[(k + 2) % 4];
        panel = -1;
        around.for_each_at_edge(a, b, [&](std::int32_t beside) {
          if (static_cast<std::size_t>(beside) < body.size() && beside != static_cast<int>(j) &&
              dot(around.normal(beside), around.normal(static_cast<std::int32_t>(j))) >=
                  around.least_cosine())
            panel = beside;
        });
      }
    }
  }
  body.edge_nodes = nullptr;
  return along;
}

}  // namespace rankine::bem
