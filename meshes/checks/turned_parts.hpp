// Finds parts that are inside out, in a surface that passes through itself.
//
// The winding number of a closed surface counts how often it encloses a point, positive where the
// normals point outwards. In front of a panel it is
//
//   0     the fluid: the panel is a wall
//   > 0   another part of the body: the panel is not in the fluid
//   < 0   a region enclosed with normals pointing inwards: the fluid is behind the panel
//
// Conditions are set in front of panels. Sources solve a flow with panels of the first two kinds,
// because panels within the body change nothing in the fluid; no formulation solves one with the
// third.
#pragma once

#include <cstdint>
#include <span>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

/// Whether the total area of panels with the fluid behind them exceeds `area`, m^2. `crossing`: 1
/// for panels that pass through others, which are not counted. The mesh must be closed and
/// oriented.
bool are_turned(const SurfaceMesh& mesh, const Connections& connections, const Symmetry& symmetry,
                std::span<const std::uint8_t> crossing, double area);

}  // namespace rankine::meshes
