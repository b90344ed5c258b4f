#include "rankine/meshes/boundary_loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

/// Follows chains of open edges, each edge once.
class Walk {
 public:
  explicit Walk(const std::vector<OpenEdge>& edges) : edges_(edges), walked_(edges.size(), false) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      at_node_[edges[e].from].push_back(e);
      at_node_[edges[e].to].push_back(e);
    }
  }

  /// The nodes of the rim with this edge; empty if the edge was visited before. A closed loop
  /// repeats its first node at the end.
  std::vector<std::int32_t> from(std::size_t edge) {
    if (walked_[edge]) return {};
    walked_[edge] = true;
    std::vector<std::int32_t> nodes{edges_[edge].from, edges_[edge].to};
    go_on(nodes);
    if (nodes.back() == nodes.front()) return nodes;
    std::reverse(nodes.begin(), nodes.end());  // an open rim also continues from its other end
    go_on(nodes);
    return nodes;
  }

 private:
  void go_on(std::vector<std::int32_t>& nodes) {
    while (nodes.back() != nodes.front()) {
      std::vector<std::size_t>& here = at_node_[nodes.back()];
      while (!here.empty() && walked_[here.back()]) here.pop_back();
      if (here.empty()) break;
      walked_[here.back()] = true;
      const OpenEdge& next = edges_[here.back()];
      nodes.push_back(next.from == nodes.back() ? next.to : next.from);
    }
  }

  const std::vector<OpenEdge>& edges_;
  std::vector<bool> walked_;
  std::unordered_map<std::int32_t, std::vector<std::size_t>> at_node_;
};

BoundaryLoop measure(const SurfaceMesh& mesh, const std::vector<std::int32_t>& nodes) {
  BoundaryLoop loop;
  loop.edges = nodes.size() - 1;
  loop.closed = nodes.front() == nodes.back();
  const Vec3d& origin = mesh.nodes[nodes[0]];
  Vec3d area, moment;
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const Vec3d a = mesh.nodes[nodes[k - 1]] - origin, b = mesh.nodes[nodes[k]] - origin;
    const double length = norm(b - a);
    loop.length += length;
    moment += 0.5 * length * (a + b);
    area += 0.5 * cross(a, b);
  }
  loop.centre = loop.length > 0.0 ? origin + moment / loop.length : origin;
  if (!loop.closed || norm(area) <= limits::same_place * loop.length * loop.length) return loop;
  const Vec3d normal = normalized(area);
  loop.flat = std::all_of(nodes.begin(), nodes.end(), [&](std::int32_t n) {
    return std::abs(dot(mesh.nodes[n] - loop.centre, normal)) <= limits::same_place * loop.length;
  });
  return loop;
}

}  // namespace

std::vector<BoundaryLoop> boundary_loops(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  const std::vector<OpenEdge> edges = open_edges(mesh, symmetry);
  Walk walk(edges);
  std::vector<BoundaryLoop> loops;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::vector<std::int32_t> nodes = walk.from(e);
    if (nodes.empty()) continue;
    loops.push_back(measure(mesh, nodes));
    loops.back().nodes.assign(nodes.begin(), nodes.end() - (loops.back().closed ? 1 : 0));
  }
  std::stable_sort(loops.begin(), loops.end(), [](const BoundaryLoop& a, const BoundaryLoop& b) {
    return a.length > b.length;
  });
  return loops;
}

CutPlanes cut_planes(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  constexpr std::size_t least_share = 20, most_share = 3;  // a plane has at least 1/20 of the
                                                           // edges; at most 1/3 are in no plane
  const BoundingBox box = bounding_box(mesh);
  const double near = limits::same_place * box.diagonal();
  std::vector<OpenEdge> left = open_edges(mesh, symmetry);
  const std::size_t all = left.size();
  const auto side_of_box = [&](int side) {
    return side % 2 == 0 ? box.lower[side / 2] : box.upper[side / 2];
  };
  const auto node_in = [&](std::int32_t n, int side) {
    return std::abs(mesh.nodes[n][side / 2] - side_of_box(side)) <= near;
  };
  const auto lies_in = [&](const OpenEdge& edge, int side) {
    return node_in(edge.from, side) && node_in(edge.to, side);
  };
  CutPlanes planes;
  while (!left.empty()) {  // the plane with most edges first
    std::array<std::size_t, 6> edges_in{};
    for (const OpenEdge& edge : left) {
      for (int side = 0; side < 6; ++side) edges_in[side] += lies_in(edge, side) ? 1 : 0;
    }
    const auto best = std::max_element(edges_in.begin(), edges_in.end());
    if (least_share * *best < all) break;
    const int side = static_cast<int>(best - edges_in.begin());
    const double place = side_of_box(side);
    planes.planes.push_back({side / 2, std::abs(place) <= near ? 0.0 : place});
    planes.edges += *best;
    left.erase(std::remove_if(left.begin(), left.end(),
                              [&](const OpenEdge& edge) { return lies_in(edge, side); }),
               left.end());
  }
  return most_share * left.size() <= all ? planes : CutPlanes{};
}

}  // namespace rankine::meshes
