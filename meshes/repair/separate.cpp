#include "rankine/meshes/repair/separate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// A panel at an edge.
struct Side {
  double angle;  ///< of the panel about the edge
  bool ahead;    ///< whether the fluid lies at larger angles
  std::int32_t element;
};

/// The panels at an edge in pairs, one after another, with solid between them; empty if normals do
/// not alternate. `outward`: whether normals point out of the solid.
std::vector<std::int32_t> solid_wedges(const SurfaceMesh& mesh, std::int32_t near,
                                       std::span<const HalfEdge> halves, bool outward) {
  const Vec3d &from = mesh.nodes[near], &to = mesh.nodes[halves.front().far_node];
  const Vec3d along = normalized(to - from);
  const auto across = [&](const HalfEdge& half) {
    const Vec3d r = corner_mean(mesh, mesh.elements[half.element]) - from;
    return r - dot(r, along) * along;
  };
  const Vec3d x = normalized(across(halves.front())), y = cross(along, x);
  std::vector<Side> sides;
  for (const HalfEdge& half : halves) {
    const Vec3d r = across(half);
    const Vec3d normal = vector_area(mesh, mesh.elements[half.element]);
    sides.push_back({std::atan2(dot(r, y), dot(r, x)),
                     (dot(normal, cross(along, r)) > 0.0) == outward, half.element});
  }
  std::ranges::sort(sides, {}, &Side::angle);
  if (!sides.front().ahead) std::ranges::rotate(sides, sides.begin() + 1);
  std::vector<std::int32_t> pairs;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Side& next = sides[(k + 1) % sides.size()];
    if (sides[k].ahead == next.ahead || sides[k].angle == next.angle) return {};
    pairs.push_back(sides[k].element);
  }
  // The normal of the first panel points ahead, so the solid is between the last panel and the
  // first.
  std::ranges::rotate(pairs, pairs.end() - 1);
  return pairs;
}

/// Returns the number of separated edges.
std::size_t separate_edges(SurfaceMesh& mesh, const MeshReport& report) {
  const EdgeTable& edges = report.connections->edges;
  const std::vector<std::int32_t>& body = report.connections->bodies.of_element;
  const auto thin = [&](const HalfEdge& half) { return is_thin(mesh, half.element); };
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> pairs_of;
  std::set<std::int32_t> touched;
  edges.for_each_edge([&](std::int32_t near, std::span<const HalfEdge> halves) {
    if (halves.size() < 4 || halves.size() % 2 != 0 || std::ranges::any_of(halves, thin)) return;
    const double volume = report.bodies[body[halves.front().element]].volume;
    std::vector<std::int32_t> pairs = solid_wedges(mesh, near, halves, volume > 0.0);
    if (pairs.empty()) return;
    touched.insert({near, halves.front().far_node});
    pairs_of[{near, halves.front().far_node}] = std::move(pairs);
  });
  std::map<std::int32_t, std::vector<std::int32_t>> around;
  for (std::size_t e = 0; e < mesh.elements.size() && !touched.empty(); ++e) {
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k) {
      if (touched.contains(mesh.elements[e][k]))
        around[mesh.elements[e][k]].push_back(static_cast<std::int32_t>(e));
    }
  }
  std::vector<std::pair<std::int32_t*, std::int32_t>> moves;  // corners, after all are known
  std::int32_t next = static_cast<std::int32_t>(mesh.nodes.size());
  for (const auto& [node, elements] : around) {
    // Panels at a node are in one group if they share an edge there.
    std::map<std::int32_t, std::int32_t> group;
    for (const std::int32_t e : elements) group[e] = e;
    const auto join = [&](std::int32_t a, std::int32_t b) {
      const std::int32_t from = group.at(a), to = group.at(b);
      for (auto& [element, its] : group) its = its == from ? to : its;
    };
    for (const std::int32_t e : elements) {
      for (int k = 0; k < corner_count(mesh.elements[e]); ++k) {
        const std::int32_t other = mesh.elements[e][k];
        const auto halves = edges.at(node, other);
        const auto found = pairs_of.find(std::minmax(node, other));
        if (found != pairs_of.end()) {
          for (std::size_t p = 0; p < found->second.size(); p += 2)
            join(found->second[p], found->second[p + 1]);
        } else {
          for (const HalfEdge& half : halves) join(half.element, e);
        }
      }
    }
    std::map<std::int32_t, std::int32_t> node_of{{group.at(elements.front()), node}};
    for (const std::int32_t e : elements) {
      const auto [at, is_new] = node_of.try_emplace(group.at(e), next);
      if (is_new) {
        mesh.nodes.push_back(Vec3d(mesh.nodes[node]));
        ++next;
      }
      for (int k = 0; k < corner_count(mesh.elements[e]); ++k) {
        if (mesh.elements[e][k] == node && at->second != node)
          moves.emplace_back(&mesh.elements[e][k], at->second);
      }
    }
  }
  for (const auto& [corner, to] : moves) *corner = to;
  return pairs_of.size();
}

}  // namespace

std::optional<std::string> separate(SurfaceMesh& mesh, MeshReport& report,
                                    const Symmetry& symmetry) {
  if (report.non_manifold_edges.count == 0) return std::nullopt;
  const std::size_t edges = separate_edges(mesh, report);
  if (edges == 0) return std::nullopt;
  report = check_mesh(mesh, symmetry);
  return "bodies touch along " + counted(edges, "edge") + ", and got nodes of their own there";
}

std::size_t touching_edges(const SurfaceMesh& mesh) {
  const auto place = [&](std::int32_t n) {
    const Vec3d& x = mesh.nodes[static_cast<std::size_t>(n)];
    return std::tuple(x.x, x.y, x.z);
  };
  std::vector<std::int32_t> order(mesh.nodes.size()), first(mesh.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, place);
  bool any = false;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeats = k > 0 && place(order[k]) == place(order[k - 1]);
    first[order[k]] = repeats ? first[order[k - 1]] : order[k];
    any = any || repeats;
  }
  if (!any) return 0;
  std::map<std::pair<std::int32_t, std::int32_t>, std::set<std::pair<std::int32_t, std::int32_t>>>
      at_place;
  EdgeTable(mesh).for_each_edge([&](std::int32_t near, std::span<const HalfEdge> halves) {
    const std::int32_t far = halves.front().far_node;
    at_place[std::minmax(first[near], first[far])].insert({near, far});
  });
  return static_cast<std::size_t>(
      std::ranges::count_if(at_place, [](const auto& each) { return each.second.size() > 1; }));
}

}  // namespace rankine::meshes
