// Normals of the fitted surface at collocation points, and surface gradients of values there: the
// slopes, at the point, of a cubic polynomial in the tangent plane (bem/panels/panel_patch.hpp).
#pragma once

#include <span>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

struct SurfaceGradient {
  AlignedVector<Vec3d> normal;    ///< unit normals of the fitted surface at the collocation points
  AlignedVector<Vec3d> gradient;  ///< surface gradient of f there, tangential to `normal`
};

/// Fits the panels of `rows`; results of others are zero. `values` has one entry per panel; images
/// have the signs of their symmetry planes.
SurfaceGradient surface_gradient(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values, const RowRange& rows = {});

}  // namespace rankine::bem
