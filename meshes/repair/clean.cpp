#include "rankine/meshes/repair/clean.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "rankine/meshes/edges.hpp"

namespace rankine::meshes {
namespace {

/// Keeps the nodes n with stands_for[n] = n, and replaces node n of every element by stands_for[n].
std::size_t keep_representatives(SurfaceMesh& mesh, const std::vector<std::int32_t>& stands_for) {
  std::vector<std::int32_t> number(mesh.nodes.size(), -1);
  std::size_t kept = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (stands_for[n] != static_cast<std::int32_t>(n)) continue;
    number[n] = static_cast<std::int32_t>(kept);
    mesh.nodes[kept++] = mesh.nodes[n];
  }
  for (Element& element : mesh.elements) {
    for (int k = 0; k < corner_count(element); ++k) element[k] = number[stands_for[element[k]]];
  }
  const std::size_t dropped = mesh.nodes.size() - kept;
  mesh.nodes.resize(kept);
  return dropped;
}

/// Whether every edge has two elements.
bool is_closed(const SurfaceMesh& mesh) {
  bool closed = true;
  EdgeTable(mesh).for_each_edge(
      [&](std::int32_t, std::span<const HalfEdge> sides) { closed = closed && sides.size() == 2; });
  return closed;
}

}  // namespace

std::size_t merge_coincident_nodes(SurfaceMesh& mesh) {
  const auto key = [&](std::int32_t n) {
    const Vec3d& x = mesh.nodes[n];
    return std::make_tuple(x.x, x.y, x.z, n);
  };
  std::vector<std::int32_t> order(mesh.nodes.size()), stands_for(mesh.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  bool found = false;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && mesh.nodes[order[k]] == mesh.nodes[order[k - 1]];
    stands_for[order[k]] = same ? stands_for[order[k - 1]] : order[k];
    found = found || same;
  }
  if (!found || is_closed(mesh)) return 0;
  return keep_representatives(mesh, stands_for);
}

std::size_t collapse_quadrilaterals(SurfaceMesh& mesh) {
  std::size_t collapsed = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    Element& element = mesh.elements[e];
    if (corner_count(element) != 4) continue;
    for (int k = 0; k < 4; ++k) {
      if (element[k] != element[(k + 1) % 4]) continue;
      if (!mesh.mid_nodes.empty()) {
        const MidNodes middle = mesh.mid_nodes[e];
        mesh.mid_nodes[e] = {middle[(k + 1) % 4], middle[(k + 2) % 4], middle[(k + 3) % 4], {}};
      }
      element = {element[(k + 1) % 4], element[(k + 2) % 4], element[(k + 3) % 4], -1};
      ++collapsed;
      break;
    }
  }
  return collapsed;
}

std::size_t drop_unused_nodes(SurfaceMesh& mesh) {
  std::vector<std::int32_t> stands_for(mesh.nodes.size(), -1);
  for (const Element& element : mesh.elements) {
    for (int k = 0; k < corner_count(element); ++k) stands_for[element[k]] = element[k];
  }
  return keep_representatives(mesh, stands_for);
}

std::size_t drop_elements(SurfaceMesh& mesh, const std::vector<bool>& gone) {
  const auto keep = [&](auto& values) {
    if (values.empty()) return;
    std::size_t kept = 0;
    for (std::size_t e = 0; e < gone.size(); ++e) {
      if (!gone[e]) values[kept++] = values[e];
    }
    values.resize(kept);
  };
  const std::size_t before = mesh.elements.size();
  keep(mesh.elements);
  keep(mesh.mid_nodes);
  keep(mesh.patch);
  keep(mesh.face);
  return before - mesh.elements.size();
}

bool has_corner_twice(const Element& element) {
  const int corners = corner_count(element);
  for (int k = 0; k < corners; ++k) {
    for (int l = 0; l < k; ++l) {
      if (element[k] == element[l]) return true;
    }
  }
  return false;
}

std::size_t renumber(SurfaceMesh& mesh, const std::vector<std::int32_t>& stands_for) {
  std::vector<bool> gone(mesh.elements.size(), false), touched(mesh.elements.size(), false);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    Element& element = mesh.elements[e];
    for (int k = 0; k < corner_count(element); ++k) {
      touched[e] = touched[e] || stands_for[element[k]] != element[k];
      element[k] = stands_for[element[k]];
    }
  }
  collapse_quadrilaterals(mesh);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    gone[e] = touched[e] && has_corner_twice(mesh.elements[e]);
  const std::size_t dropped = drop_elements(mesh, gone);
  drop_unused_nodes(mesh);
  return dropped;
}

std::vector<Element> triangles_of(const SurfaceMesh& mesh, const Element& panel) {
  const auto [a, b, c, d] = panel;
  if (d < 0) return {panel};
  const double first = norm(mesh.nodes[c] - mesh.nodes[a]),
               second = norm(mesh.nodes[d] - mesh.nodes[b]);
  if (first <= second) return {{a, b, c, -1}, {a, c, d, -1}};
  return {{a, b, d, -1}, {b, c, d, -1}};
}

}  // namespace rankine::meshes
