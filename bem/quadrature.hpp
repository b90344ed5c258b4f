// Fixed quadrature rules on triangles and quadrilaterals, as points in corner weights.
//
// Triangles: symmetric rules with positive weights and interior points, degree 1 (1 point), 2 (3),
// 4 (6), 5 (7) [Strang & Fix 1973; Dunavant, Int. J. Numer. Meth. Eng. 21 (1985)]. Quadrilaterals:
// product Gauss on the bilinear map. Triangles in a mesh that also has quadrilaterals take the
// product rule collapsed onto the triangle, so that every panel of a mesh has the same number of
// nodes.
#pragma once

#include <array>
#include <vector>

#include "bem/panel_integrals.hpp"

namespace rankine::bem {

/// One point of a triangle rule: barycentric coordinates and the fraction of the area.
struct TrianglePoint {
  double a, b, c, weight;
};

/// The symmetric triangle rule with 1, 3, 6 or 7 points.
std::vector<TrianglePoint> triangle_rule(int points);

/// A node of the far field: position and weight in m^2.
struct FarNode {
  Vec3d point;
  double weight;
};

/// Far-field rules by increasing accuracy.
enum class FarRule { centroid, quadratic, quartic };

/// Puts the far-field nodes of one rule on panels: 1, 3, 6 per panel in a mesh of triangles; 1, 4,
/// 9 in a mesh that has quadrilaterals.
class FarQuadrature {
 public:
  FarQuadrature(FarRule rule, bool has_quadrilaterals);

  int nodes() const { return nodes_; }

  /// Nodes of one panel; the weights sum to its area. Nodes of warped quadrilaterals lie on its two
  /// triangles.
  void place(const PanelShape<double>& panel, const Vec3d& collocation, double area,
             FarNode* out) const;

 private:
  void place_on_quadrilateral(const PanelShape<double>& panel, double area, FarNode* out) const;

  int nodes_;
  std::vector<TrianglePoint> triangle_;
  std::vector<std::array<double, 2>> gauss_;  ///< points and weights on [0, 1]
};

}  // namespace rankine::bem
