// Normals of the smooth surface that a mesh stands for, at its nodes: one for every side of the surface
// there that is not cut off by sharp edges, from a polynomial of the height over the nodes around
// (bem/panels/plane_fit.hpp).
#pragma once

#include <array>
#include <span>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// By panel and corner; bulges need no more digits.
using CornerNormals = AlignedVector<std::array<Vec3<float>, 4>>;

/// Unit normals at the corners of all panels. `nodes` in metres, one per node of the mesh; edges between
/// panels whose normals differ by more than `sharp_angle`, radians, are sharp.
CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes,
                             double sharp_angle);

}  // namespace rankine::bem
