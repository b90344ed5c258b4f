// The neighbours of a panel, ring by ring: panels that share a node with it, then panels that share
// a node with these. Panels across a sharp edge are excluded. At high-valence vertices only some of
// the panels are used, so the work per panel is bounded, and the work for a mesh is linear. Host
// and device.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::bem {

template <class List>
RANKINE_HD bool contains(const List& list, std::int32_t value) {
  for (const std::int32_t each : list) {
    if (each == value) return true;
  }
  return false;
}
/// Compares all entries, several at a time. An early exit would often be mispredicted and take
/// longer.
inline bool contains(const std::vector<std::int32_t>& list, std::int32_t value) {
  std::uint32_t found = 0;
  for (const std::int32_t each : list) found |= each == value ? 1U : 0U;
  return found != 0;
}

template <class List>
RANKINE_HD void add_once(List& list, std::int32_t value) {
  if (!contains(list, value)) list.push_back(value);
}

/// Largest number of panels that are used at a node; if there are more, an evenly spaced selection
/// of them. A panel across an edge that is not selected is found at the other end of the edge.
inline constexpr std::size_t most_at_node = 24;

/// Calls visit(panel) for the panels at a node; at a high-valence vertex for a selection of them.
template <class Panels, class Visit>
RANKINE_HD void visit_around_node(const Panels& at_node, const Visit& visit) {
  const std::size_t count = at_node.size(), some = count < most_at_node ? count : most_at_node;
  for (std::size_t k = 0; k < some; ++k) visit(at_node[k * count / some]);
}

/// Fills `panels` with `rings` rings around `panel`, without itself, and `nodes` with the nodes
/// through which they were found. `around` has nodes(panel), normal(panel) and panels_at(node). The
/// cosine of the angle between the normals of a panel in the rings and of `panel` is at least
/// `least_cosine`.
template <class Around, class List>
RANKINE_HD void collect_rings(const Around& around, double least_cosine, std::int32_t panel,
                              int rings, List& panels, List& nodes) {
  panels.clear();
  nodes.clear();
  const Vec3d normal = around.normal(panel);
  const auto add_nodes_of = [&](std::int32_t j) {
    const meshes::Element& corners = around.nodes(j);
    for (int k = 0; k < meshes::corner_count(corners); ++k) add_once(nodes, corners[k]);
  };
  add_nodes_of(panel);
  std::size_t seen = 0;
  for (int ring = 0; ring < rings; ++ring) {
    const std::size_t end = nodes.size(), first = panels.size();
    for (; seen < end; ++seen) {
      visit_around_node(around.panels_at(nodes[seen]), [&](std::int32_t j) {
        if (j != panel && !contains(panels, j) && dot(around.normal(j), normal) >= least_cosine)
          panels.push_back(j);
      });
    }
    if (ring + 1 == rings) break;
    for (std::size_t p = first; p < panels.size(); ++p) add_nodes_of(panels[p]);
  }
}

/// The panels at one end of an edge: the end at which fewer panels meet. They include all panels
/// with this edge.
template <class Around>
RANKINE_HD std::span<const std::int32_t> panels_at_edge(const Around& around, std::int32_t a,
                                                        std::int32_t b) {
  const std::span<const std::int32_t> at_a = around.panels_at(a), at_b = around.panels_at(b);
  return at_a.size() <= at_b.size() ? at_a : at_b;
}

/// Calls visit(panel) for the panels that have both nodes as corners.
template <class Around, class Visit>
RANKINE_HD void visit_at_edge(const Around& around, std::int32_t a, std::int32_t b,
                              const Visit& visit) {
  for (const std::int32_t j : panels_at_edge(around, a, b)) {
    const meshes::Element& corners = around.nodes(j);
    bool has_a = false, has_b = false;
    for (int k = 0; k < meshes::corner_count(corners); ++k) {
      has_a = has_a || corners[k] == a;
      has_b = has_b || corners[k] == b;
    }
    if (has_a && has_b) visit(j);
  }
}

/// Whether two panels at a node may meet in a sharp edge: the normal of one differs from that of
/// the first by more than half the angle of sharp edges.
template <class Around>
RANKINE_HD bool may_have_edge(const Around& around, double least_cosine, std::int32_t node) {
  const std::span<const std::int32_t> panels = around.panels_at(node);
  const double half = std::sqrt(0.5 + 0.5 * least_cosine);
  for (const std::int32_t j : panels)
    if (dot(around.normal(j), around.normal(panels[0])) < half) return true;
  return false;
}

/// Fills `beside` with the panels across an edge of `panel` that is not sharp.
template <class Around, class List>
RANKINE_HD void collect_beside(const Around& around, double least_cosine, std::int32_t panel,
                               List& beside) {
  beside.clear();
  const meshes::Element& own = around.nodes(panel);
  const int corners = meshes::corner_count(own);
  for (int k = 0; k < corners; ++k) {
    visit_at_edge(around, own[k], own[(k + 1) % corners], [&](std::int32_t j) {
      if (j != panel && dot(around.normal(j), around.normal(panel)) >= least_cosine)
        beside.push_back(j);
    });
  }
}

}  // namespace rankine::bem
