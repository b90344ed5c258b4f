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
  std::vector<bool> opposed;  ///< does the element disagree with its body's first one?
  /// An element where the surface comes back to itself with the other side: it has no outside.
  std::optional<std::size_t> one_sided;
};

/// Elements are joined where they share an edge; agreement is spread across edges of two elements.
Bodies find_bodies(const SurfaceMesh& mesh, const EdgeTable& edges);

/// What the panels of a mesh are to one another, found once for all that ask.
struct Connections {
  EdgeTable edges;
  Bodies bodies;

  explicit Connections(const SurfaceMesh& mesh) : edges(mesh), bodies(find_bodies(mesh, edges)) {}
};

/// What each panel adds to the volume of its body, m^3, seen from a corner of the body that is moved onto the symmetry
/// planes which the body meets, where the lids that it lacks there have no share in the sum.
AlignedVector<double> volumes_under(const SurfaceMesh& mesh, const Bodies& bodies,
                                    const Symmetry& symmetry);

/// Replaces the patches by one per body: "body", or "body1", "body2", … where there are several.
void patches_from_bodies(SurfaceMesh& mesh);

}  // namespace rankine::meshes
