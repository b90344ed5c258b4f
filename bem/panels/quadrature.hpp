// Fixed quadrature rules on panels: the nodes by which the far field sees them.
//
// Triangles have symmetric rules with positive weights and interior points, of degree 1 (1 point),
// 2 (3), 4 (6), 5 (7) and 6 (12) [SF73, D85]. A quadrilateral takes the rule on both of its
// triangles, each node with its triangle's normal: the same surface as the exact integrals see,
// warped or not. Triangles of a mesh that also has quadrilaterals take the rule with twice the
// points, so that every panel of a mesh has the same number of nodes.
#pragma once

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
enum class FarRule { centroid, quadratic, quartic };

/// Most nodes a panel can have.
inline constexpr int most_far_nodes = 12;

/// Puts the far-field nodes of one rule on panels: 1, 3, 6 per panel in a mesh of triangles;
/// 1, 6, 12 in a mesh that has quadrilaterals.
class FarQuadrature {
 public:
  FarQuadrature(FarRule rule, bool has_quadrilaterals);

  int nodes() const { return nodes_; }

  /// Nodes of one panel; the weights sum to its area. A single node is the collocation point to the
  /// last bit, since coincident points do not act on each other.
  void place(const PanelShape<double>& panel, const Vec3d& collocation, QuadratureNode* out) const;

 private:
  int nodes_;
  std::vector<TrianglePoint> on_triangle_;  ///< of a triangular panel
  std::vector<TrianglePoint> on_half_;      ///< of each half of a quadrilateral
  std::vector<TrianglePoint> middle_rule_;  ///< measures the panel that has a single node
};

}  // namespace rankine::bem
