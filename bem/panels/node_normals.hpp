// The normals at one node, one for every smooth side of the surface
// (bem/panels/curve_panels.cpp). Host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

/// `around` has nodes(panel), normal(panel), area(panel), panels_at(node) and position(node). A
/// list is a std::vector<std::int32_t> or has the same members.
template <class Around, class List>
class NodeNormals {
 public:
  RANKINE_HD NodeNormals(const Around& around, double least_cosine)
      : around_(around), least_cosine_(least_cosine) {}

  /// Calls write(panel, corner, unit normal) for every panel at the node.
  template <class Write>
  RANKINE_HD void find(std::int32_t node, const Write& write) {
    const auto at_node = around_.panels_at(node);
    join_smooth_neighbours(node, at_node);
    for (std::size_t first = 0; first < at_node.size(); ++first) {
      if (side_[first] != static_cast<std::int32_t>(first)) continue;
      members_.clear();
      for (std::size_t k = first; k < at_node.size(); ++k) {
        if (side_[k] == side_[first]) members_.push_back(at_node[k]);
      }
      const Vec3d normal = normal_of_side(node);
      for (const std::int32_t j : members_) write(j, corner_of(j, node), normal);
    }
  }

  /// The nodes used for the last side. If the list has a fixed size, the caller must check that it
  /// was long enough.
  RANKINE_HD const List& nodes() const { return nodes_; }

 private:
  RANKINE_HD int corner_of(std::int32_t panel, std::int32_t node) const {
    int k = 0;
    while (around_.nodes(panel)[static_cast<std::size_t>(k)] != node) ++k;
    return k;
  }

  /// Whether two panels at a node share a smooth edge.
  RANKINE_HD bool are_smooth_neighbours(std::int32_t a, std::int32_t b, std::int32_t node) const {
    const auto neighbour = [&](std::int32_t panel, int step) {
      const meshes::Element& corners = around_.nodes(panel);
      const int count = meshes::corner_count(corners);
      return corners[static_cast<std::size_t>((corner_of(panel, node) + count + step) % count)];
    };
    const std::int32_t next = neighbour(a, 1), last = neighbour(a, -1),
                       other_next = neighbour(b, 1), other_last = neighbour(b, -1);
    const bool share =
        next == other_next || next == other_last || last == other_next || last == other_last;
    return share && dot(around_.normal(a), around_.normal(b)) >= least_cosine_;
  }

  /// Finds the sides: panels at the node are joined across smooth edges; every panel gets the first
  /// panel of its side.
  template <class Panels>
  RANKINE_HD void join_smooth_neighbours(std::int32_t node, const Panels& at_node) {
    side_.clear();
    for (std::size_t k = 0; k < at_node.size(); ++k) side_.push_back(static_cast<std::int32_t>(k));
    for (std::size_t a = 0; a < side_.size(); ++a) {
      if (at_node.size() > most_at_node) {
        join_at_other_ends(node, at_node, a);
        continue;
      }
      for (std::size_t b = a + 1; b < side_.size(); ++b) join(node, at_node, a, b);
    }
  }

  /// Joins a panel with those that share one of its edges at the node. These are searched at the
  /// other end of the edge, since there may be very many panels at the node.
  template <class Panels>
  RANKINE_HD void join_at_other_ends(std::int32_t node, const Panels& at_node, std::size_t a) {
    const meshes::Element& corners = around_.nodes(at_node[a]);
    for (int c = 0; c < meshes::corner_count(corners); ++c) {
      const std::int32_t other = corners[static_cast<std::size_t>(c)];
      if (other == node) continue;
      for (const std::int32_t panel : around_.panels_at(other)) {
        const std::size_t b = place_of(panel, at_node);
        if (b < at_node.size() && b > a) join(node, at_node, a, b);
      }
    }
  }

  /// Index of a panel among those at a node, which are in ascending order; their number if it is
  /// not among them.
  template <class Panels>
  RANKINE_HD static std::size_t place_of(std::int32_t panel, const Panels& at_node) {
    std::size_t first = 0;
    for (std::size_t count = at_node.size(); count > 0;) {
      const std::size_t half = count / 2;
      if (at_node[first + half] < panel) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first < at_node.size() && at_node[first] == panel ? first : at_node.size();
  }

  template <class Panels>
  RANKINE_HD void join(std::int32_t node, const Panels& at_node, std::size_t a, std::size_t b) {
    if (side_[a] == side_[b] || !are_smooth_neighbours(at_node[a], at_node[b], node)) return;
    const std::int32_t from = side_[a] > side_[b] ? side_[a] : side_[b],
                       to = side_[a] > side_[b] ? side_[b] : side_[a];
    for (std::size_t k = 0; k < side_.size(); ++k) {
      if (side_[k] == from) side_[k] = to;
    }
  }

  RANKINE_HD Vec3d normal_of_side(std::int32_t node) {
    Vec3d sum{};
    for (const std::int32_t j : members_) sum += around_.area(j) * around_.normal(j);
    if (!(norm(sum) > 0.0)) return around_.normal(members_[0]);
    const Vec3d n = normalized(sum);
    const Tangents along(n);

    collect_nodes(node, n);
    const Vec3d centre = around_.position(node);
    double mean = 0.0;
    for (const std::int32_t other : nodes_) mean += norm(around_.position(other) - centre);
    if (!(mean > 0.0)) return n;
    const double scale = static_cast<double>(nodes_.size()) / mean;
    const PlanePolynomial height =
        PlaneFit(
            static_cast<int>(nodes_.size()), static_cast<double>(nodes_.size()),
            [&](int k) {
              const Vec3d r =
                  scale * (around_.position(nodes_[static_cast<std::size_t>(k)]) - centre);
              return PlaneSample{dot(r, along.t1), dot(r, along.t2), dot(r, n)};
            },
            0.0)
            .polynomial(share_of_points);
    const double slope_1 = height.slope_x(), slope_2 = height.slope_y();
    if (height.terms < 5 || slope_1 * slope_1 + slope_2 * slope_2 > 1.0) return n;
    return normalized(n - slope_1 * along.t1 - slope_2 * along.t2);
  }

  /// Collects the nodes of the side and of surrounding panels with similar normals, without the
  /// node itself.
  RANKINE_HD void collect_nodes(std::int32_t node, const Vec3d& n) {
    nodes_.clear();
    const auto add_nodes_of = [&](std::int32_t panel) {
      const meshes::Element& corners = around_.nodes(panel);
      for (int k = 0; k < meshes::corner_count(corners); ++k) {
        const std::int32_t other = corners[static_cast<std::size_t>(k)];
        if (other != node) add_once(nodes_, other);
      }
    };
    visit_around_node(members_, add_nodes_of);
    const std::size_t first_ring = nodes_.size();
    for (std::size_t k = 0; k < first_ring; ++k) {
      visit_around_node(around_.panels_at(nodes_[k]), [&](std::int32_t j) {
        if (dot(around_.normal(j), n) >= least_cosine_) add_nodes_of(j);
      });
    }
  }

  Around around_;
  double least_cosine_;
  List side_, members_, nodes_;
};

}  // namespace rankine::bem
