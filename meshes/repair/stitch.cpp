#include "rankine/meshes/repair/stitch.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "rankine/meshes/checks/near_boxes.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/repair/clean.hpp"

namespace rankine::meshes {
namespace {

BoundingBox around(const Vec3d& point, double reach) {
  BoundingBox box;
  box.add(point - Vec3d{reach, reach, reach});
  box.add(point + Vec3d{reach, reach, reach});
  return box;
}

/// The nodes of open edges, in ascending order, with the length of the shortest open edge at each.
struct RimNodes {
  std::vector<std::int32_t> node;
  std::vector<double> edge;

  RimNodes(const SurfaceMesh& mesh, const std::vector<OpenEdge>& edges) {
    std::vector<std::pair<std::int32_t, double>> ends;
    for (const OpenEdge& each : edges) {
      const double length = norm(mesh.nodes[each.to] - mesh.nodes[each.from]);
      ends.emplace_back(each.from, length);
      ends.emplace_back(each.to, length);
    }
    std::sort(ends.begin(), ends.end());
    for (const auto& [end, length] : ends) {
      if (!node.empty() && node.back() == end) continue;
      node.push_back(end);
      edge.push_back(length);
    }
  }
};

/// Merges nodes of rims whose distance is much smaller than their edges. Returns the number
/// removed.
std::size_t merge_rim_nodes(SurfaceMesh& mesh) {
  const RimNodes rim(mesh, open_edges(mesh));
  AlignedVector<NearBoxes::Piece> boxes(rim.node.size());
  for (std::size_t k = 0; k < boxes.size(); ++k)
    boxes[k] = {around(mesh.nodes[rim.node[k]], limits::stitch_reach * rim.edge[k]), 0.0,
                static_cast<std::int32_t>(k)};
  const NearBoxes tree(boxes);
  std::vector<std::int32_t> stands_for(mesh.nodes.size());
  std::iota(stands_for.begin(), stands_for.end(), 0);
  std::size_t merged = 0;
  for (std::size_t k = 0; k < rim.node.size(); ++k) {
    const Vec3d& x = mesh.nodes[rim.node[k]];
    std::int32_t& mine = stands_for[rim.node[k]];
    tree.visit_containing(around(x, 0.0), [&](const NearBoxes::Piece& other) {
      const std::int32_t node = rim.node[other.owner];
      const double reach = limits::stitch_reach * std::min(rim.edge[k], rim.edge[other.owner]);
      const bool stands = stands_for[node] == node && node < mine;
      if (stands && norm(mesh.nodes[node] - x) <= reach) mine = node;
    });
    merged += mine != rim.node[k] ? 1 : 0;
  }
  if (merged > 0) renumber(mesh, stands_for);
  return merged;
}

/// A corner to insert into an edge.
struct Inserted {
  std::size_t element;
  std::int32_t from;
  double place;  ///< position along the edge, 0 to 1
  std::int32_t node;
};

std::vector<Inserted> corners_to_insert(const SurfaceMesh& mesh) {
  const std::vector<OpenEdge> edges = open_edges(mesh);
  AlignedVector<NearBoxes::Piece> boxes(edges.size(), NearBoxes::Piece{});
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const Vec3d &a = mesh.nodes[edges[e].from], &b = mesh.nodes[edges[e].to];
    boxes[e].owner = static_cast<std::int32_t>(e);
    for (const Vec3d& end : {a, b})
      boxes[e].box.join(around(end, limits::stitch_reach * norm(b - a)));
  }
  const NearBoxes tree(boxes);
  std::vector<Inserted> found;
  for (const std::int32_t node : RimNodes(mesh, edges).node) {
    const Vec3d& x = mesh.nodes[node];
    tree.visit_containing(around(x, 0.0), [&](const NearBoxes::Piece& piece) {
      const OpenEdge& edge = edges[piece.owner];
      const Element& element = mesh.elements[edge.element];
      if (std::find(element.begin(), element.end(), node) != element.end()) return;
      const Vec3d along = mesh.nodes[edge.to] - mesh.nodes[edge.from];
      const Vec3d from = x - mesh.nodes[edge.from];
      const double place = dot(from, along) / dot(along, along);
      if (!(place > 0.0 && place < 1.0)) return;
      if (norm(from - place * along) <= limits::stitch_reach * norm(along))
        found.push_back({edge.element, edge.from, place, node});
    });
  }
  std::sort(found.begin(), found.end(), [](const Inserted& a, const Inserted& b) {
    return std::tie(a.element, a.from, a.place, a.node) <
           std::tie(b.element, b.from, b.place, b.node);
  });
  return found;
}

/// The triangulation of a polygon that minimises the sum of longest edge squared over area, without
/// reversed triangles; empty if there is none. Corners may lie on straight edges.
std::vector<Element> best_triangles(const SurfaceMesh& mesh,
                                    const std::vector<std::int32_t>& polygon) {
  constexpr double impossible = std::numeric_limits<double>::infinity();
  const std::size_t n = polygon.size();
  const auto point = [&](std::size_t k) { return mesh.nodes[polygon[k]]; };
  Vec3d normal{};
  for (std::size_t k = 1; k + 1 < n; ++k)
    normal += cross(point(k) - point(0), point(k + 1) - point(0));
  normal = normalized(normal);
  const auto cost_of = [&](std::size_t i, std::size_t j, std::size_t k) {
    const Vec3d a = point(j) - point(i), b = point(k) - point(j), c = point(i) - point(k);
    const double longest = std::max({dot(a, a), dot(b, b), dot(c, c)});
    const double area = 0.5 * dot(cross(a, b), normal);
    return area > limits::same_place * longest ? longest / area : impossible;
  };
  // For the part from corner i to corner k: the least cost, and the corner between.
  std::vector<double> cost(n * n, 0.0);
  std::vector<std::size_t> between(n * n, 0);
  for (std::size_t span = 2; span < n; ++span) {
    for (std::size_t i = 0; i + span < n; ++i) {
      const std::size_t k = i + span;
      cost[i * n + k] = impossible;
      for (std::size_t j = i + 1; j < k; ++j) {
        const double whole = cost[i * n + j] + cost[j * n + k] + cost_of(i, j, k);
        if (!(whole < cost[i * n + k])) continue;
        cost[i * n + k] = whole;
        between[i * n + k] = j;
      }
    }
  }
  if (cost[n - 1] == impossible) return {};
  std::vector<Element> triangles;
  std::vector<std::pair<std::size_t, std::size_t>> parts{{0, n - 1}};
  while (!parts.empty()) {
    const auto [i, k] = parts.back();
    parts.pop_back();
    if (k - i < 2) continue;
    const std::size_t j = between[i * n + k];
    triangles.push_back({polygon[i], polygon[j], polygon[k], -1});
    parts.emplace_back(i, j);
    parts.emplace_back(j, k);
  }
  return triangles;
}

/// Replaces an element by triangles; common edges keep their mid-edge points.
void replace(SurfaceMesh& mesh, std::size_t e, const std::vector<Element>& triangles) {
  const Element old = mesh.elements[e];
  const int corners = corner_count(old);
  const MidNodes middle = mesh.mid_nodes.empty() ? MidNodes{} : mesh.mid_nodes[e];
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::size_t place = t == 0 ? e : mesh.elements.size();
    if (t > 0) append_copy(mesh, e);
    mesh.elements[place] = triangles[t];
    if (mesh.mid_nodes.empty()) continue;
    mesh.mid_nodes[place] = straight_mid_nodes(mesh, triangles[t]);
    for (int k = 0; k < 3; ++k) {
      for (int l = 0; l < corners; ++l) {
        if (triangles[t][k] == old[l] && triangles[t][(k + 1) % 3] == old[(l + 1) % corners])
          mesh.mid_nodes[place][k] = middle[l];
      }
    }
  }
}

std::size_t insert_corners(SurfaceMesh& mesh) {
  const std::vector<Inserted> all = corners_to_insert(mesh);
  std::size_t inserted = 0;
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    while (last < all.size() && all[last].element == all[first].element) ++last;
    const std::size_t e = all[first].element;
    const Element element = mesh.elements[e];
    std::vector<std::int32_t> polygon;
    for (int k = 0; k < corner_count(element); ++k) {
      polygon.push_back(element[k]);
      for (std::size_t i = first; i < last; ++i) {
        if (all[i].from == element[k]) polygon.push_back(all[i].node);
      }
    }
    const std::vector<Element> triangles = best_triangles(mesh, polygon);
    if (triangles.empty()) continue;
    replace(mesh, e, triangles);
    inserted += last - first;
  }
  return inserted;
}

}  // namespace

Stitches stitch(SurfaceMesh& mesh) {
  Stitches found;
  found.open_before = found.open_after = open_edges(mesh).size();
  if (found.open_before == 0) return found;
  constexpr int most_passes = 10;  // corners of one pass may lie on edges of the next
  for (int pass = 0; pass < most_passes; ++pass) {
    SurfaceMesh changed = mesh;
    const std::size_t merged = merge_rim_nodes(changed), inserted = insert_corners(changed);
    const std::size_t open = open_edges(changed).size();
    if (open >= found.open_after) break;
    mesh = std::move(changed);
    found.merged += merged;
    found.inserted += inserted;
    found.open_after = open;
  }
  return found;
}

}  // namespace rankine::meshes
