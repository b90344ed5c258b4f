// How the far field sees the panels: quadrature nodes that become the sources of the fmm::Operator,
// and the radius within which a panel is integrated accurately instead.
//
// Error model. Beyond a distance a from the target a rule of degree d (1, 2, 4) leaves, on a smooth
// surface of size L made of panels of size l, the double layer of a constant with relative error
//
//   e(a) = C (l/L) (l/a)^p ,   p = 1, 3, 5 :
//
// a panel's own share is l^2/(L r), its relative error (l/r)^(p+1) times a moment; the rings of
// panels beyond a sum to the above, and odd moments cancel between neighbours. The single layer's
// error is smaller. C = 0.045, 0.0014, 0.00005 bounds what geodesic, graded and cubed spheres,
// ellipsoids and tori of 1280 to 8000 panels show (tests/bem checks the promise). The wanted e is
// the user's, or a fifth of the discretization error of flat constant panels, 0.05 (l/L)^2 on
// spheres: then a/l grows only like N^(1/6), from 1.5 at 10^4 panels to 2.9 at 10^6. The rule is
// the cheapest in nodes and near entries. Panels are integrated by a 7-point rule of degree 5 from
// the middle radius on, where it leaves a tenth of the wanted e, by exact formulas below it.
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/quadrature.hpp"

namespace rankine::bem {

struct QuadratureOptions {
  /// Relative error of the boundary operators left by quadrature; 0: a fifth of the estimated
  /// discretization error.
  double tolerance = 0.0;
};

struct PanelNodes {
  FarRule rule = FarRule::quadratic;
  int per_panel = 1;
  std::vector<Vec3d> points;        ///< panels x nodes
  std::vector<Vec3d> normals;       ///< panels x nodes
  std::vector<double> weights;      ///< panels x nodes, m^2
  std::vector<double> near_radius;  ///< per panel, m
  /// Per panel, m: exact formulas below, the 7-point rule above.
  std::vector<double> middle_radius;
  double tolerance = 0.0;       ///< the error asked of quadrature
  double error_estimate = 0.0;  ///< what the model expects with the radii taken
};

/// Chooses rule and radii. Throws InputError for a negative or not finite tolerance.
PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options = {});

/// Estimated relative discretization error of flat constant panels
/// in the `green` formulation: 0.05 (l/L)^2.
double discretization_error_estimate(const Panels& panels);

}  // namespace rankine::bem
