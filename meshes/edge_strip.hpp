// Strips of equally deep panels along trailing edges: every mesh edge that leaves a trailing edge
// is cut at one distance from it. Panels are divided only; no node moves. Since each cut is a point
// of a mesh edge, the surface stays closed.
//
//        v                 v              v1 --- v2          v1 --- v2
//       / \               / \               \   /              |    |
//      w1--w2            /   \             w1--w2             w1 -- w2
//     /     \   from    /     \               \/    , and      |    |
//   u1 ----- u2       u1 ----- u2              u              u1 -- u2
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

struct EdgeStrip {
  std::size_t cut = 0;      ///< panels divided
  double depth = 0.0;       ///< distance of the cuts from the edge, m
  double shallowest = 0.0;  ///< smallest distance of the nodes beside the edge from it, m
  double median = 0.0;      ///< of these distances, m
  bool equal = false;       ///< these distances differ by less than a tenth
};

/// `line`: edges of panels on trailing edges. `base`: elements of blunt ones, which are not cut.
/// The depth is nine tenths of the shallowest: the rest of that panel is not arbitrarily thin, and
/// the wider the strip, the better its panels determine the circulation. Nothing is cut if
/// distances are equal already, or if the shallowest is below a tenth of the median, since panels
/// of the strip would be much longer than deep elsewhere. The pieces are parts of the curved
/// elements that the mid-nodes of the mesh describe, or `middles`, one entry per element.
EdgeStrip cut_strip(SurfaceMesh& mesh, std::span<const std::array<std::int32_t, 2>> line,
                    std::span<const std::int32_t> base, const Symmetry& symmetry,
                    std::span<const MidNodes> middles = {});

}  // namespace rankine::meshes
