// The edges of a surface mesh, each with the elements that have it, sorted in O(N).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

/// One element's side of an edge.
struct HalfEdge {
  std::int32_t far_node;  ///< the edge's larger node
  std::int32_t element;
  bool forward;  ///< whether the element runs from the smaller node to the larger one
};

/// Half-edges in buckets of their smaller node, each bucket sorted by (far node, element). Corners
/// must be nodes of the mesh; an edge from a node to itself is left out.
class EdgeTable {
 public:
  explicit EdgeTable(const SurfaceMesh& mesh);

  /// The sides of the edge between two nodes.
  std::span<const HalfEdge> at(std::int32_t a, std::int32_t b) const;

  /// Calls visit(near_node, half_edges) once per edge, nodes in rising order.
  template <class Visit>
  void for_each_edge(Visit visit) const {
    for (std::size_t node = 0; node + 1 < start_.size(); ++node) {
      std::size_t first = start_[node];
      while (first < start_[node + 1]) {
        std::size_t last = first + 1;
        while (last < start_[node + 1] && half_edges_[last].far_node == half_edges_[first].far_node)
          ++last;
        visit(static_cast<std::int32_t>(node),
              std::span<const HalfEdge>(half_edges_).subspan(first, last - first));
        first = last;
      }
    }
  }

 private:
  std::vector<std::size_t> start_;  ///< nodes + 1
  AlignedVector<HalfEdge> half_edges_;
};

/// Whether both nodes lie in the same symmetry plane.
bool lies_in_plane(const SurfaceMesh& mesh, const Symmetry& symmetry, std::int32_t a,
                   std::int32_t b);

/// An edge that only one element has, in the direction of that element.
struct OpenEdge {
  std::int32_t from, to;
  std::size_t element;
};

/// Edges in symmetry planes are left out, because their images close them.
std::vector<OpenEdge> open_edges(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

}  // namespace rankine::meshes
