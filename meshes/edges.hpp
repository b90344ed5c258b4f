// The edges of a surface mesh, each with its elements, built in O(N).
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
  std::int32_t far_node;  ///< the larger node of the edge
  std::int32_t element;
  bool forward;  ///< whether the element traverses it from the smaller node to the larger
};

/// Half-edges in buckets by smaller node, each bucket sorted by (far node, element). Corners must
/// be nodes of the mesh; edges from a node to itself are omitted.
class EdgeTable {
 public:
  explicit EdgeTable(const SurfaceMesh& mesh);

  /// The half-edges of the edge between two nodes.
  std::span<const HalfEdge> at(std::int32_t a, std::int32_t b) const;

  std::size_t nodes() const { return start_.size() - 1; }

  /// Calls visit(near_node, half_edges) once per edge, in ascending order of nodes.
  template <class Visit>
  void for_each_edge(Visit visit) const {
    for (std::size_t node = 0; node < nodes(); ++node) for_each_edge_from(node, visit);
  }
  /// The same for the edges from one node to larger ones.
  template <class Visit>
  void for_each_edge_from(std::size_t node, Visit&& visit) const {
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

 private:
  std::vector<std::size_t> start_;  ///< nodes + 1
  AlignedVector<HalfEdge> half_edges_;
};

/// Whether both nodes lie in the same symmetry plane.
bool lies_in_plane(const SurfaceMesh& mesh, const Symmetry& symmetry, std::int32_t a,
                   std::int32_t b);

/// An edge of one element only, in the direction of that element.
struct OpenEdge {
  std::int32_t from, to;
  std::size_t element;
};

/// All open edges, except those in symmetry planes, which their images close.
std::vector<OpenEdge> open_edges(const SurfaceMesh& mesh, const Symmetry& symmetry = {});

}  // namespace rankine::meshes
