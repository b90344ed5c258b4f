// Computes the lines along which a plane cuts a surface.
//
// Panels are cut as triangles; a quadrilateral is split along its first diagonal. Nodes on the
// plane count as above it, so each triangle has two cut edges or none, without special cases for
// nodes and edges in the plane. If this finds nothing, as on the rim of a half model, such nodes
// count as below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// x = (1 - share) x_from + share x_to; fields linear on the panels are interpolated in the same
/// way.
struct CutPoint {
  std::int32_t from, to;  ///< nodes
  double share;
  std::size_t element;  ///< the element after the point; at the last point, the one before
};

struct CutLine {
  std::vector<CutPoint> points;  ///< at least two; a closed line repeats its first point
  bool closed = false;
};

struct PlaneCut {
  std::vector<CutLine> lines;  ///< the longest first
  double distance = 0.0;       ///< distance of the nearest node if the plane cuts nothing, m
};

/// `normal` may have any nonzero length. Lines run counter-clockwise about it.
PlaneCut cut_by_plane(const SurfaceMesh& mesh, const Vec3d& origin, const Vec3d& normal);

inline Vec3d position(const SurfaceMesh& mesh, const CutPoint& point) {
  return (1.0 - point.share) * mesh.nodes[point.from] + point.share * mesh.nodes[point.to];
}

}  // namespace rankine::meshes
