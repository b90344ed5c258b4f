// Normals of the smooth surface that a mesh stands for, at its nodes: one for every side of the surface
// there that is not cut off by sharp edges, from a polynomial of the height over the nodes around
// (bem/panels/plane_fit.hpp).
#pragma once

#include <span>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// Unit normals at the corners of all panels, whose nodes are in metres; edges between panels whose normals differ by
/// more than `sharp_angle`, radians, are sharp.
CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes,
                             double sharp_angle);

}  // namespace rankine::bem
