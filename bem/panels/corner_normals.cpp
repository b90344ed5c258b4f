#include "rankine/bem/panels/corner_normals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Normals at the corners of panels, one for every smooth side of the surface at a node.
class NodeNormals {
 public:
  NodeNormals(const PanelNeighbourhood& around, std::span<const Vec3d> positions,
              double sharp_angle, CornerNormals& normals)
      : around_(around),
        panels_(around.panels()),
        least_cosine_(std::cos(sharp_angle)),
        positions_(positions),
        normals_(normals) {}

  void find(std::int32_t node) {
    const std::span<const std::int32_t> at_node = around_.panels_at(node);
    side_.assign(at_node.size(), -1);
    join_smooth_neighbours(node, at_node);
    for (std::size_t first = 0; first < at_node.size(); ++first) {
      if (side_[first] != static_cast<std::int32_t>(first)) continue;
      members_.clear();
      for (std::size_t k = first; k < at_node.size(); ++k) {
        if (side_[k] == side_[first]) members_.push_back(at_node[k]);
      }
      const Vec3d normal = normal_of_side(node);
      for (const std::int32_t j : members_) {
        normals_[static_cast<std::size_t>(j)][static_cast<std::size_t>(corner_of(j, node))] = {
            static_cast<float>(normal.x), static_cast<float>(normal.y),
            static_cast<float>(normal.z)};
      }
    }
  }

 private:
  int corner_of(std::int32_t panel, std::int32_t node) const {
    int k = 0;
    while (panels_.nodes[panel][k] != node) ++k;
    return k;
  }

  /// Sides by their first member: panels at the node are joined across edges that are not sharp.
  void join_smooth_neighbours(std::int32_t node, std::span<const std::int32_t> at_node) {
    edges_.clear();
    for (std::size_t k = 0; k < at_node.size(); ++k) {
      side_[k] = static_cast<std::int32_t>(k);
      const int corners = meshes::corner_count(panels_.nodes[at_node[k]]),
                c = corner_of(at_node[k], node);
      const auto member = static_cast<std::int32_t>(k);
      edges_.push_back({panels_.nodes[at_node[k]][(c + 1) % corners], member});
      edges_.push_back({panels_.nodes[at_node[k]][(c + corners - 1) % corners], member});
    }
    std::sort(edges_.begin(), edges_.end());
    for (std::size_t e = 0; e + 1 < edges_.size(); ++e) {
      if (edges_[e].first != edges_[e + 1].first) continue;
      const std::int32_t a = edges_[e].second, b = edges_[e + 1].second;
      if (dot(panels_.normal[at_node[static_cast<std::size_t>(a)]],
              panels_.normal[at_node[static_cast<std::size_t>(b)]]) < least_cosine_)
        continue;
      const std::int32_t from = std::max(side_[static_cast<std::size_t>(a)],
                                         side_[static_cast<std::size_t>(b)]),
                         to = std::min(side_[static_cast<std::size_t>(a)],
                                       side_[static_cast<std::size_t>(b)]);
      std::replace(side_.begin(), side_.end(), from, to);
    }
  }

  Vec3d normal_of_side(std::int32_t node) {
    Vec3d sum{};
    for (const std::int32_t j : members_) sum += panels_.area[j] * panels_.normal[j];
    if (!(norm(sum) > 0.0)) return panels_.normal[members_.front()];
    const Vec3d n = normalized(sum);
    const auto [t1, t2] = Tangents(n);

    collect_nodes(node, n);
    const Vec3d& centre = positions_[static_cast<std::size_t>(node)];
    samples_.clear();
    double mean = 0.0;
    for (const std::int32_t other : nodes_) {
      const Vec3d r = positions_[static_cast<std::size_t>(other)] - centre;
      samples_.push_back({dot(r, t1), dot(r, t2), dot(r, n)});
      mean += norm(r);
    }
    if (!(mean > 0.0)) return n;
    const double scale = static_cast<double>(samples_.size()) / mean;
    for (PlaneSample& s : samples_) s = {s.x * scale, s.y * scale, s.value * scale};
    const PlanePolynomial height = fit_plane(samples_);
    const double slope_1 = height.slope_x(), slope_2 = height.slope_y();
    if (height.terms < 5 || slope_1 * slope_1 + slope_2 * slope_2 > 1.0) return n;
    return normalized(n - slope_1 * t1 - slope_2 * t2);
  }

  /// Nodes of the side and of the panels around it that face the same way, without its own.
  void collect_nodes(std::int32_t node, const Vec3d& n) {
    nodes_.clear();
    const auto add_nodes_of = [&](std::int32_t panel) {
      const meshes::Element& corners = panels_.nodes[panel];
      for (int k = 0; k < meshes::corner_count(corners); ++k) {
        const std::int32_t other = corners[k];
        if (other != node && std::find(nodes_.begin(), nodes_.end(), other) == nodes_.end())
          nodes_.push_back(other);
      }
    };
    for (const std::int32_t j : members_) add_nodes_of(j);
    const std::size_t first_ring = nodes_.size();
    for (std::size_t k = 0; k < first_ring; ++k) {
      for (const std::int32_t j : around_.panels_at(nodes_[k])) {
        if (dot(panels_.normal[j], n) >= least_cosine_) add_nodes_of(j);
      }
    }
  }

  const PanelNeighbourhood& around_;
  const Panels& panels_;
  double least_cosine_;
  std::span<const Vec3d> positions_;  ///< of nodes
  CornerNormals& normals_;
  std::vector<std::int32_t> side_, members_;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges_;
  std::vector<std::int32_t> nodes_;
  std::vector<PlaneSample> samples_;
};

}  // namespace

CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes,
                             double sharp_angle) {
  CornerNormals normals(around.panels().size());
  constexpr std::size_t chunk = 256;
  parallel_chunks(
      around.panels().node_count, chunk,
      [&] { return NodeNormals(around, nodes, sharp_angle, normals); },
      [&](std::size_t node, NodeNormals& of_thread) {
        of_thread.find(static_cast<std::int32_t>(node));
      });
  return normals;
}

}  // namespace rankine::bem
