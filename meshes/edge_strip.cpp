#include "rankine/meshes/edge_strip.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace rankine::meshes {
namespace {

/// A corner of a polygon on an element, with its place in the element's coordinates.
struct Corner {
  std::int32_t node;
  double s, t;
};

/// An element as a map of coordinates s and t from 0 to 1, of a triangle with s + t <= 1: linear or
/// bilinear, plus the bulges of the edges.
class ElementMap {
 public:
  ElementMap(const SurfaceMesh& mesh, std::size_t e) : corners_(corner_count(mesh.elements[e])) {
    const MidNodes straight = straight_mid_nodes(mesh, mesh.elements[e]);
    for (int k = 0; k < corners_; ++k) {
      at_[k] = mesh.nodes[mesh.elements[e][k]];
      if (!mesh.mid_nodes.empty()) bulge_[k] = mesh.mid_nodes[e][k] - straight[k];
    }
  }

  Vec3d at(double s, double t) const {
    const double r = 1.0 - s - t, u = 1.0 - s, v = 1.0 - t;
    if (corners_ == 3) {
      return r * at_[0] + s * at_[1] + t * at_[2] +
             4.0 * (r * s * bulge_[0] + s * t * bulge_[1] + t * r * bulge_[2]);
    }
    return u * v * at_[0] + s * v * at_[1] + s * t * at_[2] + u * t * at_[3] +
           4.0 *
               (s * u * (v * bulge_[0] + t * bulge_[2]) + t * v * (s * bulge_[1] + u * bulge_[3]));
  }

  Corner corner(const Element& nodes, int k) const {
    constexpr double s[4] = {0, 1, 1, 0}, t[4] = {0, 0, 1, 1};
    return corners_ == 3 && k == 2 ? Corner{nodes[2], 0.0, 1.0} : Corner{nodes[k], s[k], t[k]};
  }

 private:
  int corners_;
  std::array<Vec3d, 4> at_{}, bulge_{};
};

using CutEdge = std::pair<std::int32_t, std::int32_t>;  ///< from the line to another node

class Strip {
 public:
  Strip(SurfaceMesh& mesh, std::span<const std::array<std::int32_t, 2>> line,
        std::span<const std::int32_t> base, const Symmetry& symmetry)
      : mesh_(mesh), symmetry_(symmetry), on_line_(mesh.nodes.size(), false) {
    const auto add = [&](std::int32_t from, std::int32_t to) {
      const Vec3d& x = mesh.nodes[from];
      for (int image = 0; image < symmetry.images(); ++image) {
        if (symmetry.point(image, x) == x)
          rays_.insert({from, symmetry.vector(image, normalized(mesh.nodes[to] - x))});
      }
      on_line_[from] = true;
    };
    for (const auto& [a, b] : line) {
      add(a, b);
      add(b, a);
    }
    for (const std::int32_t e : base) {
      for (int k = 0; k < corner_count(mesh.elements[e]); ++k) on_line_[mesh.elements[e][k]] = true;
    }
  }

  EdgeStrip cut(std::span<const MidNodes> middles) {
    std::map<CutEdge, double> distances;
    std::vector<std::size_t> touched;
    for (std::size_t e = 0; e < mesh_.elements.size(); ++e) {
      const Element& nodes = mesh_.elements[e];
      const int corners = corner_count(nodes);
      bool touches = false;
      for (int k = 0; k < corners; ++k) {
        const std::int32_t a = nodes[k], b = nodes[(k + 1) % corners];
        if (on_line_[a] == on_line_[b]) continue;
        const CutEdge edge = on_line_[a] ? CutEdge{a, b} : CutEdge{b, a};
        distances[edge] = distance(edge);
        touches = true;
      }
      if (touches) touched.push_back(e);
    }
    if (touched.empty()) return {};
    std::vector<double> sorted;
    for (const auto& [edge, depth] : distances) sorted.push_back(depth);
    std::sort(sorted.begin(), sorted.end());
    EdgeStrip strip{.shallowest = sorted.front(), .median = sorted[sorted.size() / 2]};
    constexpr double share = 0.9, thinnest = 0.1;
    strip.equal = strip.shallowest > share * sorted.back();
    if (strip.equal || strip.shallowest < thinnest * strip.median) return strip;
    strip.depth = share * strip.shallowest;
    if (!middles.empty() && mesh_.mid_nodes.empty()) {
      for (const Element& each : mesh_.elements)
        mesh_.mid_nodes.push_back(straight_mid_nodes(mesh_, each));
    }
    if (!middles.empty()) {
      for (const std::size_t e : touched) mesh_.mid_nodes[e] = middles[e];
    }
    for (const auto& [edge, depth] : distances) cuts_[edge] = {strip.depth / depth, -1};
    for (const std::size_t e : touched) divide(e);
    strip.cut = touched.size();
    return strip;
  }

 private:
  struct Cut {
    double share;  ///< of the edge, from the line
    std::int32_t node;
  };

  bool is_on_line(std::int32_t node) const {
    return static_cast<std::size_t>(node) < on_line_.size() && on_line_[node];
  }

  /// From the edges of the line at the first node, beyond their other ends as well. It is
  /// proportional to the distance from that node.
  double distance(const CutEdge& edge) const {
    const Vec3d r = mesh_.nodes[edge.second] - mesh_.nodes[edge.first];
    double least = norm(r);
    const auto [begin, end] = rays_.equal_range(edge.first);
    for (auto ray = begin; ray != end; ++ray)
      least = std::min(least, norm(r - std::max(dot(r, ray->second), 0.0) * ray->second));
    return least;
  }

  void divide(std::size_t e) {
    const Element nodes = mesh_.elements[e];
    const int corners = corner_count(nodes);
    const ElementMap map(mesh_, e);
    std::vector<Corner> polygon;
    for (int k = 0; k < corners; ++k) {
      const Corner a = map.corner(nodes, k), b = map.corner(nodes, (k + 1) % corners);
      polygon.push_back(a);
      if (is_on_line(a.node) == is_on_line(b.node)) continue;
      const bool from_a = is_on_line(a.node);
      const Corner &on = from_a ? a : b, &off = from_a ? b : a;
      Cut& cut = cuts_.at({on.node, off.node});
      const double s = on.s + cut.share * (off.s - on.s), t = on.t + cut.share * (off.t - on.t);
      if (cut.node < 0) {
        cut.node = static_cast<std::int32_t>(mesh_.nodes.size());
        const int planes =
            symmetry_.planes_at(mesh_.nodes[on.node]) & symmetry_.planes_at(mesh_.nodes[off.node]);
        mesh_.nodes.push_back(symmetry_.onto(planes, map.at(s, t)));
      }
      polygon.push_back({cut.node, s, t});
    }
    // The first is the last corner before a cut and the line.
    while (is_on_line(polygon[0].node) || !is_on_line(polygon[2].node))
      std::rotate(polygon.begin(), polygon.begin() + 1, polygon.end());
    std::vector<std::vector<Corner>> pieces(1);
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const bool here = is_on_line(polygon[k].node),
                 next = is_on_line(polygon[(k + 1) % polygon.size()].node),
                 before = is_on_line(polygon[k - (k > 0 ? 1 : 0)].node);
      if (!here) pieces.front().push_back(polygon[k]);
      if (!here && next) pieces.push_back({polygon[k]});
      if (here || before) pieces.back().push_back(polygon[k]);
    }
    bool first = true;
    for (const std::vector<Corner>& piece : pieces) {
      for (std::size_t k = 1; k + 1 < piece.size(); k += 2) {
        const bool three = k + 2 == piece.size();
        const std::array<Corner, 4> part{piece[0], piece[k], piece[k + 1],
                                         three ? Corner{-1, 0, 0} : piece[k + 2]};
        if (!first) append_copy(mesh_, e);
        place(first ? e : mesh_.elements.size() - 1, part, map);
        first = false;
      }
    }
  }

  void place(std::size_t e, const std::array<Corner, 4>& part, const ElementMap& map) {
    for (int k = 0; k < 4; ++k) mesh_.elements[e][k] = part[k].node;
    if (mesh_.mid_nodes.empty()) return;
    const int corners = corner_count(mesh_.elements[e]);
    for (int k = 0; k < corners; ++k) {
      const Corner &a = part[k], &b = part[(k + 1) % corners];
      mesh_.mid_nodes[e][k] = map.at(0.5 * (a.s + b.s), 0.5 * (a.t + b.t));
    }
  }

  SurfaceMesh& mesh_;
  const Symmetry& symmetry_;
  std::vector<bool> on_line_;
  std::multimap<std::int32_t, Vec3d> rays_;  ///< directions of the line from its nodes
  std::map<CutEdge, Cut> cuts_;
};

}  // namespace

EdgeStrip cut_strip(SurfaceMesh& mesh, std::span<const std::array<std::int32_t, 2>> line,
                    std::span<const std::int32_t> base, const Symmetry& symmetry,
                    std::span<const MidNodes> middles) {
  return Strip(mesh, line, base, symmetry).cut(middles);
}

}  // namespace rankine::meshes
