// Fixed quadrature rules on panels: the nodes by which the far field sees them.
//
// Triangles have symmetric rules with positive weights and interior points, of degree 1 (1 point),
// 2 (3), 4 (6), 5 (7) and 6 (12) [SF73, D85]. A quadrilateral takes the rule on both of its
// triangles, each node with its triangle's normal: the same surface as the exact integrals see,
// warped or not.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/quadrature_node.hpp"

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
int far_nodes(FarRule rule, int corners);

/// Puts the nodes of a rule on a panel; the weights sum to its area. A single node is the collocation
/// point to the last bit, since coincident points do not act on each other.
void place_far_nodes(FarRule rule, const PanelShape<double>& panel, const Vec3d& collocation,
                     QuadratureNode* out);

}  // namespace rankine::bem
