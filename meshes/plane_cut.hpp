// The lines along which a plane cuts a surface.
//
// Panels are cut as triangles, a quadrilateral along its first diagonal. A node on the plane counts as above it, so
// that every triangle is cut twice or not at all, and cuts through nodes and along edges need no case of their own;
// where that finds nothing, as on the rim of half a model, such nodes count as below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// x = (1 - share) x_from + share x_to, and so is whatever is linear on the panels.
struct CutPoint {
  std::int32_t from, to;  ///< nodes
  double share;
  std::size_t element;  ///< on which the line goes on from here; at its end, came here
};

struct CutLine {
  std::vector<CutPoint> points;  ///< two at least; a closed one ends where it began
  bool closed = false;
};

struct PlaneCut {
  std::vector<CutLine> lines;  ///< the longest first
  double distance = 0.0;       ///< of the nearest node from a plane that cuts nothing, m
};

/// `normal` of any length but zero. Round a body lines run counter-clockwise about it.
PlaneCut cut_by_plane(const SurfaceMesh& mesh, const Vec3d& origin, const Vec3d& normal);

inline Vec3d position(const SurfaceMesh& mesh, const CutPoint& point) {
  return (1.0 - point.share) * mesh.nodes[point.from] + point.share * mesh.nodes[point.to];
}

}  // namespace rankine::meshes
