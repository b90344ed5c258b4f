// Checks a surface mesh: half-edge topology, degenerate panels, sizes.
//
// Every panel with corners (a, b, c, …) has half-edges a->b, b->c, … . A closed, consistently
// oriented manifold has each edge exactly twice, once in each direction. Cost is O(N), about 0.3 s
// per million panels.
#pragma once

#include <memory>
#include <vector>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

/// How often something was found, and where first.
struct Finding {
  std::size_t count = 0;
  std::vector<std::size_t> first;  ///< up to five indices, elements or nodes as the member says
  Vec3d where;                     ///< position of the first, m; not for non-finite nodes

  void add(std::size_t index, const Vec3d& position);
};

/// Panels connected across edges.
struct Body {
  std::size_t panels = 0;
  double area = 0.0;  ///< m^2
  /// Signed, positive when normals point out; of the part that is modelled where there are symmetry
  /// planes; means nothing when open, m^3.
  double volume = 0.0;
  bool thin = false;  ///< its panels are; no volume
  BoundingBox box;
};

struct MeshReport {
  std::size_t nodes = 0, triangles = 0, quadrilaterals = 0;
  std::vector<Body> bodies;
  double area = 0.0, volume = 0.0;  ///< sums over the bodies
  BoundingBox box;
  double min_edge = 0.0, max_edge = 0.0, mean_edge = 0.0;  ///< m
  double max_aspect = 0.0;  ///< longest edge over the mean width across it; 1 for a square

  Finding bad_indices;          ///< elements that name a node which does not exist
  Finding non_finite_nodes;     ///< used nodes
  Finding unused_nodes;         ///< harmless
  Finding degenerate;           ///< elements with a corner twice, or area below 1e-12 of edge^2
  Finding duplicates;           ///< elements with the same corners as an earlier one
  Finding boundary_edges;       ///< edges of one element (that element): the surface is open
  Finding non_manifold_edges;   ///< edges of three elements or more, images included (one of them)
  Finding inconsistent_edges;   ///< edges whose two elements (one of them) disagree on the normal
  std::size_t plane_edges = 0;  ///< of one element, in a symmetry plane: closed by its image
  std::size_t rim_edges = 0;    ///< of one element, which is thin: where the surface ends

  std::shared_ptr<const Connections> connections;  ///< null where indices or coordinates are broken

  bool watertight() const { return boundary_edges.count == 0 && non_manifold_edges.count == 0; }
  bool consistent() const { return inconsistent_edges.count == 0; }
};

/// Never throws for a broken mesh: if indices or coordinates are invalid, bodies, edges and sizes
/// stay empty. Nodes near symmetry planes must lie on them (meet_planes()).
MeshReport check_mesh(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

}  // namespace rankine::meshes
