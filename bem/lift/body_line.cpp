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

/// Panels around the nodes of a body, with all images by rotation.
class WholeBody {
 public:
  explicit WholeBody(const Panels& body) : body_(body), around_(body), images_(1) {
    if (!body.symmetry.rotation()) return;
    images_ = body.symmetry.images();
    const std::size_t nodes = around_.offsets().size() - 1;
    image_of_.assign(static_cast<std::size_t>(images_) * body.node_count, -1);
    original_.assign(nodes, {-1, 0});
    for (std::size_t panel = 0; panel < body.size() + body.halo.size(); ++panel) {
      const auto p = static_cast<std::int32_t>(panel);
      const meshes::Element& own = body.nodes[static_cast<std::size_t>(around_.origin(p))];
      for (int k = 0; k < corners(p); ++k) {
        image(own[k], around_.image(p)) = corner(p, k);
        auto& original = original_[static_cast<std::size_t>(corner(p, k))];
        if (original.first < 0) original = {own[k], around_.image(p)};
      }
    }
  }

  const PanelNeighbourhood& neighbourhood() const { return around_; }
  int images() const { return images_; }
  bool has(std::int32_t panel) const { return around_.image(panel) < images_; }
  int corners(std::int32_t panel) const {
    return body_.shape[static_cast<std::size_t>(around_.origin(panel))].corners;
  }
  /// The node at corner `k`, modulo the number of corners.
  std::int32_t corner(std::int32_t panel, int k) const {
    return around_.nodes(panel)[static_cast<std::size_t>(k % corners(panel))];
  }
  Vec3d position(std::int32_t panel, int k) const {
    const auto origin = static_cast<std::size_t>(around_.origin(panel));
    return body_.symmetry.point(around_.image(panel),
                                body_.shape[origin].corner[k % corners(panel)]);
  }
  Vec3d position(std::int32_t node) const {
    Vec3d x{};
    for_each_around(node, [&](std::int32_t panel, int k) { x = position(panel, k); });
    return x;
  }
  Vec3d normal(std::int32_t panel) const {
    const Vec3d& area = body_.vector_area[static_cast<std::size_t>(around_.origin(panel))];
    return body_.symmetry.vector(around_.image(panel), area / norm(area));
  }
  /// Calls visit(panel, k) for the panels at a node, which is their corner k.
  template <class Visit>
  void for_each_around(std::int32_t node, const Visit& visit) const {
    for (const std::int32_t panel : around_.panels_at(node)) {
      if (!has(panel)) continue;
      int k = 0;
      while (corner(panel, k) != node) ++k;
      visit(panel, k);
    }
  }
  /// The node that is the image of a node.
  std::int32_t image_of(std::int32_t node, int g) {
    if (g == 0) return node;
    const auto [original, h] = original_[static_cast<std::size_t>(node)];
    return image(original, body_.symmetry.product(g, h));
  }
  Line image_of(Line line, int g) {
    for (std::int32_t& node : line) node = image_of(node, g);
    return line;
  }

 private:
  std::int32_t& image(std::int32_t original, int g) {
    return image_of_[static_cast<std::size_t>(g) * body_.node_count +
                     static_cast<std::size_t>(original)];
  }

  const Panels& body_;
  PanelNeighbourhood around_;
  int images_;
  std::vector<std::int32_t> image_of_;                  ///< images x nodes of the mesh
  std::vector<std::pair<std::int32_t, int>> original_;  ///< of all nodes, with the image
};

/// The normal of the panel at `node` into which a direction points; none if it points off the body.
std::optional<Vec3d> normal_ahead(const WholeBody& body, std::int32_t node, const Vec3d& direction,
                                  double steepest) {
  constexpr double rounding = 1e-9;
  std::optional<Vec3d> ahead;
  body.for_each_around(node, [&](std::int32_t panel, int k) {
    const Vec3d normal = body.normal(panel);
    const int corners = body.corners(panel);
    const Vec3d x = body.position(panel, k), next = body.position(panel, k + 1) - x,
                before = body.position(panel, k + corners - 1) - x;
    const bool along = std::abs(dot(direction, normal)) < steepest;
    if (along && dot(cross(next, direction), normal) >= -rounding * norm(next) &&
        dot(cross(direction, before), normal) >= -rounding * norm(before))
      ahead = normal;
  });
  return ahead;
}

/// A line from node to node downstream whose accumulated deviation from the direction along the
/// surface is as small as possible. If it meets an earlier line, it follows that one.
Line line_from(const WholeBody& body, std::int32_t node, Vec3d at, Vec3d normal,
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
    body.for_each_around(line.back(), [&](std::int32_t panel, int k) {
      for (const int beside : {k + 1, k + body.corners(panel) - 1}) {
        const std::int32_t to = body.corner(panel, beside);
        const Vec3d x = body.position(panel, beside);
        const double off = std::abs(aside + dot(x - at, side));
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
void split(const WholeBody& body, std::int32_t node, const std::set<MeshEdge>& cuts,
           const std::set<std::int32_t>& keep, std::map<MeshEdge, std::int32_t>& renamed,
           std::int32_t& nodes) {
  std::map<std::int32_t, std::int32_t> sector;  // of panels; at first every panel is a separate
                                                // sector
  body.for_each_around(node, [&](std::int32_t panel, int) { sector[panel] = panel; });
  const auto merge = [&](std::int32_t a, std::int32_t b) {
    for (auto& [panel, of] : sector) {
      if (of == a) of = b;
    }
  };
  for (const auto& [panel, own] : std::map(sector)) {
    for (int k = 0; k < body.corners(panel); ++k) {
      const std::int32_t a = body.corner(panel, k), b = body.corner(panel, k + 1);
      if ((a != node && b != node) || cuts.contains(mesh_edge(a, b))) continue;
      body.neighbourhood().for_each_at_edge(a, b, [&](std::int32_t other) {
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
    if (number.at(of) != node) renamed[{panel, node}] = number.at(of);
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
  WholeBody around(body);
  BodyLines lines;
  std::vector<Line> found;
  std::set<MeshEdge> cuts;
  std::set<std::int32_t> cut_nodes, above;
  for (const auto& [node, beside] : at_node) {
    const EdgeSegment& edge = *beside.front();
    const Vec3d x = corner_at(body, edge.upper, node);
    if (beside.size() != 1) continue;
    const std::optional<Vec3d> normal = normal_ahead(around, node, course.direction_at(x), 0.7);
    if (!normal) continue;
    const Line own = line_from(around, node, x, *normal, course, found);
    if (own.size() < 2) continue;
    for (const std::int32_t each : own) lines[node].push_back(around.position(each));
    for (int g = 0; g < around.images(); ++g) {
      const Line line = around.image_of(own, g);
      cuts.insert(mesh_edge(around.image_of(edge.first, g), around.image_of(edge.second, g)));
      around.for_each_around(line.front(), [&](std::int32_t panel, int) {
        const PanelNeighbourhood& of = around.neighbourhood();
        if (of.origin(panel) == edge.upper && of.image(panel) == g) above.insert(panel);
      });
      for (std::size_t k = 1; k < line.size(); ++k) cuts.insert(mesh_edge(line[k - 1], line[k]));
      cut_nodes.insert(line.begin(), line.end());
      found.push_back(line);
    }
  }
  if (lines.empty()) return lines;
  auto nodes = static_cast<std::int32_t>(body.node_count);
  std::map<MeshEdge, std::int32_t> renamed;  // (panel, node): the new number of the node
  for (const std::int32_t node : cut_nodes) split(around, node, cuts, above, renamed, nodes);
  const auto before = static_cast<std::int32_t>(body.node_count), added = nodes - before;
  // Image panels around the lines have entries of their own; for others the entry is that of the
  // original panel.
  for (std::size_t k = 0; k < body.halo.size(); ++k) {
    HaloPanel& image = body.halo[k];
    const auto panel = static_cast<std::int32_t>(body.size() + k);
    for (std::int32_t& node : image.nodes) {
      const auto found_here = renamed.find({around.has(panel) ? panel : image.origin, node});
      if (found_here != renamed.end())
        node = found_here->second;
      else if (node >= before)  // only in the halo: after the nodes of the mesh
        node += added;
    }
  }
  AlignedVector<meshes::Element>& corners = body.nodes.changed();
  for (std::size_t panel = 0; panel < body.size(); ++panel) {
    for (std::int32_t& node : corners[panel]) {
      const auto found_here = renamed.find({static_cast<std::int32_t>(panel), node});
      if (found_here != renamed.end()) node = found_here->second;
    }
  }
  body.node_count += static_cast<std::size_t>(added);
  body.at_nodes = panels_at_nodes(body);
  body.edge_nodes = nullptr;
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
