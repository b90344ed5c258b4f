// How the far field sees the panels: quadrature nodes that become the sources of the fmm::Operator,
// and the radius within which a panel is integrated accurately instead.
//
// Error model. Beyond a distance a from the target a rule of degree d (1, 2, 4) leaves, on a smooth
// surface of size L made of panels of size l, the double layer of a constant with the relative
// error
//
//   e(a) = C (l/L) (l/a)^p ,   p = 1, 3, 5 :
//
// each panel errs by moment * l^(p+1) / r^(p+2) of its own share l^2 / (L r), and the rings of
// panels beyond a sum to the above; odd moments cancel between neighbours. The single layer's
// constant is smaller. C is the constant measured on geodesic and cubed spheres (tests/bem). The
// wanted e is the user's, or a fifth of the discretization error of flat constant panels, 0.05
// (l/L)^2: then a/l grows only like N^(1/6). Panels are integrated by a 7-point rule from the
// middle radius on, by exact formulas below it.
#pragma once

#include <cstddef>
#include <vector>

#include "bem/panels.hpp"
#include "bem/quadrature.hpp"

namespace rankine::bem {

struct QuadratureOptions {
  /// Relative error of the boundary operators left by quadrature; 0: a fifth of the estimated
  /// discretization error.
  double tolerance = 0.0;
};

struct Discretization {
  FarRule rule = FarRule::quadratic;
  int nodes = 1;                    ///< far-field nodes per panel
  std::vector<Vec3d> points;        ///< panels x nodes
  std::vector<Vec3d> normals;       ///< panels x nodes
  std::vector<double> weights;      ///< panels x nodes, m^2
  std::vector<double> near_radius;  ///< per panel, m
  std::vector<double>
      middle_radius;            ///< per panel, m: exact formulas below, the 7-point rule above
  double tolerance = 0.0;       ///< the error asked of quadrature
  double error_estimate = 0.0;  ///< what the model expects with the radii taken
};

/// Chooses rule and radii. Throws InputError for a negative or not finite tolerance.
Discretization discretize(const Panels& panels, const QuadratureOptions& options = {});

/// Estimated relative discretization error of flat constant panels in the `green` formulation, 0.05
/// (l/L)^2.
double discretization_error_estimate(const Panels& panels);

}  // namespace rankine::bem
