// Finds the bodies of a mesh, that is, panels connected across edges, and checks whether their
// normals agree.
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
  /// The body of each element; bodies are numbered in the order of their first elements.
  std::vector<std::int32_t> of_element;
  std::vector<bool> opposed;  ///< per element: whether its normal disagrees with that of its body's
                              ///< first element
  /// An element of a one-sided surface (a Möbius strip) where the normal reverses.
  std::optional<std::size_t> one_sided;
};

/// Elements are connected if they share an edge. Agreement propagates across edges with two
/// elements.
Bodies find_bodies(const SurfaceMesh& mesh, const EdgeTable& edges);

/// Edges and bodies of a mesh, computed once for several functions.
struct Connections {
  EdgeTable edges;
  Bodies bodies;

  explicit Connections(const SurfaceMesh& mesh) : edges(mesh), bodies(find_bodies(mesh, edges)) {}
};

/// The contribution of each panel to the volume of its body, m^3. The origin is a corner of the
/// body, projected onto the symmetry planes that the body meets, so that the missing lids in these
/// planes contribute nothing.
AlignedVector<double> volumes_under(const SurfaceMesh& mesh, const Bodies& bodies,
                                    const Symmetry& symmetry);

/// Replaces the patches by one per body: "body", or "body1", "body2", … for several bodies.
void patches_from_bodies(SurfaceMesh& mesh);

}  // namespace rankine::meshes
