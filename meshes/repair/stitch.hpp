// Joins parts of a surface that meet along a curve with different panels: a hull of twelve panels around
// and a bottom of twenty-four, two drawings of one circle. Each rim takes over the nodes of the other, and the
// panels there become triangles with these corners.
//
// Rims run along each other where a node of one lies within a tenth of an edge of the other from it: two
// chords of a curve part by (1/2) tan(a/4) of their length, a the angle by which it turns over one, a
// tenth where that is 45 degrees.
#pragma once

#include <cstddef>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Of the length of an edge: how far a node of another rim may be from it.
inline constexpr double stitch_reach = 0.1;

struct Stitches {
  std::size_t merged = 0;       ///< nodes that became one of the other rim
  std::size_t inserted = 0;     ///< corners that edges took over
  std::size_t open_before = 0;  ///< edges of one panel
  std::size_t open_after = 0;
};

/// Changes nothing where that closes no edge. Corners must be nodes of the mesh, coordinates finite.
Stitches stitch(SurfaceMesh& mesh);

}  // namespace rankine::meshes
