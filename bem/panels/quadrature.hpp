// Fixed quadrature rules on panels. Their nodes are the sources of the far field.
//
// Triangles have symmetric rules with positive weights and interior points, of degree 1 (1 point),
// 2 (3), 4 (6), 5 (7) and 6 (12) [SF73, D85]. A quadrilateral has the rule on both of its
// triangles, and each node has the normal of its triangle. So quadrature and exact integrals use
// the same surface, also for warped panels.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

/// One point of a triangle rule: barycentric coordinates and the fraction of the area.
struct TrianglePoint {
  double a, b, c, weight;
};

/// The symmetric triangle rule with 1, 3, 6, 7 or 12 points.
std::vector<TrianglePoint> triangle_rule(int points);

/// Far-field rules by increasing accuracy: degree 1, 2 and 4.
enum class FarRule : std::uint8_t { centroid, quadratic, quartic };

/// Nodes of a rule on a panel: 1, 3, 6 on a triangle; 1, 6, 12 on a quadrilateral.
RANKINE_HD constexpr int far_nodes(FarRule rule, int corners) {
  if (rule == FarRule::centroid) return 1;
  return (rule == FarRule::quadratic ? 3 : 6) * (corners - 2);
}

/// The triangle rules of the far-field rules.
struct FarNodeRules {
  TrianglePoint quadratic[3], quartic[6];
};
const FarNodeRules& far_node_rules();

/// Calls write(node) for the nodes of a rule on a panel; the sum of the weights is its area. The
/// node of a one-point rule is exactly the collocation point, so that a panel's own contribution is
/// zero; its weight and normal are those of the vector area. Host and device.
template <class Write>
RANKINE_HD void place_far_nodes(const FarNodeRules& rules, FarRule rule,
                                const PanelShape<double>& panel, const Vec3d& collocation,
                                const Write& write) {
  const bool is_single = rule == FarRule::centroid;
  const int points = rule == FarRule::quartic ? 6 : 3;
  Vec3d whole{};
  double area = 0.0;
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(panel, half);
    for (int k = 0; k < points; ++k) {
      const TrianglePoint& p = rule == FarRule::quartic ? rules.quartic[k] : rules.quadratic[k];
      const Vec3d vector_area = triangle.vector_area(p.a, p.b, p.c);
      const double length = norm(vector_area), weight = p.weight * length;
      const Vec3d normal = length > 0.0 ? vector_area / length : Vec3d{};
      whole += weight * normal;
      area += weight;
      if (!is_single) write(QuadratureNode{triangle.point(p.a, p.b, p.c), normal, weight});
    }
  }
  if (is_single) write(QuadratureNode{collocation, normalized(whole), area});
}

}  // namespace rankine::bem
