// Parts of a surface that passes through itself which are turned inside out.
//
// The winding number of a closed surface counts how often it encloses a point, with normals out of
// what is enclosed. In front of a panel it is
//
//   0     the fluid: the panel is a wall
//   > 0   another part of the body: the panel is not in the fluid
//   < 0   what the surface encloses with normals inwards: the fluid is behind the panel
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

/// Whether panels with the fluid behind them have more than `area` in all, m^2. `crossing`: 1 for
/// panels that pass through others, which are not counted. The mesh must be closed and oriented.
bool are_turned(const SurfaceMesh& mesh, const Connections& connections, const Symmetry& symmetry,
                std::span<const std::uint8_t> crossing, double area);

}  // namespace rankine::meshes
