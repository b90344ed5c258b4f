// Finds the bodies of a mesh, that is, panels connected across edges, and checks whether their
// normals agree.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"
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

/// The first element of every body.
std::vector<std::size_t> first_elements(const Bodies& bodies);

/// One value per body, accumulated over its elements: by add(e, value) within blocks of consecutive
/// elements, then by join(value, value of a block) in ascending order.
template <class T, class Add, class Join>
std::vector<T> value_of_bodies(const Bodies& bodies, const Add& add, const Join& join) {
  using Runs = std::vector<std::pair<std::int32_t, T>>;  // of consecutive elements of one body
  const Runs runs =
      parallel_reduce(bodies.of_element.size(), Runs{}, [&](std::size_t e, Runs& of_block) {
        const std::int32_t body = bodies.of_element[e];
        if (of_block.empty() || of_block.back().first != body) of_block.emplace_back(body, T{});
        add(e, of_block.back().second);
      });
  std::vector<T> values(static_cast<std::size_t>(bodies.count));
  for (const auto& [body, value] : runs) join(values[static_cast<std::size_t>(body)], value);
  return values;
}

/// Elements are connected if they share an edge. Agreement propagates across edges with two
/// elements.
Bodies find_bodies(const SurfaceMesh& mesh, const EdgeTable& edges);

/// Throws MeshError if a surface has only one side.
void require_two_sides(const SurfaceMesh& mesh, const Bodies& bodies);

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
