// Panels that cross, touch or come closer than they can resolve, without sharing a node.
//
// The size of a panel is its width across its longest edge: along a long panel, its neighbours
// resolve the surface. For a square and an equilateral triangle it is the edge:
//
//   size = A / longest edge                    quadrilateral
//   size = 4 A / (sqrt(3) longest edge)        triangle
//
// The cost is linear if each panel has few near it; long panels are searched in pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

enum class PairKind : std::uint8_t {
  bodies_cross,   ///< panels of two bodies pass through each other
  bodies_touch,   ///< nothing between panels of two bodies is resolved; value: distance/size
  surface_cross,  ///< panels of one body pass through each other
  gap,            ///< fluid between two panels that face each other; value: distance/size
  thin_wall       ///< solid between two panels, back to back; value: distance/size
};

/// A panel and the other panel that is worst for it, of this kind.
struct PairFinding {
  PairKind kind;
  std::int32_t panel, other;
  double value = 0.0;
};

/// At most one per panel and kind, sorted by kind and panel. Every panel must have an area, and the
/// normals must point out of the bodies.
std::vector<PairFinding> find_pairs(const SurfaceMesh& mesh, const Bodies& bodies);

/// Gaps between panels that face a symmetry plane and their images: `other` is the panel itself,
/// the value is twice the distance from the plane over the size. Panels with a node on the plane
/// have no gap.
std::vector<PairFinding> find_gaps_to_images(const SurfaceMesh& mesh, const Symmetry& symmetry);

}  // namespace rankine::meshes
