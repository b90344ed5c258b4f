// Normals of the fitted surface at collocation points, and surface gradients of values there: the
// slopes, at the point, of a cubic polynomial in the tangent plane (bem/panels/panel_patch.hpp).
#pragma once

#include <span>

#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

struct SurfaceGradient {
  AlignedVector<Vec3d> normal;    ///< unit normals of the fitted surface at the collocation points
  AlignedVector<Vec3d> gradient;  ///< surface gradient of f there, tangential to `normal`
};

/// Fits every panel. `values` has one entry per panel; images have the signs of their symmetry
/// planes.
SurfaceGradient surface_gradient(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values);

}  // namespace rankine::bem
