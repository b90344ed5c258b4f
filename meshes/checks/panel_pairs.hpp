// Finds pairs of panels without a common corner that cross, touch, or are closer than their size
// resolves.
//
// The size of a panel is its width normal to its longest edge; the neighbours of a long panel
// resolve the surface in the other direction. For a square and an equilateral triangle it equals
// the edge:
//
//   size = A / longest edge                    quadrilateral
//   size = 4 A / (sqrt(3) longest edge)        triangle
//
// The cost is linear if each panel has few others near it; long panels are cut into pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

enum class PairKind : std::uint8_t {
  bodies_cross,   ///< panels of two bodies intersect
  bodies_touch,   ///< the space between two bodies is not resolved; value: distance/size
  surface_cross,  ///< panels of one body intersect
  gap,            ///< fluid between two panels that face each other; value: distance/size
  thin_wall       ///< solid between two panels, back to back; value: distance/size
};

/// A panel with its worst partner, for one kind.
struct PairFinding {
  PairKind kind;
  std::int32_t panel, other;
  double value = 0.0;
};

/// At most one finding per panel and kind, sorted by kind and panel. Panels must have positive
/// area; normals must point out of the bodies.
std::vector<PairFinding> find_pairs(const SurfaceMesh& mesh, const Bodies& bodies);

/// Gaps between panels that face a symmetry plane and their images. `other` is the panel itself;
/// the value is twice the distance from the plane, over the size. Panels with a node on the plane
/// are skipped.
std::vector<PairFinding> find_gaps_to_images(const SurfaceMesh& mesh, const Symmetry& symmetry);

}  // namespace rankine::meshes
