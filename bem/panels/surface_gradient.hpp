// Surface normals and surface gradients of second order from values at collocation points, on the
// smooth surface that bem/panels/panel_patch.hpp fits around every panel. With the height zeta and the
// tangents T_1 = t_1 + zeta_xi n, T_2 = t_2 + zeta_eta n, the gradient solves T_1.g = f_xi, T_2.g =
// f_eta, N.g = 0.
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
