#include "rankine/bem/lift/body_line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::bem {
namespace {

using Line = std::vector<std::int32_t>;  ///< nodes
using MeshEdge = std::pair<std::int32_t, std::int32_t>;

MeshEdge mesh_edge(std::int32_t a, std::int32_t b) { return {std::min(a, b), std::max(a, b)}; }

/// Corner `k` of a panel, modulo its number of corners.
std::int32_t corner(const Panels& body, std::int32_t panel, int k) {
  const meshes::Element& nodes = body.nodes[static_cast<std::size_t>(panel)];
  return nodes[k % meshes::corner_count(nodes)];
}

/// Calls visit(panel, k) for the panels of the modelled part at a node, which is their corner k.
template <class Visit>
void for_each_around(const Panels& body, std::int32_t node, const Visit& visit) {
  const PanelNeighbourhood neighbourhood(body);
  for (const std::int32_t panel : neighbourhood.panels_at(node)) {
    if (static_cast<std::size_t>(panel) >= body.size()) continue;
    int k = 0;
    while (corner(body, panel, k) != node) ++k;
    visit(panel, k);
  }
}

/// The normal of the panel at `node` into which a direction points; none if it points off the body.
std::optional<Vec3d> normal_ahead(const Panels& body, std::int32_t node, const Vec3d& direction,
                                  double steepest) {
  constexpr double rounding = 1e-9;
  std::optional<Vec3d> ahead;
  for_each_around(body, node, [&](std::int32_t panel, int k) {
    const Vec3d& area = body.vector_area[static_cast<std::size_t>(panel)];
    const Vec3d normal = area / norm(area);
    const int corners = body.shape[static_cast<std::size_t>(panel)].corners;
    const Vec3d x = corner_at(body, panel, node),
                next = corner_at(body, panel, corner(body, panel, k + 1)) - x,
                before = corner_at(body, panel, corner(body, panel, k + corners - 1)) - x;
    const bool along = std::abs(dot(direction, normal)) < steepest;
    if (along && dot(cross(next, direction), normal) >= -rounding * norm(next) &&
        dot(cross(direction, before), normal) >= -rounding * norm(before))
      ahead = normal;
  });
  return ahead;
}

/// A line from node to node downstream whose accumulated deviation from the direction along the
/// surface is as small as possible. If it meets an earlier line, it follows that one.
Line line_from(const Panels& body, std::int32_t node, Vec3d at, Vec3d normal,
               const RelativeStream& course, const std::vector<Line>& earlier) {
  constexpr double rounding = 1e-6;
  Line line{node};
  for (double aside = 0.0;;) {
    const Vec3d direction = course.direction_at(at);
    normal = normal_ahead(body, line.back(), direction, 1.0).value_or(normal);
    const Vec3d side =
        cross(normal, direction) / std::max(norm(cross(normal, direction)), rounding);
    std::optional<std::int32_t> next;
    double least = std::numeric_limits<double>::infinity();
    Vec3d closest = at;
    for_each_around(body, line.back(), [&](std::int32_t panel, int k) {
      const int corners = body.shape[static_cast<std::size_t>(panel)].corners;
      for (const int beside : {k + 1, k + corners - 1}) {
        const std::int32_t to = corner(body, panel, beside);
        const Vec3d x = corner_at(body, panel, to);
        const bool joins = std::any_of(earlier.begin(), earlier.end(), [&](const Line& other) {
          return std::find(other.begin() + 1, other.end(), to) != other.end();
        });
        const double off = joins ? -1.0 : std::abs(aside + dot(x - at, side));
        if (!(dot(x - at, direction) > fitted::along_edge * norm(x - at)) || off >= least) continue;
        next = to;
        least = off;
        closest = x;
      }
    });
    if (!next) return line;
    for (const Line& other : earlier) {
      const auto there = std::find(other.begin() + 1, other.end(), *next);
      if (there == other.end()) continue;
      line.insert(line.end(), there, other.end());
      return line;
    }
    line.push_back(*next);
    aside += dot(closest - at, side);
    at = closest;
  }
}

/// Splits a node: mesh edges that are cut divide the panels around it into sectors, and every
/// sector gets a new node. The sector of a panel in `keep` keeps the old one.
void split(Panels& body, std::int32_t node, const std::set<MeshEdge>& cuts,
           const std::set<std::int32_t>& keep, std::map<MeshEdge, std::int32_t>& renamed,
           std::int32_t& nodes) {
  std::map<std::int32_t, std::int32_t> sector;  // of panels; at first every panel is a separate
                                                // sector
  for_each_around(body, node, [&](std::int32_t panel, int) { sector[panel] = panel; });
  const auto merge = [&](std::int32_t a, std::int32_t b) {
    for (auto& [panel, of] : sector) {
      if (of == a) of = b;
    }
  };
  const PanelNeighbourhood neighbourhood(body);
  for (const auto& [panel, own] : std::map(sector)) {
    for (int k = 0; k < body.shape[static_cast<std::size_t>(panel)].corners; ++k) {
      const std::int32_t a = corner(body, panel, k), b = corner(body, panel, k + 1);
      if ((a != node && b != node) || cuts.contains(mesh_edge(a, b))) continue;
      neighbourhood.for_each_at_edge(a, b, [&](std::int32_t other) {
        if (sector.contains(other)) merge(sector.at(other), sector.at(panel));
      });
    }
  }
  std::int32_t first = sector.begin()->second;
  for (const auto& [panel, of] : sector) {
    if (keep.contains(panel)) first = of;
  }
  std::map<std::int32_t, std::int32_t> number{{first, node}};
  for (const auto& [panel, of] : sector) {
    if (!number.contains(of)) number[of] = nodes++;
    renamed[{panel, node}] = number.at(of);
  }
}

}  // namespace

BodyLines cut_along_wakes(Panels& body, std::span<const EdgeSegment> edges,
                          const RelativeStream& course) {
  std::map<std::int32_t, std::vector<const EdgeSegment*>> at_node;
  for (const EdgeSegment& edge : edges) {
    at_node[edge.first].push_back(&edge);
    at_node[edge.second].push_back(&edge);
  }
  const PanelNeighbourhood neighbourhood(body);
  BodyLines lines;
  std::vector<Line> found;
  std::set<MeshEdge> cuts;
  std::set<std::int32_t> cut_nodes, above;
  for (const auto& [node, beside] : at_node) {
    const Vec3d x = corner_at(body, beside.front()->upper, node);
    if (beside.size() != 1) continue;
    const std::optional<Vec3d> normal = normal_ahead(body, node, course.direction_at(x), 0.7);
    if (!normal) continue;
    const Line line = line_from(body, node, x, *normal, course, found);
    if (line.size() < 2) continue;
    found.push_back(line);
    cuts.insert(mesh_edge(beside.front()->first, beside.front()->second));
    above.insert(beside.front()->upper);
    std::vector<Vec3d>& points = lines[node];
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (k > 0) cuts.insert(mesh_edge(line[k - 1], line[k]));
      cut_nodes.insert(line[k]);
      points.push_back(corner_at(body, neighbourhood.panels_at(line[k]).front(), line[k]));
    }
  }
  if (lines.empty()) return lines;
  auto nodes = static_cast<std::int32_t>(body.node_count);
  std::map<MeshEdge, std::int32_t> renamed;  // (panel, node): the new number of the node
  for (const std::int32_t node : cut_nodes) split(body, node, cuts, above, renamed, nodes);
  const std::int32_t added = nodes - static_cast<std::int32_t>(body.node_count);
  const auto rename = [&](std::int32_t panel, std::int32_t& node) {
    const auto of_panel = renamed.find({panel, node});
    if (of_panel != renamed.end()) node = of_panel->second;
  };
  for (HaloPanel& image : body.halo) {  // nodes that are only in the halo have the numbers after
                                        // those of the mesh
    for (std::int32_t& node : image.nodes) {
      if (node >= static_cast<std::int32_t>(body.node_count)) node += added;
      rename(image.origin, node);
    }
  }
  for (std::size_t panel = 0; panel < body.size(); ++panel) {
    for (std::int32_t& node : body.nodes[panel]) rename(static_cast<std::int32_t>(panel), node);
  }
  body.node_count += static_cast<std::size_t>(added);
  body.at_nodes = panels_at_nodes(body);
  return lines;
}

std::optional<Vec3d> end_apart(const BodyLines& lines, const meshes::Symmetry& symmetry) {
  constexpr double rounding = 1e-6;
  for (const auto& [node, line] : lines) {
    const Vec3d end = line.back();
    bool several = false, meets = false;
    for (const auto& [other_node, other] : lines) {
      for (int image = 0; image < symmetry.images(); ++image) {
        if (image == 0 && other_node == node) continue;
        several = true;
        meets = meets || norm(symmetry.point(image, other.back()) - end) <=
                             rounding * norm(end - line.front());
      }
    }
    if (several && !meets) return end;
  }
  return std::nullopt;
}

}  // namespace rankine::bem
