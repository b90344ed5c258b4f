// Surface normals and surface gradients of second order from values at collocation points, on the
// smooth surface that bem/panels/panel_patch.hpp fits around every panel. With its height
// zeta(xi, eta) over the panel's plane, whose axes are t_1 and t_2, the gradient g solves
//
//   T_1.g = f_xi ,    T_1 = t_1 + zeta_xi n
//   T_2.g = f_eta ,   T_2 = t_2 + zeta_eta n
//   N.g   = 0 ,       N = T_1 x T_2
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

struct SurfaceGradient {
  std::vector<Vec3d> normal;    ///< unit normals of the fitted surface at the collocation points
  std::vector<Vec3d> gradient;  ///< surface gradient of f there, tangential to `normal`
};

/// Fits every panel; `values` has one entry per panel.
SurfaceGradient surface_gradient(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values);

}  // namespace rankine::bem
