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

/// The count of a finding, and its first positions.
struct Finding {
  std::size_t count = 0;
  std::vector<std::size_t> first;  ///< up to five indices of elements or nodes
  Vec3d where;                     ///< position of the first, m; unset for non-finite nodes

  void add(std::size_t index, const Vec3d& position);
  /// Appends the findings of later elements.
  void join(const Finding& later);
};

/// Panels connected across edges.
struct Body {
  std::size_t panels = 0;
  double area = 0.0;  ///< m^2
  /// Signed volume, m^3, positive if normals point outwards. With symmetry planes, of the modelled
  /// part. Undefined for an open body.
  double volume = 0.0;
  bool thin = false;  ///< made of thin panels; has no volume
  BoundingBox box;

  void join(const Body& part);
};

struct MeshReport {
  std::size_t nodes = 0, triangles = 0, quadrilaterals = 0;
  std::vector<Body> bodies;
  double area = 0.0, volume = 0.0;  ///< sums over the bodies
  BoundingBox box;
  double min_edge = 0.0, max_edge = 0.0, mean_edge = 0.0;  ///< m
  double max_aspect = 0.0;  ///< longest edge over the mean width across it; 1 for a square

  Finding bad_indices;          ///< elements with a node that does not exist
  Finding non_finite_nodes;     ///< nodes in use with invalid coordinates
  Finding unused_nodes;         ///< harmless
  Finding degenerate;           ///< elements with a repeated corner, or area below 1e-12 edge^2
  Finding duplicates;           ///< elements with the same corners as an earlier one
  Finding boundary_edges;       ///< edges of one element only (its index): the surface is open
  Finding non_manifold_edges;   ///< edges of more than two elements, with images (index of one)
  Finding inconsistent_edges;   ///< edges where the normals disagree (index of one element)
  std::size_t plane_edges = 0;  ///< edges of one element in a symmetry plane: closed by its image
  std::size_t rim_edges = 0;    ///< edges of one element that is thin: rims of the surface

  std::shared_ptr<const Connections> connections;  ///< null if indices or coordinates are invalid

  bool watertight() const { return boundary_edges.count == 0 && non_manifold_edges.count == 0; }
};

/// Does not throw for an invalid mesh: if indices or coordinates are invalid, bodies, edges and
/// sizes stay empty. Nodes near symmetry planes must lie exactly on them (meet_planes()).
MeshReport check_mesh(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

}  // namespace rankine::meshes
