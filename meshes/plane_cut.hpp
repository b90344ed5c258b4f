// The lines along which a plane cuts a surface.
//
// Panels are cut as triangles; a quadrilateral is split along its first diagonal. A node on the
// plane counts as above it. Each triangle is then cut twice or not at all, and cuts through nodes
// or along edges are not special. If this finds nothing, as on the rim of half a model, such nodes
// count as below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// x = (1 - share) x_from + share x_to, and the same for values that are linear on the panels.
struct CutPoint {
  std::int32_t from, to;  ///< nodes
  double share;
  std::size_t element;  ///< the next element of the line; at the last point, the previous one
};

struct CutLine {
  std::vector<CutPoint> points;  ///< two at least; a closed one ends where it began
  bool closed = false;
};

struct PlaneCut {
  std::vector<CutLine> lines;  ///< the longest first
  double distance = 0.0;       ///< of the nearest node from a plane that cuts nothing, m
};

/// `normal` may have any length but zero. Lines run counter-clockwise about the normal.
PlaneCut cut_by_plane(const SurfaceMesh& mesh, const Vec3d& origin, const Vec3d& normal);

inline Vec3d position(const SurfaceMesh& mesh, const CutPoint& point) {
  return (1.0 - point.share) * mesh.nodes[point.from] + point.share * mesh.nodes[point.to];
}

}  // namespace rankine::meshes
