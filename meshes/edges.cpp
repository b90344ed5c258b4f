#include "rankine/meshes/edges.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/counting.hpp"

namespace rankine::meshes {
namespace {

/// Calls visit(near, far, element, forward) for every half-edge, on all threads.
template <class Visit>
void for_each_half_edge(const SurfaceMesh& mesh, Visit visit) {
  parallel_for(mesh.elements.size(), [&](std::size_t e) {
    const Element& element = mesh.elements[e];
    const int corners = corner_count(element);
    for (int k = 0; k < corners; ++k) {
      const std::int32_t from = element[k], to = element[k + 1 == corners ? 0 : k + 1];
      if (from != to) visit(std::min(from, to), std::max(from, to), e, from < to);
    }
  });
}

}  // namespace

EdgeTable::EdgeTable(const SurfaceMesh& mesh) : start_(mesh.nodes.size() + 2, 0) {
  // Counting sort: start_[n + 2] counts; then start_[n + 1] is the next free position of bucket n.
  for_each_half_edge(mesh, [&](std::int32_t near, std::int32_t, std::size_t, bool) {
    count_on(start_[near + 2]);
  });
  for (std::size_t n = 1; n < start_.size(); ++n) start_[n] += start_[n - 1];
  half_edges_.resize(start_.back());
  for_each_half_edge(mesh, [&](std::int32_t near, std::int32_t far, std::size_t element,
                               bool forward) {
    half_edges_[count_on(start_[near + 1])] = {far, static_cast<std::int32_t>(element), forward};
  });
  start_.pop_back();
  // Sorts each bucket, because threads fill it in any order.
  parallel_for(start_.size() - 1, [&](std::size_t n) {
    std::sort(half_edges_.begin() + static_cast<std::ptrdiff_t>(start_[n]),
              half_edges_.begin() + static_cast<std::ptrdiff_t>(start_[n + 1]),
              [](const HalfEdge& a, const HalfEdge& b) {
                return std::tie(a.far_node, a.element, a.forward) <
                       std::tie(b.far_node, b.element, b.forward);
              });
  });
}

std::span<const HalfEdge> EdgeTable::at(std::int32_t a, std::int32_t b) const {
  const auto [near, far] = std::minmax(a, b);
  const auto node = static_cast<std::size_t>(near);
  const std::span<const HalfEdge> bucket(half_edges_.data() + start_[node],
                                         half_edges_.data() + start_[node + 1]);
  const auto sides = std::ranges::equal_range(bucket, far, {}, &HalfEdge::far_node);
  return {sides.begin(), sides.end()};
}

bool lies_in_plane(const SurfaceMesh& mesh, const Symmetry& symmetry, std::int32_t a,
                   std::int32_t b) {
  return (symmetry.planes_at(mesh.nodes[a]) & symmetry.planes_at(mesh.nodes[b])) != 0;
}

std::vector<OpenEdge> open_edges(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  std::vector<OpenEdge> edges;
  EdgeTable(mesh).for_each_edge([&](std::int32_t near, std::span<const HalfEdge> sides) {
    if (sides.size() != 1 || lies_in_plane(mesh, symmetry, near, sides[0].far_node)) return;
    const auto element = static_cast<std::size_t>(sides[0].element);
    edges.push_back(sides[0].forward ? OpenEdge{near, sides[0].far_node, element}
                                     : OpenEdge{sides[0].far_node, near, element});
  });
  return edges;
}

}  // namespace rankine::meshes
