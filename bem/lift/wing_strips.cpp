#include "rankine/bem/lift/wing_strips.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/fmm/core/parallel.hpp"

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

/// A panel of a strip, and the edge, 0 to 3, across which the strip enters it.
struct Entered {
  std::int32_t panel;
  std::int8_t entry;
  std::int8_t side;  ///< the edge on the side of the first node of the segment
};

/// The quadrilaterals of a strip from the panel `start` on a segment, whose corners there are close
/// to `first` and `second`.
std::vector<Entered> strip_from(const PanelNeighbourhood& around, std::int32_t start,
                                const Vec3d& first, const Vec3d& second) {
  const Panels& body = around.panels();
  std::vector<Entered> strip;
  std::int32_t a = -1, b = -1;  // the edge through which the strip enters the panel
  for (std::int32_t panel = start; panel >= 0;) {
    const auto j = static_cast<std::size_t>(panel);
    const meshes::Element& nodes = body.nodes[j];
    if (meshes::corner_count(nodes) != 4 || (!strip.empty() && panel == start)) break;
    if (a < 0) {
      const auto node_near = [&](const Vec3d& x) {
        const auto& corner = body.shape[j].corner;
        const auto closest = std::min_element(
            corner, corner + 4,
            [&](const Vec3d& p, const Vec3d& q) { return norm(p - x) < norm(q - x); });
        return nodes[static_cast<std::size_t>(closest - corner)];
      };
      a = node_near(first);
      b = node_near(second);
    }
    int k = 0;
    while (nodes[k] != a) ++k;
    const bool ahead = nodes[(k + 1) % 4] == b;  // whether a, b are in the order of the corners
    const int entry = ahead ? k : (k + 3) % 4;
    strip.push_back({panel, static_cast<std::int8_t>(entry),
                     static_cast<std::int8_t>((ahead ? entry + 3 : entry + 1) % 4)});
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
  return strip;
}

/// Point, normal and radius of panels that change.
struct PanelPoints {
  Vec3d *centroid, *normal;
  double* radius;

  explicit PanelPoints(Panels& body)
      : centroid(body.centroid.changed().data()),
        normal(body.normal.changed().data()),
        radius(body.radius.changed().data()) {}

  /// Moves the point of a quadrilateral along its surface.
  void move(const PanelShape<double>& shape, std::size_t j, const Vec3d& by) const {
    PanelPlace place = place_over(shape, centroid[j] + by - dot(by, normal[j]) * normal[j]);
    // Away from the diagonal, where quadrilaterals of two flat triangles have a kink.
    constexpr double inwards = 1e-4;
    place.b += inwards * (1.0 / 3.0 - place.b);
    place.c += inwards * (1.0 / 3.0 - place.c);
    if (shape.curved) {
      const SurfacePoint at = place.point();
      centroid[j] = at.point;
      normal[j] = at.normal;
    } else {
      const auto& corner = place.triangle.corner;
      centroid[j] =
          (1.0 - place.b - place.c) * corner[0] + place.b * corner[1] + place.c * corner[2];
    }
    radius[j] = 0.0;
    for (const Vec3d& corner : shape.corner)
      radius[j] = std::max(radius[j], norm(corner - centroid[j]));
  }
};

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
  std::vector<std::vector<Entered>> strips(2 * edges.size());
  parallel_for(strips.size(), [&](std::size_t k) {
    const EdgeSegment& edge = edges[k / 2];
    const bool upper = k % 2 == 0;
    const Vec3d base = upper ? Vec3d{} : edge.base;
    strips[k] = strip_from(around, upper ? edge.upper : edge.lower,
                           corner_at(body, edge.upper, edge.first) + base,
                           corner_at(body, edge.upper, edge.second) + base);
  });
  // A strip ends where another one has been before.
  std::vector<std::int8_t> along(body.size(), -1);
  for (std::vector<Entered>& strip : strips) {
    const auto end = std::find_if(strip.begin(), strip.end(), [&](const Entered& each) {
      std::int8_t& of_panel = along[static_cast<std::size_t>(each.panel)];
      if (of_panel >= 0) return true;
      of_panel = static_cast<std::int8_t>(each.entry % 2);
      return false;
    });
    strip.erase(end, strip.end());
  }
  const PanelPoints points(body);
  parallel_for(strips.size(), [&](std::size_t k) {
    for (const Entered& each : strips[k]) {
      const auto j = static_cast<std::size_t>(each.panel);
      const PanelShape<double>& shape = body.shape[j];
      const Vec3d across = edge_middle(shape, each.side + 2) - edge_middle(shape, each.side);
      points.move(shape, j, (shares[k / 2] - 0.5) * across);
    }
  });
  body.edge_nodes = nullptr;
  return along;
}

}  // namespace rankine::bem
