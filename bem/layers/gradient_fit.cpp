#include "rankine/bem/layers/gradient_fit.hpp"

#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/tangents.hpp"

namespace rankine::bem {

namespace {

/// Of the panels around one that is in need of neighbours; needles have them all at the hub of their fan, and
/// every one takes an entry of the strengths of every node.
constexpr std::size_t most_neighbours = 16;

}  // namespace

void GradientFit::find_neighbours(const PanelNeighbourhood& around, std::int32_t panel) {
  around.collect_beside(panel, neighbours);
  if (neighbours.size() >= 3) return;
  around.collect(panel, 1, ring);
  const std::size_t count = ring.panels.size();
  if (count <= most_neighbours) {
    neighbours = ring.panels;
    return;
  }
  const std::size_t joining = most_neighbours - neighbours.size();
  for (std::size_t k = 0; k < joining; ++k) add_once(neighbours, ring.panels[k * count / joining]);
}

void GradientFit::fit_neighbours(const PanelNeighbourhood& around, std::int32_t panel) {
  const Panels& panels = around.panels();
  factors.assign(neighbours.size(), Vec3d{});
  const Vec3d n = panels.normal[panel];
  const Tangents tangents(n);
  const Vec3d t1 = tangents.t1, t2 = tangents.t2;
  double a = 0.0, b = 0.0, c = 0.0;
  const auto offset = [&](std::int32_t j) {
    const Vec3d r = around.centroid(j) - panels.centroid[panel];
    const double weight = 1.0 / dot(r, r);
    return Vec3d{dot(r, t1), dot(r, t2), weight};
  };
  for (const std::int32_t j : neighbours) {
    const Vec3d r = offset(j);
    a += r.z * r.x * r.x;
    b += r.z * r.x * r.y;
    c += r.z * r.y * r.y;
  }
  const double determinant = a * c - b * b, trace = a + c;
  if (!(determinant > 1e-3 * trace * trace)) return;
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const Vec3d r = offset(neighbours[k]);
    factors[k] = (r.z / determinant) * ((c * r.x - b * r.y) * t1 + (a * r.y - b * r.x) * t2);
  }
}

}  // namespace rankine::bem
