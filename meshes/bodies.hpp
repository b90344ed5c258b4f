// Bodies: panels connected across edges, and whether their normals agree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

struct Bodies {
  std::int32_t count = 0;
  /// The body of each element, numbered in the order of their first elements.
  std::vector<std::int32_t> of_element;
  std::vector<bool> opposed;  ///< whether its normal disagrees with that of the first element
  /// An element at which a one-sided surface (a Möbius strip) reverses its normal.
  std::optional<std::size_t> one_sided;
};

/// Elements are joined where they share an edge; agreement is spread across edges of two elements.
Bodies find_bodies(const SurfaceMesh& mesh, const EdgeTable& edges);

/// Edges and bodies of a mesh, computed once for all functions that need them.
struct Connections {
  EdgeTable edges;
  Bodies bodies;

  explicit Connections(const SurfaceMesh& mesh) : edges(mesh), bodies(find_bodies(mesh, edges)) {}
};

/// The share of each panel in the volume of its body, m^3. The origin is a corner of the body,
/// moved onto the symmetry planes that the body meets; the missing lids in these planes then add
/// nothing.
AlignedVector<double> volumes_under(const SurfaceMesh& mesh, const Bodies& bodies,
                                    const Symmetry& symmetry);

/// Replaces the patches by one per body: "body", or "body1", "body2", … where there are several.
void patches_from_bodies(SurfaceMesh& mesh);

}  // namespace rankine::meshes
