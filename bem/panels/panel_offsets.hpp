// Distances from panels to the body. The nodes of a mesh are on the body, which is smooth between
// sharp edges, and curved panels follow it. With the polynomial F that is fitted to the heights of
// the collocation points around a flat panel (PanelPatch), the body is
//
//   d = mean over the corners of (height of the corner - F at the corner)
//
// above the collocation point: zero on planes, the sagitta on a sphere.
//
// The mesh does not show whether the body is round at a sharp edge. If it is round with the
// curvature of F, it lies further outside by F(0) - (F(r) + F(-r))/2, where r is the vector from
// the point to the middle of the edge. This is added to d.
#pragma once

#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// One entry per panel.
struct PanelOffsets {
  /// d, along the normal, m. Few points may determine F badly, so that |d| is limited to the
  /// highest bulge of an edge as long as the panel.
  std::vector<double> height;
  /// Normal of the body minus that of the panel, the mean of -grad d over the panel. At nodes d is
  /// the mean over their panels.
  std::vector<Vec3d> turn;
};

PanelOffsets panel_offsets(const PanelNeighbourhood& around);

}  // namespace rankine::bem
