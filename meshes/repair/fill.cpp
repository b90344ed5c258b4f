#include "rankine/meshes/repair/fill.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/boundary_loops.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/formats/polygon.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

/// The corners of a triangle, as indices.
using Indices = std::array<std::size_t, 3>;
using Edge = std::pair<std::size_t, std::size_t>;

/// Splits a rim into loops that visit each node once.
std::vector<std::vector<std::int32_t>> simple_rims(const std::vector<std::int32_t>& rim) {
  std::vector<std::vector<std::int32_t>> parts;
  std::vector<std::int32_t> walked;
  const auto cut = [&](auto first) {
    if (walked.end() - first >= 3) parts.emplace_back(first, walked.end());
    walked.erase(first, walked.end());
  };
  for (const std::int32_t node : rim) {
    if (const auto seen = std::find(walked.begin(), walked.end(), node); seen != walked.end())
      cut(seen);
    walked.push_back(node);
  }
  cut(walked.begin());
  return parts;
}

/// Whether a rim encloses an area, is flat or small relative to the mesh, and is not the rim of a
/// flat sheet, which its lid would cover. `on_body`: nodes of the body with the rim.
bool may_be_filled(std::span<const Vec3d> rim, std::span<const Vec3d> on_body, double diagonal) {
  BoundingBox box;
  Vec3d area, centre;  // twice the area
  double length = 0.0;
  for (std::size_t k = 0; k < rim.size(); ++k) {
    const Vec3d a = rim[k] - rim[0], b = rim[(k + 1) % rim.size()] - rim[0];
    area += cross(a, b);
    length += norm(b - a);
    centre += rim[k] / static_cast<double>(rim.size());
    box.add(rim[k]);
  }
  if (!(norm(area) > limits::same_place * length * length)) return false;
  const Vec3d normal = normalized(area);
  const auto are_flat = [&](std::span<const Vec3d> points) {
    return std::all_of(points.begin(), points.end(), [&](const Vec3d& x) {
      return std::abs(dot(x - centre, normal)) <= limits::flat_rim * length;
    });
  };
  return (box.diagonal() <= limits::small_hole * diagonal || are_flat(rim)) && !are_flat(on_body);
}

/// The nodes of every body.
std::vector<std::vector<Vec3d>> nodes_of(const SurfaceMesh& mesh, const Bodies& bodies) {
  std::vector<std::vector<Vec3d>> nodes(static_cast<std::size_t>(bodies.count));
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
      nodes[static_cast<std::size_t>(bodies.of_element[e])].push_back(
          mesh.nodes[mesh.elements[e][k]]);
  }
  return nodes;
}

/// The triangles of one hole; the nodes of the rim come first.
class HoleMesh {
 public:
  explicit HoleMesh(std::vector<Vec3d> rim)
      : nodes_(std::move(rim)), triangles_(split_polygon(nodes_)) {
    const std::size_t n = nodes_.size();
    for (std::size_t k = 0; k < n; ++k) {
      sizes_.push_back(0.5 * (norm(nodes_[k] - nodes_[(k + n - 1) % n]) +
                              norm(nodes_[k] - nodes_[(k + 1) % n])));
    }
  }

  /// Divides triangles that are larger than the target sizes at their corners.
  void refine() {
    constexpr int most_passes = 50;
    turn_edges();
    for (int pass = 0; pass < most_passes && divide(); ++pass) turn_edges();
  }

  const std::vector<Vec3d>& nodes() const { return nodes_; }
  const std::vector<Indices>& triangles() const { return triangles_; }

 private:
  bool divide() {
    const std::size_t count = triangles_.size();
    for (std::size_t t = 0; t < count; ++t) {
      const auto [a, b, c] = triangles_[t];
      const Vec3d centre = (nodes_[a] + nodes_[b] + nodes_[c]) / 3.0;
      double size = 0.0;
      for (const std::size_t corner : triangles_[t])
        size += (sizes_[corner] + limits::growth * norm(nodes_[corner] - centre)) / 3.0;
      const bool large =
          std::all_of(triangles_[t].begin(), triangles_[t].end(), [&](std::size_t corner) {
            return std::numbers::sqrt2 * norm(nodes_[corner] - centre) >
                   std::max(size, sizes_[corner]);
          });
      if (!large) continue;
      const std::size_t middle = nodes_.size();
      nodes_.push_back(centre);
      sizes_.push_back(size);
      triangles_[t] = {a, b, middle};
      triangles_.push_back({b, c, middle});
      triangles_.push_back({c, a, middle});
    }
    return triangles_.size() > count;
  }

  Vec3d normal_of(const Indices& t) const {
    return cross(nodes_[t[1]] - nodes_[t[0]], nodes_[t[2]] - nodes_[t[0]]);
  }
  /// The angle at the corner opposite to the edge a b.
  double angle(std::size_t corner, std::size_t a, std::size_t b) const {
    const Vec3d to_a = nodes_[a] - nodes_[corner], to_b = nodes_[b] - nodes_[corner];
    return std::atan2(norm(cross(to_a, to_b)), dot(to_a, to_b));
  }
  std::size_t opposite(std::size_t t, const Edge& edge) const {
    for (const std::size_t corner : triangles_[t]) {
      if (corner != edge.first && corner != edge.second) return corner;
    }
    return edge.first;
  }

  /// Flips edges whose opposite angles sum to more than pi [L03].
  void turn_edges() {
    constexpr int most_passes = 100;
    for (int pass = 0; pass < most_passes; ++pass) {
      std::map<Edge, std::vector<std::size_t>> sides;
      for (std::size_t t = 0; t < triangles_.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k)
          sides[std::minmax(triangles_[t][k], triangles_[t][(k + 1) % 3])].push_back(t);
      }
      std::vector<bool> turned(triangles_.size(), false);
      bool any = false;
      for (const auto& [edge, both] : sides) {
        if (both.size() != 2 || turned[both[0]] || turned[both[1]]) continue;
        const std::size_t c = opposite(both[0], edge), d = opposite(both[1], edge);
        if (c == d || sides.count(std::minmax(c, d)) > 0 || !turn(edge, both, c, d)) continue;
        turned[both[0]] = turned[both[1]] = any = true;
      }
      if (!any) return;
    }
  }

  bool turn(const Edge& edge, const std::vector<std::size_t>& both, std::size_t c, std::size_t d) {
    constexpr double rounding = 1e-9;
    const double sum = angle(c, edge.first, edge.second) + angle(d, edge.first, edge.second);
    if (!(sum > std::numbers::pi + rounding)) return false;
    // The first triangle traverses the edge from a to b.
    std::size_t a = edge.first, b = edge.second;
    for (std::size_t k = 0; k < 3; ++k) {
      if (triangles_[both[0]][k] == b && triangles_[both[0]][(k + 1) % 3] == a) std::swap(a, b);
    }
    const Indices one{a, d, c}, other{d, b, c};
    const Vec3d normal = normal_of(triangles_[both[0]]) + normal_of(triangles_[both[1]]);
    if (!(dot(normal_of(one), normal) > 0.0) || !(dot(normal_of(other), normal) > 0.0))
      return false;
    triangles_[both[0]] = one;
    triangles_[both[1]] = other;
    return true;
  }

  std::vector<Vec3d> nodes_;
  std::vector<double> sizes_;  ///< target edge length at each node
  std::vector<Indices> triangles_;
};

/// The mid-edge points of curved panels, by the nodes of the edge.
std::map<std::pair<std::int32_t, std::int32_t>, Vec3d> middles_of(const SurfaceMesh& mesh) {
  std::map<std::pair<std::int32_t, std::int32_t>, Vec3d> middles;
  if (mesh.mid_nodes.empty()) return middles;
  for (const OpenEdge& edge : open_edges(mesh)) {
    const Element& element = mesh.elements[edge.element];
    const auto k = static_cast<std::size_t>(std::find(element.begin(), element.end(), edge.from) -
                                            element.begin());
    middles[std::minmax(edge.from, edge.to)] = mesh.mid_nodes[edge.element][k];
  }
  return middles;
}

}  // namespace

FilledHoles fill_holes(SurfaceMesh& mesh) {
  FilledHoles filled;
  const double diagonal = bounding_box(mesh).diagonal();
  const auto middles = middles_of(mesh);
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> element_at;
  for (const OpenEdge& edge : open_edges(mesh))
    element_at[std::minmax(edge.from, edge.to)] = edge.element;
  const Bodies bodies = find_bodies(mesh, EdgeTable(mesh));
  const std::vector<std::vector<Vec3d>> body_nodes = nodes_of(mesh, bodies);
  std::set<std::array<std::int32_t, 3>> known;  // corners of triangles, in ascending order
  for (const Element& element : mesh.elements) {
    if (corner_count(element) == 4) continue;
    std::array<std::int32_t, 3> key{element[0], element[1], element[2]};
    std::sort(key.begin(), key.end());
    known.insert(key);
  }
  for (const BoundaryLoop& loop : boundary_loops(mesh)) {
    if (!loop.closed) {
      ++filled.left;
      continue;
    }
    for (std::vector<std::int32_t>& rim : simple_rims(loop.nodes)) {
      std::reverse(rim.begin(), rim.end());  // opposite to the direction of the panels outside
      std::vector<Vec3d> corners;
      for (const std::int32_t node : rim) corners.push_back(mesh.nodes[node]);
      const std::size_t beside = element_at.at(std::minmax(rim[0], rim[1]));
      const auto body = static_cast<std::size_t>(bodies.of_element[beside]);
      const bool allowed = may_be_filled(corners, body_nodes[body], diagonal);
      HoleMesh hole(allowed ? std::move(corners) : std::vector<Vec3d>{});
      hole.refine();
      const bool covered = std::any_of(hole.triangles().begin(), hole.triangles().end(),
                                       [&](const Indices& triangle) {
                                         std::array<std::int32_t, 3> key{-1, -1, -1};
                                         for (std::size_t k = 0; k < 3; ++k)
                                           if (triangle[k] < rim.size()) key[k] = rim[triangle[k]];
                                         std::sort(key.begin(), key.end());
                                         return !known.insert(key).second && key[0] >= 0;
                                       });
      if (hole.triangles().empty() || covered) {
        ++filled.left;
        continue;
      }
      ++filled.holes;
      std::vector<std::int32_t> number = rim;
      for (std::size_t n = rim.size(); n < hole.nodes().size(); ++n) {
        number.push_back(static_cast<std::int32_t>(mesh.nodes.size()));
        mesh.nodes.push_back(hole.nodes()[n]);
      }
      mesh.face.resize(mesh.elements.size(), 0);
      for (const Indices& triangle : hole.triangles()) {
        append_copy(mesh, beside);
        Element& element = mesh.elements.back();
        element = {number[triangle[0]], number[triangle[1]], number[triangle[2]], -1};
        mesh.face.back() = -static_cast<std::int32_t>(filled.holes);
        filled.area += norm(vector_area(mesh, element));
        ++filled.panels;
        if (mesh.mid_nodes.empty()) continue;
        mesh.mid_nodes.back() = straight_mid_nodes(mesh, element);
        for (std::size_t k = 0; k < 3; ++k) {
          const auto found = middles.find(std::minmax(element[k], element[(k + 1) % 3]));
          if (found != middles.end()) mesh.mid_nodes.back()[k] = found->second;
        }
      }
    }
  }
  return filled;
}

}  // namespace rankine::meshes
